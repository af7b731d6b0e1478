#include "emulator/runtime/module.hpp"

#include <algorithm>

#include "emulator/isa/host_address.hpp"
#include "emulator/runtime/environment.hpp"

namespace mxproof::emulator {

Expected<std::unique_ptr<Module>> Module::load(std::span<const std::byte> bytes, DeviceMemory& memory) {
  Expected<CodeObject> code_object = CodeObject::load(bytes, claimed_chip());
  if (!code_object) return code_object.status();
  return std::unique_ptr<Module>(new Module(*std::move(code_object), memory));
}

Module::Module(CodeObject code_object, DeviceMemory& memory)
    : code_object_(std::move(code_object)), memory_(memory) {
  for (const Kernel& kernel : code_object_.kernels()) functions_.push_back({this, &kernel});
  for (const Variable& variable : code_object_.variables()) {
    void* address = host(variable.address);
    // A second name for the same bytes overlaps and stays out; the first one covers them.
    if (variable.size > 0 &&
        memory_.add(address, variable.size, MemoryKind::variable, 0, variable.name.c_str()).ok()) {
      variables_.push_back(address);
    }
  }
}

Module::~Module() {
  for (void* variable : variables_) memory_.remove(variable, MemoryKind::variable);
}

bool Module::owns(const DeviceFunction* function) const {
  const auto is_it = [function](const DeviceFunction& mine) { return &mine == function; };
  return std::ranges::any_of(functions_, is_it);
}

DeviceFunction* Module::find(std::string_view name) {
  for (DeviceFunction& function : functions_) {
    if (function.kernel->name == name) return &function;
  }
  return nullptr;
}

}  // namespace mxproof::emulator
