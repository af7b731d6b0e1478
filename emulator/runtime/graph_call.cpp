#include "emulator/runtime/graph_call.hpp"

#include <algorithm>

namespace mxproof::emulator {

Outcome find_graph(Runtime& runtime, hipGraph_t handle, Graph** graph) {
  *graph = runtime.graphs.find(handle);
  if (*graph != nullptr) return {};
  // The graph inside of a child node is handed out too.
  runtime.graphs.for_each([&](const Graph& outer) {
    for (const auto& node : outer.nodes()) {
      const auto* child = std::get_if<ChildWork>(&node->work);
      if (child != nullptr && reinterpret_cast<hipGraph_t>(child->graph.get()) == handle)
        *graph = child->graph.get();
    }
  });
  return *graph != nullptr ? Outcome() : invalid("there is no such graph");
}

Outcome find_exec(Runtime& runtime, hipGraphExec_t handle, GraphExec** exec) {
  *exec = runtime.execs.find(handle);
  return *exec != nullptr ? Outcome() : invalid("there is no such executable graph");
}

Outcome add_node(Runtime& runtime, hipGraphNode_t* handle, hipGraph_t graph_handle,
                 const hipGraphNode_t* dependencies, size_t count, Work work) {
  Graph* graph = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(find_graph(runtime, graph_handle, &graph));
  if (handle == nullptr || (count > 0 && dependencies == nullptr)) return invalid("a null pointer");
  std::vector<Node*> waits_for;
  for (size_t i = 0; i < count; ++i) {
    Node* node = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(runtime.find_node(dependencies[i], &node));
    if (node->graph != graph) return invalid("a dependency belongs to another graph");
    if (std::ranges::find(waits_for, node) != waits_for.end()) return invalid("a dependency is given twice");
    waits_for.push_back(node);
  }
  *handle = reinterpret_cast<hipGraphNode_t>(graph->add(std::move(work), waits_for));
  return {};
}

}  // namespace mxproof::emulator
