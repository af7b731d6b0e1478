#include "emulator/runtime/registry.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "emulator/isa/host_address.hpp"
#include "emulator/loader/fat_binary.hpp"
#include "emulator/runtime/environment.hpp"

namespace mxproof::emulator {

RegisteredBinary::~RegisteredBinary() {
  // The program may have freed it.
  for (const auto& [name, memory] : managed_) {
    const Block* block = memory_.find(memory.address);
    if (block != nullptr && block->kind == MemoryKind::managed) (void)memory_.free_device(memory.address);
  }
}

const Status& RegisteredBinary::load() {
  if (!is_loaded_) status_ = load_modules();
  is_loaded_ = true;
  return status_;
}

Status RegisteredBinary::load_modules() {
  Expected<FatBinary> binary = FatBinary::parse_wrapper(wrapper_);
  if (!binary) return binary.status();
  auto objects = binary->select(claimed_chip());
  if (!objects) return objects.status();
  for (const std::span<const std::byte> object : *objects) {
    Expected<std::unique_ptr<Module>> module = Module::load(object, memory_);
    if (!module) return module.status();
    modules_.push_back(*std::move(module));
  }
  for (const auto& [name, memory] : managed_) {
    const Variable* pointer = find_variable(name);
    if (pointer == nullptr) continue;  // a variable that no kernel uses may be gone from the code
    if (pointer->size != sizeof(memory.address))
      return Status::bad_input(fmt::format("managed variable {} has no pointer in the code", name));
    std::memcpy(host(pointer->address), static_cast<const void*>(&memory.address), sizeof(memory.address));
  }
  return {};
}

const Symbol* RegisteredBinary::find_managed(const void* address) const {
  const auto is_it = [address](const auto& item) { return item.second.address == address; };
  const auto found = std::ranges::find_if(managed_, is_it);
  return found == managed_.end() ? nullptr : &found->second;
}

DeviceFunction* RegisteredBinary::find_function(const std::string& name) {
  for (const auto& module : modules_) {
    if (DeviceFunction* function = module->find(name)) return function;
  }
  return nullptr;
}

const Variable* RegisteredBinary::find_variable(const std::string& name) {
  for (const auto& module : modules_) {
    if (const Variable* variable = module->code_object().find_variable(name)) return variable;
  }
  return nullptr;
}

RegisteredBinary* Registry::add_binary(const void* wrapper) {
  return binaries_.emplace_back(std::make_unique<RegisteredBinary>(wrapper, memory_)).get();
}

void Registry::add_function(RegisteredBinary* binary, const void* host, const char* name) {
  functions_[host] = {binary, name};
}

void Registry::add_variable(RegisteredBinary* binary, const void* host, const char* name) {
  variables_[host] = {binary, name};
}

Outcome Registry::add_managed(RegisteredBinary* binary, void** pointer, const void* initial, size_t size,
                              const char* name) {
  if (size == 0) return {};
  MXPROOF_RETURN_IF_NOT_OK(memory_.allocate(size, MemoryKind::managed, hipMemAttachGlobal, pointer));
  std::memcpy(*pointer, initial, size);
  binary->add_managed(name, {*pointer, size});
  return {};
}

void Registry::remove_binary(RegisteredBinary* binary) {
  const auto is_of = [binary](const auto& item) { return item.second.binary == binary; };
  std::erase_if(functions_, is_of);
  std::erase_if(variables_, is_of);
  std::erase_if(binaries_, [binary](const auto& item) { return item.get() == binary; });
}

namespace {

Outcome load_outcome(const Status& status) {
  if (status.ok()) return {};
  return {status.code() == StatusCode::refused ? hipErrorNoBinaryForGpu : hipErrorInvalidImage,
          status.message()};
}

}  // namespace

Outcome Registry::find_function(const void* host, DeviceFunction** function) {
  const auto found = functions_.find(host);
  if (found == functions_.end()) {
    return {hipErrorInvalidDeviceFunction, fmt::format("{} is no kernel", host)};
  }
  MXPROOF_RETURN_IF_NOT_OK(load_outcome(found->second.binary->load()));
  *function = found->second.binary->find_function(found->second.name);
  if (*function != nullptr) return {};
  return {hipErrorInvalidDeviceFunction,
          fmt::format("the code for {} has no kernel {}", claimed_chip().arch, found->second.name)};
}

Outcome Registry::find_symbol(const void* address, Symbol* symbol) {
  for (const auto& binary : binaries_) {
    if (const Symbol* managed = binary->find_managed(address)) {
      *symbol = *managed;
      return {};
    }
  }
  const auto found = variables_.find(address);
  if (found == variables_.end())
    return {hipErrorInvalidSymbol, fmt::format("{} is no device variable", address)};
  MXPROOF_RETURN_IF_NOT_OK(load_outcome(found->second.binary->load()));
  const Variable* variable = found->second.binary->find_variable(found->second.name);
  if (variable == nullptr) {
    return {hipErrorInvalidSymbol,
            fmt::format("the code for {} has no variable {}", claimed_chip().arch, found->second.name)};
  }
  *symbol = {host(variable->address), variable->size};
  return {};
}

bool Registry::owns(const DeviceFunction* function) const {
  return std::ranges::any_of(binaries_, [&](const auto& binary) {
    return std::ranges::any_of(binary->modules(), [&](const auto& module) { return module->owns(function); });
  });
}

}  // namespace mxproof::emulator
