// A plan as a graph: replayed with other inputs and outputs by changing the arguments of its kernel nodes.
// Nothing is captured and no operand is copied.
#pragma once

#include <array>
#include <utility>

#include "common/status.hpp"
#include "optimized/plan/plan.hpp"

namespace mxproof {

class GemmGraph {
 public:
  /// One node a launch, in a chain. `plan` must outlive the graph: its workspace is in the nodes' arguments.
  static Expected<GemmGraph> make(const Plan& plan, const GemmPointers& pointers);

  GemmGraph(GemmGraph&& other) noexcept
      : plan_(other.plan_),
        nodes_(other.nodes_),
        graph_(std::exchange(other.graph_, nullptr)),
        executable_(std::exchange(other.executable_, nullptr)) {}
  GemmGraph& operator=(GemmGraph&&) = delete;
  ~GemmGraph();

  /// The next replay uses these operands. Checked like those of Plan::enqueue.
  Status set_pointers(const GemmPointers& pointers);

  /// Puts one replay on `stream`: no allocation, no synchronisation.
  Status enqueue(hipStream_t stream) const;

 private:
  explicit GemmGraph(const Plan& plan) : plan_(&plan) {}

  const Plan* plan_;
  std::array<hipGraphNode_t, LaunchSequence::kMaxLaunches> nodes_{};
  hipGraph_t graph_ = nullptr;
  hipGraphExec_t executable_ = nullptr;
};

}  // namespace mxproof
