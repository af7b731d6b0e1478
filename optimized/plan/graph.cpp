#include "optimized/plan/graph.hpp"

#include "optimized/device/check.hpp"

namespace mxproof {

GemmGraph::~GemmGraph() {
  // As for a buffer: nothing can be done about a failure here.
  if (executable_ != nullptr) (void)hipGraphExecDestroy(executable_);
  if (graph_ != nullptr) (void)hipGraphDestroy(graph_);
}

Expected<GemmGraph> GemmGraph::make(const Plan& plan, const GemmPointers& pointers) {
  auto sequence = plan.launches(pointers);
  if (!sequence) return sequence.status();
  GemmGraph graph(plan);
  MXPROOF_RETURN_IF_ERROR(hip_status(hipGraphCreate(&graph.graph_, 0), "hipGraphCreate"));
  for (size_t i = 0; i < sequence->size(); ++i) {
    const hipKernelNodeParams params = (*sequence)[i].node_params();
    const hipGraphNode_t* previous = i == 0 ? nullptr : &graph.nodes_[i - 1];
    MXPROOF_RETURN_IF_ERROR(
        hip_status(hipGraphAddKernelNode(&graph.nodes_[i], graph.graph_, previous, i == 0 ? 0 : 1, &params),
                   "hipGraphAddKernelNode"));
  }
  MXPROOF_RETURN_IF_ERROR(hip_status(
      hipGraphInstantiate(&graph.executable_, graph.graph_, nullptr, nullptr, 0), "hipGraphInstantiate"));
  return graph;
}

Status GemmGraph::set_pointers(const GemmPointers& pointers) {
  auto sequence = plan_->launches(pointers);
  if (!sequence) return sequence.status();
  for (size_t i = 0; i < sequence->size(); ++i) {
    const hipKernelNodeParams params = (*sequence)[i].node_params();
    MXPROOF_RETURN_IF_ERROR(hip_status(hipGraphExecKernelNodeSetParams(executable_, nodes_[i], &params),
                                       "hipGraphExecKernelNodeSetParams"));
  }
  return {};
}

Status GemmGraph::enqueue(hipStream_t stream) const {
  return hip_status(hipGraphLaunch(executable_, stream), "hipGraphLaunch");
}

}  // namespace mxproof
