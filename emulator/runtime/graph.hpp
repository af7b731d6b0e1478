// Graphs of work: nodes and what each waits for.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "emulator/runtime/outcome.hpp"
#include "emulator/runtime/work.hpp"

namespace mxproof::emulator {

/// What a hipGraphNode_t points at.
struct Node {
  Graph* graph = nullptr;
  Work work;
  std::vector<Node*> dependencies;  ///< All of the same graph.
  const Node* original = nullptr;   ///< The node that this one is a copy of, in a clone.
  std::vector<void*> arg_pointers;  ///< Handed out by hipGraphKernelNodeGetParams.
};

/// What a hipGraph_t points at. Nodes keep their addresses.
class Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Node* add(Work work, std::span<Node* const> dependencies);
  /// Takes a node out, and out of what others wait for.
  void remove(Node* node);
  bool owns(const Node* node) const;
  /// In order of creation.
  const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }

  /// A copy; its nodes name their originals. Child graphs are copied too.
  std::unique_ptr<Graph> clone() const;

  /// The nodes so that each comes after those it waits for, otherwise in order of creation.
  /// Errors: hipErrorInvalidValue when nodes wait for each other in a circle.
  Outcome order(std::vector<Node*>* nodes) const;

 private:
  std::vector<std::unique_ptr<Node>> nodes_;
};

/// What a hipGraphExec_t points at: a copy of a graph, ordered, that no longer changes with it.
class GraphExec {
 public:
  static Outcome instantiate(const Graph& graph, std::unique_ptr<GraphExec>* exec);

  const std::vector<Node*>& ordered() const { return ordered_; }
  const Graph& graph() const { return *graph_; }
  /// The copy of a node of the graph that this was made of; nullptr for others.
  Node* find(const Node* original) const;
  /// Takes over the work of a graph of the same shape. Errors: hipErrorGraphExecUpdateFailure with the first
  /// node that does not fit and the reason.
  Outcome update(const Graph& graph, Node** misfit, hipGraphExecUpdateResult* result);

 private:
  std::unique_ptr<Graph> graph_;
  std::vector<Node*> ordered_;
  std::unordered_map<const Node*, Node*> by_original_;
};

}  // namespace mxproof::emulator
