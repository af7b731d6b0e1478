// What clang inserts into programs: registration before main(), and the launch configuration of <<<>>>.
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <vector>

#include <fmt/format.h>

#include "emulator/runtime/runtime.hpp"

using namespace mxproof::emulator;

namespace {

struct CallConfiguration {
  dim3 grid;
  dim3 block;
  size_t dynamic_lds;
  hipStream_t stream;
};

thread_local std::vector<CallConfiguration> configurations;

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are those that clang calls.
extern "C" {

void** __hipRegisterFatBinary(const void* wrapper) {
  Runtime& runtime = Runtime::get();
  const std::scoped_lock lock(runtime.mutex);
  return reinterpret_cast<void**>(runtime.registry.add_binary(wrapper));
}

void __hipUnregisterFatBinary(void** handle) {
  Runtime& runtime = Runtime::get();
  const std::scoped_lock lock(runtime.mutex);
  runtime.registry.remove_binary(reinterpret_cast<RegisteredBinary*>(handle));
}

void __hipRegisterFunction(void** handle, const void* host, char*, const char* name, unsigned, void*, void*,
                           void*, void*, int*) {
  Runtime& runtime = Runtime::get();
  const std::scoped_lock lock(runtime.mutex);
  runtime.registry.add_function(reinterpret_cast<RegisteredBinary*>(handle), host, name);
}

void __hipRegisterVar(void** handle, void* host, char*, char* name, int, size_t, int, int) {
  Runtime& runtime = Runtime::get();
  const std::scoped_lock lock(runtime.mutex);
  runtime.registry.add_variable(reinterpret_cast<RegisteredBinary*>(handle), host, name);
}

// These cannot return an error; using the variable, texture or surface will fail.
void __hipRegisterManagedVar(void** handle, void** pointer, void* initial, const char* name, size_t size,
                             unsigned) {
  Runtime& runtime = Runtime::get();
  const std::scoped_lock lock(runtime.mutex);
  const Outcome outcome =
      runtime.registry.add_managed(reinterpret_cast<RegisteredBinary*>(handle), pointer, initial, size, name);
  if (!outcome.ok()) fmt::print(stderr, "libmxproof_hip: managed variable {}: {}\n", name, outcome.message());
}
void __hipRegisterTexture(void**, void*, char*, char* name, int, int, int) {
  fmt::print(stderr, "libmxproof_hip: texture {}: not supported\n", name);
}
void __hipRegisterSurface(void**, void*, char*, char* name, int, int) {
  fmt::print(stderr, "libmxproof_hip: surface {}: not supported\n", name);
}

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_lds, hipStream_t stream) {
  configurations.push_back({grid, block, dynamic_lds, stream});
  return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* dynamic_lds, hipStream_t* stream) {
  if (configurations.empty()) {
    return finish(__func__, {hipErrorMissingConfiguration, "no launch configuration was pushed"});
  }
  const CallConfiguration& last = configurations.back();
  *grid = last.grid;
  *block = last.block;
  *dynamic_lds = last.dynamic_lds;
  *stream = last.stream;
  configurations.pop_back();
  return hipSuccess;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
