#include "emulator/runtime/graph.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mxproof::emulator {
namespace {

Work copy_work(const Work& work) {
  if (const auto* child = std::get_if<ChildWork>(&work)) return ChildWork{child->graph->clone()};
  return work;
}

size_t position(const Graph& graph, const Node* node) {
  const auto is_node = [node](const auto& item) { return item.get() == node; };
  return static_cast<size_t>(std::ranges::find_if(graph.nodes(), is_node) - graph.nodes().begin());
}

}  // namespace

Node* Graph::add(Work work, std::span<Node* const> dependencies) {
  auto node = std::make_unique<Node>();
  node->graph = this;
  node->work = std::move(work);
  node->dependencies.assign(dependencies.begin(), dependencies.end());
  return nodes_.emplace_back(std::move(node)).get();
}

void Graph::remove(Node* node) {
  for (const auto& other : nodes_) std::erase(other->dependencies, node);
  std::erase_if(nodes_, [node](const auto& item) { return item.get() == node; });
}

bool Graph::owns(const Node* node) const {
  return position(*this, node) < nodes_.size();
}

std::unique_ptr<Graph> Graph::clone() const {
  auto copy = std::make_unique<Graph>();
  std::unordered_map<const Node*, Node*> copies;
  for (const auto& node : nodes_) {
    Node* added = copy->add(copy_work(node->work), {});
    added->original = node.get();
    copies[node.get()] = added;
  }
  for (const auto& node : nodes_) {
    for (const Node* dependency : node->dependencies)
      copies[node.get()]->dependencies.push_back(copies[dependency]);
  }
  return copy;
}

Outcome Graph::order(std::vector<Node*>* ordered) const {
  ordered->clear();
  std::unordered_map<const Node*, size_t> waiting;
  std::unordered_map<const Node*, std::vector<Node*>> dependents;
  for (const auto& node : nodes_) {
    waiting[node.get()] = node->dependencies.size();
    for (const Node* dependency : node->dependencies) dependents[dependency].push_back(node.get());
    if (node->dependencies.empty()) ordered->push_back(node.get());
  }
  for (size_t done = 0; done < ordered->size(); ++done) {
    for (Node* node : dependents[(*ordered)[done]]) {
      if (--waiting[node] == 0) ordered->push_back(node);
    }
  }
  if (ordered->size() == nodes_.size()) return {};
  return invalid("the graph's nodes wait for each other in a circle");
}

Outcome GraphExec::instantiate(const Graph& graph, std::unique_ptr<GraphExec>* exec) {
  auto made = std::make_unique<GraphExec>();
  made->graph_ = graph.clone();
  MXPROOF_RETURN_IF_NOT_OK(made->graph_->order(&made->ordered_));
  for (Node* node : made->ordered_) {
    made->by_original_[node->original] = node;
    if (const auto* child = std::get_if<ChildWork>(&node->work)) {
      std::vector<Node*> ordered;
      MXPROOF_RETURN_IF_NOT_OK(child->graph->order(&ordered));
    }
  }
  *exec = std::move(made);
  return {};
}

Node* GraphExec::find(const Node* original) const {
  const auto found = by_original_.find(original);
  return found == by_original_.end() ? nullptr : found->second;
}

Outcome GraphExec::update(const Graph& graph, Node** misfit, hipGraphExecUpdateResult* result) {
  const auto fail = [&](Node* node, hipGraphExecUpdateResult reason, const char* text) -> Outcome {
    *misfit = node;
    *result = reason;
    return {hipErrorGraphExecUpdateFailure, text};
  };
  const auto& mine = graph_->nodes();
  const auto& theirs = graph.nodes();
  if (mine.size() != theirs.size()) {
    return fail(nullptr, hipGraphExecUpdateErrorTopologyChanged,
                "the graphs have different numbers of nodes");
  }
  for (size_t i = 0; i < mine.size(); ++i) {
    if (mine[i]->work.index() != theirs[i]->work.index()) {
      return fail(theirs[i].get(), hipGraphExecUpdateErrorNodeTypeChanged, "a node is of another type");
    }
    const auto same_place = [&](const Node* a, const Node* b) {
      return position(*graph_, a) == position(graph, b);
    };
    if (!std::ranges::equal(mine[i]->dependencies, theirs[i]->dependencies, same_place)) {
      return fail(theirs[i].get(), hipGraphExecUpdateErrorTopologyChanged,
                  "a node waits for others than before");
    }
  }
  by_original_.clear();
  for (size_t i = 0; i < mine.size(); ++i) {
    mine[i]->work = copy_work(theirs[i]->work);
    mine[i]->original = theirs[i].get();
    by_original_[theirs[i].get()] = mine[i].get();
  }
  *misfit = nullptr;
  *result = hipGraphExecUpdateSuccess;
  return {};
}

}  // namespace mxproof::emulator
