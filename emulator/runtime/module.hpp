// A code object on the device: its kernels as functions that can be launched, its variables as memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "common/status.hpp"
#include "emulator/loader/code_object.hpp"
#include "emulator/runtime/device_memory.hpp"

namespace mxproof::emulator {

class Module;

/// What a hipDeviceFunctiont points at.
struct DeviceFunction {
  const Module* module = nullptr;
  const Kernel* kernel = nullptr;
};

class Module {
 public:
  /// Loads a code object and makes its variables known to `memory`, which must outlive the module.
  static Expected<std::unique_ptr<Module>> load(std::span<const std::byte> code_object, DeviceMemory& memory);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const CodeObject& code_object() const { return code_object_; }
  /// The function of that name; nullptr when there is none.
  DeviceFunction* find(std::string_view name);
  /// True when `function` is one of this module's; it is not touched.
  bool owns(const DeviceFunction* function) const;

 private:
  Module(CodeObject code_object, DeviceMemory& memory);

  CodeObject code_object_;
  DeviceMemory& memory_;
  std::vector<DeviceFunction> functions_;  // never grows after loading: addresses are handles
  std::vector<void*> variables_;
};

}  // namespace mxproof::emulator
