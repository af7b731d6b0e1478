// The state of the HIP runtime in this process, and how its calls are made.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <utility>

#include "common/status.hpp"
#include "emulator/runtime/device_memory.hpp"
#include "emulator/runtime/environment.hpp"
#include "emulator/runtime/graph.hpp"
#include "emulator/runtime/handle_table.hpp"
#include "emulator/runtime/module.hpp"
#include "emulator/runtime/outcome.hpp"
#include "emulator/runtime/registry.hpp"
#include "emulator/runtime/stream.hpp"
#include "emulator/runtime/work.hpp"

namespace mxproof::emulator {

/// One module made by hipModuleLoad*: the code objects of one image.
struct LoadedModule {
  std::vector<std::unique_ptr<Module>> parts;
};

inline constexpr size_t kLimits = 3;
inline constexpr int kStackLimit = 0;  ///< hipLimitStackSize, which HIP 5's headers lack.

class Runtime {
 public:
  /// The one runtime. Never destroyed: programs unregister their kernels while the process ends.
  static Runtime& get();

  /// All calls hold this, one at a time. Recursive: host functions in streams may call HIP.
  std::recursive_mutex mutex;
  DeviceMemory memory;
  Registry registry{memory};
  Streams streams;
  HandleTable<LoadedModule> modules;
  HandleTable<Graph> graphs;
  HandleTable<GraphExec> execs;

  /// Does the work now, or captures it.
  Outcome enqueue(hipStream_t stream, Work work);
  /// Does the work now.
  Outcome run(const Work& work);
  Outcome run(const Graph& graph);

  /// A kernel by what programs name it: the address of its host stub, or a hipFunction_t.
  Outcome find_function(const void* handle, const DeviceFunction** function);
  /// A node of any graph. Errors: hipErrorInvalidValue.
  Outcome find_node(hipGraphNode_t handle, Node** node);

  /// What the environment asks for. Errors: hipErrorNotInitialized with what is wrong in it.
  Outcome environment(Environment* environment);

  /// The error that a stopped kernel left, which every later call on the device returns; hipDeviceReset
  /// forgives.
  hipError_t fatal_error = hipSuccess;
  /// By hipLimit_t of HIP 7: stack, printf and heap, at first what HIP reports. Kept for the program; there
  /// is neither a printf nor a heap on the device.
  std::array<size_t, kLimits> limits = {1024, 1 << 20, 8 << 20};

 private:
  Runtime() = default;
  std::unique_ptr<Expected<Environment>> environment_;
};

/// The calling thread's last error, for hipGetLastError.
hipError_t& last_error();

/// Prints "libmxproof_hip: NAME: MESSAGE" unless the message is empty, keeps the error, and returns the code.
hipError_t finish(const char* name, const Outcome& outcome);

/// A call that works on the host's side alone: `body` runs under the lock and returns an Outcome.
template <class Body>
hipError_t host_call(const char* name, Body&& body) {
  Runtime& runtime = Runtime::get();
  const std::scoped_lock lock(runtime.mutex);
  return finish(name, std::forward<Body>(body)(runtime));
}

/// A call that needs the device: refused after a fatal error, and when the environment is wrong.
template <class Body>
hipError_t device_call(const char* name, Body&& body) {
  return host_call(name, [&](Runtime& runtime) -> Outcome {
    if (runtime.fatal_error != hipSuccess) return {runtime.fatal_error};
    Environment environment;
    MXPROOF_RETURN_IF_NOT_OK(runtime.environment(&environment));
    return std::forward<Body>(body)(runtime);
  });
}

}  // namespace mxproof::emulator
