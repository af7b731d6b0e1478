// Devices, contexts and versions. There is one device, and one context that is always current.
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "emulator/runtime/device_properties.hpp"
#include "emulator/runtime/runtime.hpp"

using namespace mxproof::emulator;

namespace {

constexpr int kVersion = 50'200'000;  // HIP 5.2, whose headers this library is built with
constexpr const char* kPciBusId = "0000:01:00.0";
int the_context;

Outcome find_limit(std::array<size_t, kLimits>& limits, int limit, size_t** stored) {
  if (limit < 0 || limit >= static_cast<int>(limits.size()))
    return {hipErrorUnsupportedLimit, fmt::format("limit {}", limit)};
  *stored = &limits[static_cast<size_t>(limit)];
  return {};
}

Outcome check_device(int device) {
  return device == 0 ? Outcome()
                     : Outcome(hipErrorInvalidDevice, fmt::format("device {}; there is one, 0", device));
}

template <class T>
Outcome give(T* target, T value) {
  if (target == nullptr) return invalid("a null pointer for the result");
  *target = value;
  return {};
}

Outcome give_text(char* target, int size, const char* text) {
  if (target == nullptr || size <= 0) return invalid("no room for the result");
  std::snprintf(target, static_cast<size_t>(size), "%s", text);
  return {};
}

hipCtx_t context() {
  return reinterpret_cast<hipCtx_t>(&the_context);
}

Outcome give_context(hipCtx_t* handle, int device) {
  MXPROOF_RETURN_IF_NOT_OK(check_device(device));
  return give(handle, context());
}

Outcome check_context(hipCtx_t handle) {
  return handle == context() ? Outcome() : Outcome(hipErrorInvalidContext, "there is no such context");
}

}  // namespace

extern "C" {

hipError_t hipInit(unsigned flags) {
  return device_call(__func__, [&](Runtime&) { return flags == 0 ? Outcome() : invalid("flags must be 0"); });
}

hipError_t hipDriverGetVersion(int* version) {
  return host_call(__func__, [&](Runtime&) { return give(version, kVersion); });
}

hipError_t hipRuntimeGetVersion(int* version) {
  return host_call(__func__, [&](Runtime&) { return give(version, kVersion); });
}

hipError_t hipGetDeviceCount(int* count) {
  return device_call(__func__, [&](Runtime&) { return give(count, 1); });
}

hipError_t hipSetDevice(int device) {
  return host_call(__func__, [&](Runtime&) { return check_device(device); });
}

hipError_t hipGetDevice(int* device) {
  return host_call(__func__, [&](Runtime&) { return give(device, 0); });
}

hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  return host_call(__func__, [&](Runtime&) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(check_device(ordinal));
    return give(device, 0);
  });
}

hipError_t hipDeviceGetName(char* name, int size, hipDevice_t device) {
  return host_call(__func__, [&](Runtime&) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(check_device(device));
    return give_text(name, size, claimed_chip().device_name);
  });
}

hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
  return host_call(__func__, [&](Runtime& runtime) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(check_device(device));
    return give(uuid, properties_r0600(runtime.memory.total_bytes(), claimed_chip()).uuid);
  });
}

hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  return host_call(__func__, [&](Runtime& runtime) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(check_device(device));
    const hipDeviceProp_t properties = properties_r0000(runtime.memory.total_bytes(), claimed_chip());
    MXPROOF_RETURN_IF_NOT_OK(give(major, properties.major));
    return give(minor, properties.minor);
  });
}

hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  return host_call(__func__, [&](Runtime& runtime) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(check_device(device));
    return give(bytes, size_t{runtime.memory.total_bytes()});
  });
}

hipError_t hipDeviceGetPCIBusId(char* id, int size, int device) {
  return host_call(__func__, [&](Runtime&) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(check_device(device));
    return give_text(id, size, kPciBusId);
  });
}

hipError_t hipDeviceGetByPCIBusId(int* device, const char* id) {
  return host_call(__func__, [&](Runtime&) -> Outcome {
    if (id == nullptr || std::strcmp(id, kPciBusId) != 0)
      return {hipErrorInvalidDevice, "no device on that bus"};
    return give(device, 0);
  });
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  return device_call(__func__, [&](Runtime& runtime) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(check_device(device));
    return give(properties, properties_r0000(runtime.memory.total_bytes(), claimed_chip()));
  });
}

// The same under the names of newer HIP, where the structure's version is part of the name.
hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_t* properties, int device) {
  return hipGetDeviceProperties(properties, device);
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* properties, int device) {
  return device_call(__func__, [&](Runtime& runtime) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(check_device(device));
    return give(properties, properties_r0600(runtime.memory.total_bytes(), claimed_chip()));
  });
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  return host_call(__func__, [&](Runtime& runtime) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(check_device(device));
    if (value == nullptr) return invalid("a null pointer for the result");
    if (device_attribute(attribute, runtime.memory.total_bytes(), claimed_chip(), value)) return {};
    return unsupported(fmt::format("attribute {}", static_cast<int>(attribute)));
  });
}

hipError_t hipChooseDevice(int* device, const hipDeviceProp_t* properties) {
  return host_call(__func__, [&](Runtime&) -> Outcome {
    if (properties == nullptr) return invalid("no properties given");
    return give(device, 0);
  });
}

hipError_t hipDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return host_call(__func__, [&](Runtime&) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(check_device(device));
    MXPROOF_RETURN_IF_NOT_OK(check_device(peer));
    return give(can_access, 0);
  });
}

hipError_t hipDeviceSynchronize() {
  return device_call(__func__, [](Runtime& runtime) { return runtime.streams.allow_device_wait(); });
}

hipError_t hipDeviceReset() {
  return host_call(__func__, [](Runtime& runtime) -> Outcome {
    runtime.fatal_error = hipSuccess;
    return {};
  });
}

hipError_t hipDeviceGetLimit(size_t* value, enum hipLimit_t limit) {
  return host_call(__func__, [&](Runtime& runtime) -> Outcome {
    size_t* stored = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_limit(runtime.limits, limit, &stored));
    return give(value, *stored);
  });
}
hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value) {
  return host_call(__func__, [&](Runtime& runtime) -> Outcome {
    constexpr size_t kMostStack = 128 * 1024 - 16;  // as HIP documents it
    size_t* stored = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_limit(runtime.limits, limit, &stored));
    if (limit == kStackLimit && value > kMostStack)
      return invalid(fmt::format("a stack of {} bytes; {} is the most", value, kMostStack));
    *stored = value;
    return {};
  });
}

// There is no profiler to start or stop.
hipError_t hipProfilerStart() {
  return hipSuccess;
}
hipError_t hipProfilerStop() {
  return hipSuccess;
}

hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return host_call(__func__, [&](Runtime&) -> Outcome {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = 0;
    return {};
  });
}

// Hints about caches and scheduling, which HIP ignores on AMD too.
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t) {
  return hipSuccess;
}
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
  return host_call(__func__, [&](Runtime&) { return give(config, hipFuncCachePreferNone); });
}
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig) {
  return hipSuccess;
}
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
  return host_call(__func__, [&](Runtime&) { return give(config, hipSharedMemBankSizeFourByte); });
}
hipError_t hipFuncSetCacheConfig(const void*, hipFuncCache_t) {
  return hipSuccess;
}
hipError_t hipFuncSetSharedMemConfig(const void*, hipSharedMemConfig) {
  return hipSuccess;
}
hipError_t hipSetDeviceFlags(unsigned flags) {
  return host_call(__func__, [&](Runtime&) {
    constexpr unsigned kKnown = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
    return (flags & ~kKnown) == 0 ? Outcome() : invalid("unknown device flags");
  });
}
hipError_t hipGetDeviceFlags(unsigned* flags) {
  return host_call(__func__, [&](Runtime&) { return give(flags, unsigned{hipDeviceScheduleAuto}); });
}

hipError_t hipCtxCreate(hipCtx_t* handle, unsigned, hipDevice_t device) {
  return device_call(__func__, [&](Runtime&) { return give_context(handle, device); });
}
hipError_t hipCtxDestroy(hipCtx_t handle) {
  return host_call(__func__, [&](Runtime&) { return check_context(handle); });
}
hipError_t hipCtxGetCurrent(hipCtx_t* handle) {
  return host_call(__func__, [&](Runtime&) { return give(handle, context()); });
}
hipError_t hipCtxSetCurrent(hipCtx_t handle) {
  return host_call(__func__, [&](Runtime&) { return handle == nullptr ? Outcome() : check_context(handle); });
}
hipError_t hipCtxPushCurrent(hipCtx_t handle) {
  return host_call(__func__, [&](Runtime&) { return check_context(handle); });
}
hipError_t hipCtxPopCurrent(hipCtx_t* handle) {
  return host_call(__func__, [&](Runtime&) -> Outcome {
    if (handle != nullptr) *handle = context();
    return {};
  });
}
hipError_t hipCtxGetDevice(hipDevice_t* device) {
  return host_call(__func__, [&](Runtime&) { return give(device, 0); });
}
hipError_t hipCtxSynchronize() {
  return hipDeviceSynchronize();
}
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* handle, hipDevice_t device) {
  return device_call(__func__, [&](Runtime&) { return give_context(handle, device); });
}
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return host_call(__func__, [&](Runtime&) { return check_device(device); });
}
hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned* flags, int* active) {
  return host_call(__func__, [&](Runtime&) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(check_device(device));
    MXPROOF_RETURN_IF_NOT_OK(give(flags, 0U));
    return give(active, 1);
  });
}

}  // extern "C"
