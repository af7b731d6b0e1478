// Modules: code objects loaded by the program itself.
#include <fmt/format.h>

#include <filesystem>

#include "emulator/isa/host_address.hpp"
#include "emulator/loader/fat_binary.hpp"
#include "emulator/loader/file_bytes.hpp"
#include "emulator/runtime/runtime.hpp"

using namespace mxproof;
using namespace mxproof::emulator;

namespace {

Outcome image_error(const Status& status) {
  return {status.code() == StatusCode::refused ? hipErrorNoBinaryForGpu : hipErrorInvalidImage,
          status.message()};
}

Outcome load(Runtime& runtime, const Expected<FatBinary>& binary, hipModule_t* handle) {
  if (handle == nullptr) return invalid("a null pointer for the result");
  if (!binary) return image_error(binary.status());
  const auto objects = binary->select(claimed_chip());
  if (!objects) return image_error(objects.status());
  auto loaded = std::make_unique<LoadedModule>();
  for (const std::span<const std::byte> object : *objects) {
    Expected<std::unique_ptr<Module>> part = Module::load(object, runtime.memory);
    if (!part) return image_error(part.status());
    loaded->parts.push_back(*std::move(part));
  }
  *handle = reinterpret_cast<hipModule_t>(runtime.modules.add(std::move(loaded)));
  return {};
}

Outcome load_memory(Runtime& runtime, const void* image, hipModule_t* handle) {
  if (image == nullptr) return invalid("no image");
  return load(runtime, FatBinary::parse_memory(image), handle);
}

Outcome find_module(Runtime& runtime, hipModule_t handle, LoadedModule** module) {
  *module = runtime.modules.find(handle);
  return *module != nullptr ? Outcome() : Outcome(hipErrorInvalidHandle, "there is no such module");
}

Outcome give_symbol(Runtime& runtime, const void* host, void** address, size_t* size) {
  Symbol symbol;
  MXPROOF_RETURN_IF_NOT_OK(runtime.registry.find_symbol(host, &symbol));
  if (address != nullptr) *address = symbol.address;
  if (size != nullptr) *size = symbol.size;
  return {};
}

}  // namespace

extern "C" {

hipError_t hipModuleLoad(hipModule_t* module, const char* path) {
  return device_call(__func__, [&](Runtime& runtime) -> Outcome {
    if (path == nullptr) return invalid("no file name");
    if (!std::filesystem::exists(path)) return {hipErrorFileNotFound, fmt::format("{}: not there", path)};
    const Expected<std::vector<std::byte>> bytes = read_file_bytes(path);
    if (!bytes) return {hipErrorInvalidImage, bytes.status().message()};
    return load(runtime, FatBinary::parse(*bytes), module);
  });
}

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  return device_call(__func__, [&](Runtime& runtime) { return load_memory(runtime, image, module); });
}

// Options steer a compiler; a code object is compiled already, and HIP ignores them too.
hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned, hipJitOption*, void**) {
  return device_call(__func__, [&](Runtime& runtime) { return load_memory(runtime, image, module); });
}

hipError_t hipModuleUnload(hipModule_t module) {
  return host_call(__func__, [&](Runtime& runtime) {
    return runtime.modules.remove(module) ? Outcome()
                                          : Outcome(hipErrorInvalidHandle, "there is no such module");
  });
}

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t handle, const char* name) {
  return device_call(__func__, [&](Runtime& runtime) -> Outcome {
    if (function == nullptr || name == nullptr) return invalid("a null pointer");
    LoadedModule* module = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_module(runtime, handle, &module));
    for (const auto& part : module->parts) {
      if (DeviceFunction* found = part->find(name)) {
        *function = reinterpret_cast<hipFunction_t>(found);
        return {};
      }
    }
    return {hipErrorNotFound, fmt::format("the module has no kernel {}", name)};
  });
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t* address, size_t* size, hipModule_t handle, const char* name) {
  return device_call(__func__, [&](Runtime& runtime) -> Outcome {
    if (name == nullptr) return invalid("no name");
    LoadedModule* module = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_module(runtime, handle, &module));
    for (const auto& part : module->parts) {
      if (const Variable* variable = part->code_object().find_variable(name)) {
        if (address != nullptr) *address = host(variable->address);
        if (size != nullptr) *size = variable->size;
        return {};
      }
    }
    return {hipErrorNotFound, fmt::format("the module has no variable {}", name)};
  });
}

hipError_t hipGetSymbolAddress(void** address, const void* symbol) {
  return device_call(__func__,
                     [&](Runtime& runtime) { return give_symbol(runtime, symbol, address, nullptr); });
}

hipError_t hipGetSymbolSize(size_t* size, const void* symbol) {
  return device_call(__func__, [&](Runtime& runtime) { return give_symbol(runtime, symbol, nullptr, size); });
}

hipError_t hipGetFuncBySymbol(hipFunction_t* handle, const void* symbol) {
  return device_call(__func__, [&](Runtime& runtime) -> Outcome {
    if (handle == nullptr) return invalid("a null pointer for the result");
    DeviceFunction* function = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(runtime.registry.find_function(symbol, &function));
    *handle = reinterpret_cast<hipFunction_t>(function);
    return {};
  });
}

}  // extern "C"
