// Graphs as a whole: making, asking, instantiating, launching.
#include <algorithm>
#include <cstdio>
#include <iterator>

#include <fmt/format.h>

#include "emulator/runtime/graph_call.hpp"
#include "emulator/runtime/linked_hip.hpp"
#include "emulator/runtime/runtime.hpp"

using namespace mxproof::emulator;

namespace {

// HIP's way to return lists: without a target the count, otherwise as many as there is room for, the rest
// null.
Outcome give_list(const std::vector<Node*>& nodes, hipGraphNode_t* target, size_t* count) {
  if (count == nullptr) return invalid("a null pointer for the count");
  if (target != nullptr) {
    for (size_t i = 0; i < *count; ++i) {
      target[i] = i < nodes.size() ? reinterpret_cast<hipGraphNode_t>(nodes[i]) : nullptr;
    }
    *count = std::min(*count, nodes.size());
    return {};
  }
  *count = nodes.size();
  return {};
}

std::vector<Node*> dependents_of(const Node& node) {
  std::vector<Node*> dependents;
  for (const auto& other : node.graph->nodes()) {
    if (std::ranges::find(other->dependencies, &node) != other->dependencies.end())
      dependents.push_back(other.get());
  }
  return dependents;
}

// In the order of Work's alternatives. HIP 6 numbers the first nodes from 0.
hipGraphNodeType type_of(const Work& work) {
  constexpr hipGraphNodeType kTypes[] = {
      hipGraphNodeTypeEmpty, hipGraphNodeTypeKernel,      hipGraphNodeTypeMemcpy,    hipGraphNodeTypeMemset,
      hipGraphNodeTypeHost,  hipGraphNodeTypeEventRecord, hipGraphNodeTypeWaitEvent, hipGraphNodeTypeGraph};
  static_assert(std::size(kTypes) == std::variant_size_v<Work>);
  const hipGraphNodeType type = kTypes[work.index()];
  return is_hip6_program() ? static_cast<hipGraphNodeType>(type - 1) : type;
}

Outcome instantiate(Runtime& runtime, hipGraph_t handle, hipGraphExec_t* exec_handle) {
  Graph* graph = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(find_graph(runtime, handle, &graph));
  if (exec_handle == nullptr) return invalid("a null pointer for the result");
  std::unique_ptr<GraphExec> exec;
  MXPROOF_RETURN_IF_NOT_OK(GraphExec::instantiate(*graph, &exec));
  *exec_handle = reinterpret_cast<hipGraphExec_t>(runtime.execs.add(std::move(exec)));
  return {};
}

Outcome find_pair(Runtime& runtime, Graph* graph, hipGraphNode_t from, hipGraphNode_t to, Node** from_node,
                  Node** to_node) {
  MXPROOF_RETURN_IF_NOT_OK(runtime.find_node(from, from_node));
  MXPROOF_RETURN_IF_NOT_OK(runtime.find_node(to, to_node));
  if ((*from_node)->graph != graph || (*to_node)->graph != graph || *from_node == *to_node) {
    return invalid("an edge needs two nodes of this graph");
  }
  return {};
}

}  // namespace

extern "C" {

hipError_t hipGraphCreate(hipGraph_t* handle, unsigned flags) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    if (handle == nullptr || flags != 0) return invalid("a null pointer for the result, or flags");
    *handle = reinterpret_cast<hipGraph_t>(r.graphs.add(std::make_unique<Graph>()));
    return {};
  });
}
hipError_t hipGraphDestroy(hipGraph_t handle) {
  return host_call(
      __func__, [&](Runtime& r) { return r.graphs.remove(handle) ? Outcome() : invalid("no such graph"); });
}
hipError_t hipGraphClone(hipGraph_t* clone, hipGraph_t handle) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Graph* graph = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_graph(r, handle, &graph));
    if (clone == nullptr) return invalid("a null pointer for the result");
    *clone = reinterpret_cast<hipGraph_t>(r.graphs.add(graph->clone()));
    return {};
  });
}
hipError_t hipGraphNodeFindInClone(hipGraphNode_t* found, hipGraphNode_t original, hipGraph_t clone) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Graph* graph = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_graph(r, clone, &graph));
    if (found == nullptr) return invalid("a null pointer for the result");
    for (const auto& node : graph->nodes()) {
      if (node->original != reinterpret_cast<const Node*>(original)) continue;
      *found = reinterpret_cast<hipGraphNode_t>(node.get());
      return {};
    }
    return invalid("the node has no copy in that graph");
  });
}

hipError_t hipGraphGetNodes(hipGraph_t handle, hipGraphNode_t* nodes, size_t* count) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Graph* graph = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_graph(r, handle, &graph));
    std::vector<Node*> all;
    for (const auto& node : graph->nodes()) all.push_back(node.get());
    return give_list(all, nodes, count);
  });
}
hipError_t hipGraphGetRootNodes(hipGraph_t handle, hipGraphNode_t* nodes, size_t* count) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Graph* graph = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_graph(r, handle, &graph));
    std::vector<Node*> roots;
    for (const auto& node : graph->nodes()) {
      if (node->dependencies.empty()) roots.push_back(node.get());
    }
    return give_list(roots, nodes, count);
  });
}
hipError_t hipGraphGetEdges(hipGraph_t handle, hipGraphNode_t* from, hipGraphNode_t* to, size_t* count) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Graph* graph = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_graph(r, handle, &graph));
    if ((from == nullptr) != (to == nullptr) || count == nullptr)
      return invalid("a null pointer for a result");
    std::vector<Node*> sources;
    std::vector<Node*> targets;
    for (const auto& node : graph->nodes()) {
      for (Node* dependency : node->dependencies) {
        sources.push_back(dependency);
        targets.push_back(node.get());
      }
    }
    size_t target_count = *count;
    MXPROOF_RETURN_IF_NOT_OK(give_list(targets, to, &target_count));
    return give_list(sources, from, count);
  });
}
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t handle, hipGraphNode_t* nodes, size_t* count) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Node* node = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(r.find_node(handle, &node));
    return give_list(node->dependencies, nodes, count);
  });
}
hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t handle, hipGraphNode_t* nodes, size_t* count) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Node* node = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(r.find_node(handle, &node));
    return give_list(dependents_of(*node), nodes, count);
  });
}
hipError_t hipGraphNodeGetType(hipGraphNode_t handle, hipGraphNodeType* type) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Node* node = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(r.find_node(handle, &node));
    if (type == nullptr) return invalid("a null pointer for the result");
    *type = type_of(node->work);
    return {};
  });
}
hipError_t hipGraphAddDependencies(hipGraph_t handle, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                   size_t count) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Graph* graph = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_graph(r, handle, &graph));
    if (count > 0 && (from == nullptr || to == nullptr)) return invalid("null pointers for the nodes");
    for (size_t i = 0; i < count; ++i) {
      Node* source = nullptr;
      Node* target = nullptr;
      MXPROOF_RETURN_IF_NOT_OK(find_pair(r, graph, from[i], to[i], &source, &target));
      if (std::ranges::find(target->dependencies, source) != target->dependencies.end()) {
        return invalid("the nodes are connected already");
      }
      target->dependencies.push_back(source);
    }
    return {};
  });
}
hipError_t hipGraphRemoveDependencies(hipGraph_t handle, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                      size_t count) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Graph* graph = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_graph(r, handle, &graph));
    if (count > 0 && (from == nullptr || to == nullptr)) return invalid("null pointers for the nodes");
    for (size_t i = 0; i < count; ++i) {
      Node* source = nullptr;
      Node* target = nullptr;
      MXPROOF_RETURN_IF_NOT_OK(find_pair(r, graph, from[i], to[i], &source, &target));
      if (std::erase(target->dependencies, source) == 0) return invalid("the nodes are not connected");
    }
    return {};
  });
}
hipError_t hipGraphDestroyNode(hipGraphNode_t handle) {
  return host_call(__func__, [&](Runtime& r) -> Outcome {
    Node* node = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(r.find_node(handle, &node));
    node->graph->remove(node);
    return {};
  });
}

hipError_t hipGraphInstantiate(hipGraphExec_t* exec, hipGraph_t graph, hipGraphNode_t* error_node, char* log,
                               size_t log_size) {
  return device_call(__func__, [&](Runtime& r) {
    Outcome outcome = instantiate(r, graph, exec);
    if (error_node != nullptr) *error_node = nullptr;
    if (log != nullptr && log_size > 0) std::snprintf(log, log_size, "%s", outcome.message().c_str());
    return outcome;
  });
}
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* exec, hipGraph_t graph, unsigned long long flags) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    if (flags != 0) return unsupported("flags");
    return instantiate(r, graph, exec);
  });
}
hipError_t hipGraphExecDestroy(hipGraphExec_t handle) {
  return host_call(__func__, [&](Runtime& r) {
    return r.execs.remove(handle) ? Outcome() : invalid("no such executable graph");
  });
}
hipError_t hipGraphExecUpdate(hipGraphExec_t exec_handle, hipGraph_t graph_handle, hipGraphNode_t* error_node,
                              hipGraphExecUpdateResult* result) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Graph* graph = nullptr;
    GraphExec* exec = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_graph(r, graph_handle, &graph));
    MXPROOF_RETURN_IF_NOT_OK(find_exec(r, exec_handle, &exec));
    Node* misfit = nullptr;
    hipGraphExecUpdateResult reason = hipGraphExecUpdateError;
    Outcome outcome = exec->update(*graph, &misfit, &reason);
    if (error_node != nullptr) *error_node = reinterpret_cast<hipGraphNode_t>(misfit);
    if (result != nullptr) *result = reason;
    return outcome;
  });
}
hipError_t hipGraphLaunch(hipGraphExec_t handle, hipStream_t stream) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    GraphExec* exec = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_exec(r, handle, &exec));
    Stream* target = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(r.streams.find(stream, &target));
    if (target->capture != nullptr) return r.enqueue(stream, ChildWork{exec->graph().clone()});
    MXPROOF_RETURN_IF_NOT_OK(r.enqueue(stream, EmptyWork{}));  // refused where the stream may not be used now
    for (const Node* node : exec->ordered()) MXPROOF_RETURN_IF_NOT_OK(r.run(node->work));
    return {};
  });
}

}  // extern "C"
