// What a stream or a graph node can be asked to do, as values: run at once, or kept for later.
#pragma once

#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#include "emulator/runtime/copy.hpp"
#include "emulator/runtime/kernarg.hpp"
#include "emulator/runtime/module.hpp"
#include "emulator/runtime/outcome.hpp"

namespace mxproof::emulator {

class Graph;

struct EmptyWork {};

struct KernelWork {
  const DeviceFunction* function = nullptr;
  const void* handle = nullptr;  ///< As the program named the kernel: a host address or a hipFunction_t.
  LaunchShape shape;
  std::vector<std::byte> kernarg;  ///< Packed, hidden arguments included.
};

struct HostWork {
  hipHostFn_t function = nullptr;
  void* data = nullptr;
};

struct EventRecordWork {
  hipEvent_t event = nullptr;
};

struct EventWaitWork {
  hipEvent_t event = nullptr;
};

/// A graph inside of a graph; a copy of the one that was given.
struct ChildWork {
  std::shared_ptr<Graph> graph;
};

using Work = std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, EventRecordWork, EventWaitWork,
                          ChildWork>;

}  // namespace mxproof::emulator
