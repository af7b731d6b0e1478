#include "emulator/runtime/runtime.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "emulator/runtime/launcher.hpp"
#include "emulator/runtime/watch_log.hpp"

namespace mxproof::emulator {
namespace {

thread_local hipError_t thread_last_error = hipSuccess;

// How each kind of work is done.
struct Runner {
  Runtime& runtime;

  Outcome operator()(const EmptyWork&) const { return {}; }
  Outcome operator()(const CopyWork& work) const { return emulator::run(work, runtime.memory); }
  Outcome operator()(const FillWork& work) const { return emulator::run(work, runtime.memory); }
  Outcome operator()(const ChildWork& work) const { return runtime.run(*work.graph); }
  Outcome operator()(const HostWork& work) const {
    work.function(work.data);
    return {};
  }
  Outcome operator()(const EventRecordWork& work) const {
    Event* event = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(runtime.streams.find(work.event, &event));
    event->is_captured = false;
    event->recorded = std::chrono::steady_clock::now();
    return {};
  }
  Outcome operator()(const EventWaitWork& work) const {
    Event* event = nullptr;
    return runtime.streams.find(work.event, &event);  // it has happened: everything enqueued has
  }
  Outcome operator()(const KernelWork& work) const {
    Environment environment;
    MXPROOF_RETURN_IF_NOT_OK(runtime.environment(&environment));
    Outcome outcome =
        emulator::run(work, environment, static_cast<uint32_t>(runtime.limits[kStackLimit]), runtime.memory);
    if (outcome.code() == hipErrorLaunchFailure) runtime.fatal_error = outcome.code();
    return outcome;
  }
};

}  // namespace

Runtime& Runtime::get() {
  static auto* runtime = new Runtime();
  return *runtime;
}

Outcome Runtime::enqueue(hipStream_t handle, Work work) {
  Stream* stream = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(streams.find(handle, &stream));
  bool captured = false;
  MXPROOF_RETURN_IF_NOT_OK(streams.capture_or_allow(*stream, work, &captured));
  return captured ? Outcome() : run(work);
}

Outcome Runtime::run(const Work& work) {
  return std::visit(Runner{*this}, work);
}

Outcome Runtime::run(const Graph& graph) {
  std::vector<Node*> ordered;
  MXPROOF_RETURN_IF_NOT_OK(graph.order(&ordered));
  for (const Node* node : ordered) MXPROOF_RETURN_IF_NOT_OK(run(node->work));
  return {};
}

Outcome Runtime::find_function(const void* handle, const DeviceFunction** function) {
  const auto* candidate = static_cast<const DeviceFunction*>(handle);
  bool is_function = registry.owns(candidate);
  modules.for_each([&](const LoadedModule& module) {
    for (const auto& part : module.parts) is_function = is_function || part->owns(candidate);
  });
  if (is_function) {
    *function = candidate;
    return {};
  }
  DeviceFunction* found = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(registry.find_function(handle, &found));
  *function = found;
  return {};
}

Outcome Runtime::find_node(hipGraphNode_t handle, Node** node) {
  auto* candidate = reinterpret_cast<Node*>(handle);
  bool found = false;
  const auto search = [&](const Graph& graph, const auto& self) -> void {
    found = found || graph.owns(candidate);
    for (const auto& item : graph.nodes()) {
      if (const auto* child = std::get_if<ChildWork>(&item->work)) self(*child->graph, self);
    }
  };
  graphs.for_each([&](const Graph& graph) { search(graph, search); });
  *node = candidate;
  return found ? Outcome() : invalid("there is no such graph node");
}

Outcome Runtime::environment(Environment* environment) {
  if (environment_ == nullptr) {
    environment_ = std::make_unique<Expected<Environment>>(Environment::read());
    if (environment_->ok() && !environment_->value().watchers.empty()) {
      WatchLog::get().begin(environment_->value());
      memory.track_written(environment_->value().watchers.has(Watcher::uninit_global));
    }
  }
  if (!environment_->ok()) return {hipErrorNotInitialized, environment_->status().message()};
  *environment = environment_->value();
  return {};
}

hipError_t& last_error() {
  return thread_last_error;
}

hipError_t finish(const char* name, const Outcome& outcome) {
  if (outcome.ok()) return hipSuccess;
  thread_last_error = outcome.code();
  if (!outcome.message().empty()) {
    fmt::print(stderr, "libmxproof_hip: {}: {}\n", name, outcome.message());
  }
  return outcome.code();
}

}  // namespace mxproof::emulator
