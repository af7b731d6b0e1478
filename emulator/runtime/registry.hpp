// What the compiler registers before main(): fat binaries, and which host addresses stand for which kernels
// and variables. Code objects are loaded at the first use, so that a program pays only for what it touches.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/status.hpp"
#include "emulator/runtime/device_memory.hpp"
#include "emulator/runtime/module.hpp"

namespace mxproof::emulator {

/// A variable on the device.
struct Symbol {
  void* address = nullptr;
  size_t size = 0;
};

/// One fat binary: the device code of one translation unit, or of a whole relocatable link.
class RegisteredBinary {
 public:
  RegisteredBinary(const void* wrapper, DeviceMemory& memory) : wrapper_(wrapper), memory_(memory) {}
  ~RegisteredBinary();
  RegisteredBinary(const RegisteredBinary&) = delete;
  RegisteredBinary& operator=(const RegisteredBinary&) = delete;

  /// Loads it if that has not been tried. The status stays what it was the first time.
  const Status& load();
  DeviceFunction* find_function(const std::string& name);
  const Variable* find_variable(const std::string& name);
  /// The memory of a managed variable, which the device's code finds when it is loaded.
  void add_managed(std::string name, const Symbol& memory) { managed_.emplace_back(std::move(name), memory); }
  /// By the address of its memory; nullptr for another address.
  const Symbol* find_managed(const void* address) const;
  const std::vector<std::unique_ptr<Module>>& modules() const { return modules_; }

 private:
  Status load_modules();

  const void* wrapper_;
  DeviceMemory& memory_;
  bool is_loaded_ = false;
  Status status_;
  std::vector<std::unique_ptr<Module>> modules_;
  std::vector<std::pair<std::string, Symbol>> managed_;
};

class Registry {
 public:
  explicit Registry(DeviceMemory& memory) : memory_(memory) {}

  RegisteredBinary* add_binary(const void* wrapper);
  void add_function(RegisteredBinary* binary, const void* host, const char* name);
  void add_variable(RegisteredBinary* binary, const void* host, const char* name);
  /// A __managed__ variable: makes managed memory that holds `initial`, for the host in `*pointer`, and for
  /// the device in the variable `name` of its code, which is a pointer too.
  Outcome add_managed(RegisteredBinary* binary, void** pointer, const void* initial, size_t size,
                      const char* name);
  void remove_binary(RegisteredBinary* binary);

  /// The function that a host address stands for. Errors: hipErrorInvalidDeviceFunction for another address,
  /// hipErrorNoBinaryForGpu or hipErrorInvalidImage when its code does not load.
  Outcome find_function(const void* host, DeviceFunction** function);
  /// The same for variables; hipErrorInvalidSymbol for another address. The address of a managed variable is
  /// that of its memory.
  Outcome find_symbol(const void* address, Symbol* symbol);
  /// True when `function` is one of ours.
  bool owns(const DeviceFunction* function) const;

 private:
  struct Entry {
    RegisteredBinary* binary;
    std::string name;
  };

  DeviceMemory& memory_;
  std::vector<std::unique_ptr<RegisteredBinary>> binaries_;
  std::unordered_map<const void*, Entry> functions_;
  std::unordered_map<const void*, Entry> variables_;
};

}  // namespace mxproof::emulator
