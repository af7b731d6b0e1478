// What profilers ask of HIP's library: callbacks are refused, names are given.
#include <hip/hip_runtime_api.h>

#include "emulator/runtime/runtime.hpp"

using namespace mxproof::emulator;

namespace {

hipError_t no_callbacks(const char* name) {
  return host_call(name, [](Runtime&) { return unsupported("callbacks of profilers"); });
}

const char* kernel_name(const void* handle) {
  Runtime& runtime = Runtime::get();
  const std::scoped_lock lock(runtime.mutex);
  const DeviceFunction* function = nullptr;
  return runtime.find_function(handle, &function).ok() ? function->kernel->name.c_str() : nullptr;
}

}  // namespace

extern "C" {

hipError_t hipRegisterApiCallback(uint32_t, void*, void*) {
  return no_callbacks(__func__);
}
hipError_t hipRemoveApiCallback(uint32_t) {
  return no_callbacks(__func__);
}
hipError_t hipRegisterActivityCallback(uint32_t, void*, void*) {
  return no_callbacks(__func__);
}
hipError_t hipRemoveActivityCallback(uint32_t) {
  return no_callbacks(__func__);
}
hipError_t hipRegisterTracerCallback(const void*) {
  return no_callbacks(__func__);
}
void hipInitActivityCallback(void*, void*, void*) {
  (void)no_callbacks(__func__);
}
bool hipEnableActivityCallback(unsigned, bool) {
  return no_callbacks(__func__) == hipSuccess;
}

// Numbers of calls belong to AMD's tables, which change with the version.
const char* hipApiName(uint32_t) {
  return "unknown";
}
const char* hipGetCmdName(unsigned) {
  return "unknown";
}

const char* hipKernelNameRef(hipFunction_t function) {
  return kernel_name(function);
}
const char* hipKernelNameRefByPtr(const void* function, hipStream_t) {
  return kernel_name(function);
}

}  // extern "C"
