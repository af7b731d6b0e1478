// What the graph calls share: finding handles, and adding and changing nodes of one kind of work.
#pragma once

#include "emulator/runtime/runtime.hpp"

namespace mxproof::emulator {

/// Errors of all: hipErrorInvalidValue.
Outcome find_graph(Runtime& runtime, hipGraph_t handle, Graph** graph);
Outcome find_exec(Runtime& runtime, hipGraphExec_t handle, GraphExec** exec);

/// Adds a node with `work` that waits for `count` nodes of the same graph.
Outcome add_node(Runtime& runtime, hipGraphNode_t* handle, hipGraph_t graph,
                 const hipGraphNode_t* dependencies, size_t count, Work work);

/// The work of a node that must be of one kind.
template <class T>
Outcome find_work(Runtime& runtime, hipGraphNode_t handle, Node** node, T** work) {
  MXPROOF_RETURN_IF_NOT_OK(runtime.find_node(handle, node));
  *work = std::get_if<T>(&(*node)->work);
  return *work != nullptr ? Outcome() : invalid("the node is of another type");
}

/// The work of the executable graph's copy of a node.
template <class T>
Outcome find_exec_work(Runtime& runtime, hipGraphExec_t exec_handle, hipGraphNode_t node_handle, T** work) {
  GraphExec* exec = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(find_exec(runtime, exec_handle, &exec));
  Node* copy = exec->find(reinterpret_cast<const Node*>(node_handle));
  if (copy == nullptr) return invalid("the executable graph was not made of that node");
  *work = std::get_if<T>(&copy->work);
  return *work != nullptr ? Outcome() : invalid("the node is of another type");
}

}  // namespace mxproof::emulator
