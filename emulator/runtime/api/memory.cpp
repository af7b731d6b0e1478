// Allocating and asking about memory.
#include <fmt/format.h>

#include "emulator/isa/host_address.hpp"
#include "emulator/runtime/linked_hip.hpp"
#include "emulator/runtime/runtime.hpp"

using namespace mxproof::emulator;

namespace {

constexpr size_t kPitchAlignment = 256;

Outcome allocate(Runtime& runtime, void** pointer, size_t size, MemoryKind kind, unsigned flags) {
  if (pointer == nullptr) return invalid("a null pointer for the result");
  MXPROOF_RETURN_IF_NOT_OK(runtime.streams.allow_unsafe_call());
  return runtime.memory.allocate(size, kind, flags, pointer);
}

Outcome allocate_host(Runtime& runtime, void** pointer, size_t size, unsigned flags) {
  constexpr unsigned kKnown = hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined |
                              hipHostMallocNumaUser | hipHostMallocCoherent | hipHostMallocNonCoherent;
  if ((flags & ~kKnown) != 0) return invalid("unknown flags");
  return allocate(runtime, pointer, size, MemoryKind::host, flags);
}

Outcome allocate_pitched(Runtime& runtime, void** pointer, size_t* pitch, size_t width, size_t rows) {
  if (pitch == nullptr) return invalid("a null pointer for the result");
  size_t bytes = 0;
  if (__builtin_add_overflow(width, kPitchAlignment - 1, pitch)) return invalid("the width overflows");
  *pitch = *pitch / kPitchAlignment * kPitchAlignment;
  if (__builtin_mul_overflow(*pitch, rows, &bytes)) return invalid("the extent overflows");
  return allocate(runtime, pointer, bytes, MemoryKind::device, 0);
}

// Work on a stream happens at once, so these are the plain calls, refused where they would have to be
// captured.
Outcome not_captured(Runtime& runtime, hipStream_t handle) {
  Stream* stream = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(runtime.streams.find(handle, &stream));
  return stream->capture == nullptr ? Outcome() : unsupported("while the stream is being captured");
}

hipMemoryType memory_type(MemoryKind kind) {
  const bool is_host = kind == MemoryKind::host || kind == MemoryKind::registered_host;
  if (!is_hip6_program())
    return is_host || kind == MemoryKind::managed ? hipMemoryTypeHost : hipMemoryTypeDevice;
  // HIP 6: 1 host, 2 device, 3 managed.
  if (kind == MemoryKind::managed) return static_cast<hipMemoryType>(3);
  return static_cast<hipMemoryType>(is_host ? 1 : 2);
}

}  // namespace

extern "C" {

hipError_t hipMalloc(void** pointer, size_t size) {
  return device_call(__func__, [&](Runtime& r) { return allocate(r, pointer, size, MemoryKind::device, 0); });
}

hipError_t hipExtMallocWithFlags(void** pointer, size_t size, unsigned flags) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    if (flags != hipDeviceMallocDefault && flags != hipDeviceMallocFinegrained)
      return unsupported("these flags");
    return allocate(r, pointer, size, MemoryKind::device, flags);
  });
}

hipError_t hipMallocManaged(void** pointer, size_t size, unsigned flags) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    if (flags != hipMemAttachGlobal && flags != hipMemAttachHost) return invalid("unknown flags");
    return allocate(r, pointer, size, MemoryKind::managed, flags);
  });
}

hipError_t hipHostMalloc(void** pointer, size_t size, unsigned flags) {
  return device_call(__func__, [&](Runtime& r) { return allocate_host(r, pointer, size, flags); });
}
hipError_t hipHostAlloc(void** pointer, size_t size, unsigned flags) {
  return device_call(__func__, [&](Runtime& r) { return allocate_host(r, pointer, size, flags); });
}
hipError_t hipMallocHost(void** pointer, size_t size) {
  return device_call(__func__, [&](Runtime& r) { return allocate_host(r, pointer, size, 0); });
}
hipError_t hipMemAllocHost(void** pointer, size_t size) {
  return device_call(__func__, [&](Runtime& r) { return allocate_host(r, pointer, size, 0); });
}

hipError_t hipMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return device_call(__func__,
                     [&](Runtime& r) { return allocate_pitched(r, pointer, pitch, width, height); });
}
hipError_t hipMemAllocPitch(hipDeviceptr_t* pointer, size_t* pitch, size_t width, size_t height, unsigned) {
  return device_call(__func__,
                     [&](Runtime& r) { return allocate_pitched(r, pointer, pitch, width, height); });
}
hipError_t hipMalloc3D(hipPitchedPtr* pitched, hipExtent extent) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    if (pitched == nullptr) return invalid("a null pointer for the result");
    size_t rows = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return invalid("the extent overflows");
    pitched->xsize = extent.width;
    pitched->ysize = extent.height;
    return allocate_pitched(r, &pitched->ptr, &pitched->pitch, extent.width, rows);
  });
}

hipError_t hipMallocAsync(void** pointer, size_t size, hipStream_t stream) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(not_captured(r, stream));
    if (pointer == nullptr) return invalid("a null pointer for the result");
    return r.memory.allocate(size, MemoryKind::device, 0, pointer);
  });
}
hipError_t hipFreeAsync(void* pointer, hipStream_t stream) {
  return host_call(__func__, [&](Runtime& r) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(not_captured(r, stream));
    return r.memory.free_device(pointer);
  });
}

hipError_t hipFree(void* pointer) {
  return host_call(__func__, [&](Runtime& r) { return r.memory.free_device(pointer); });
}
hipError_t hipHostFree(void* pointer) {
  return host_call(__func__, [&](Runtime& r) { return r.memory.free_host(pointer); });
}
hipError_t hipFreeHost(void* pointer) {
  return host_call(__func__, [&](Runtime& r) { return r.memory.free_host(pointer); });
}

hipError_t hipHostRegister(void* pointer, size_t size, unsigned flags) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    constexpr unsigned kKnown =
        hipHostRegisterPortable | hipHostRegisterMapped | hipExtHostRegisterCoarseGrained;
    if ((flags & ~kKnown) != 0) return unsupported("these flags");
    if (pointer == nullptr || size == 0) return invalid("nothing to register");
    if (r.memory.find(pointer) != nullptr) return {hipErrorHostMemoryAlreadyRegistered, "registered already"};
    return r.memory.add(pointer, size, MemoryKind::registered_host, flags, "hipHostRegister");
  });
}
hipError_t hipHostUnregister(void* pointer) {
  return host_call(__func__, [&](Runtime& r) -> Outcome {
    if (r.memory.remove(pointer, MemoryKind::registered_host)) return {};
    return {hipErrorHostMemoryNotRegistered, "not registered"};
  });
}

hipError_t hipHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return host_call(__func__, [&](Runtime& r) -> Outcome {
    if (device == nullptr || flags != 0) return invalid("a null pointer for the result, or flags");
    const Block* block = r.memory.find(host);
    if (block == nullptr || block->kind == MemoryKind::device || block->kind == MemoryKind::variable) {
      return invalid(fmt::format("{} is no pinned host memory", host));
    }
    *device = host;
    return {};
  });
}
hipError_t hipHostGetFlags(unsigned* flags, void* host) {
  return host_call(__func__, [&](Runtime& r) -> Outcome {
    const Block* block = r.memory.find(host);
    if (flags == nullptr || block == nullptr || block->kind != MemoryKind::host)
      return invalid("not from hipHostMalloc");
    *flags = block->flags;
    return {};
  });
}

hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    if (free != nullptr) *free = r.memory.free_bytes();
    if (total != nullptr) *total = r.memory.total_bytes();
    return {};
  });
}

// Programs ask this to learn whether a pointer is HIP's at all: no message.
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
  return host_call(__func__, [&](Runtime& r) -> Outcome {
    const Block* block = r.memory.find(pointer);
    if (attributes == nullptr || block == nullptr) return {hipErrorInvalidValue};
    const bool is_hosts = block->kind != MemoryKind::device && block->kind != MemoryKind::variable;
    *attributes = {};
    attributes->memoryType = memory_type(block->kind);
    attributes->devicePointer = const_cast<void*>(pointer);
    attributes->hostPointer = is_hosts ? const_cast<void*>(pointer) : nullptr;
    attributes->isManaged = block->kind == MemoryKind::managed;
    attributes->allocationFlags = block->flags;
    return {};
  });
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* size, hipDeviceptr_t pointer) {
  return host_call(__func__, [&](Runtime& r) -> Outcome {
    const Block* block = r.memory.find(pointer);
    if (block == nullptr) return {hipErrorNotFound, fmt::format("{} is in no allocation", pointer)};
    if (base != nullptr) *base = host(block->base);
    if (size != nullptr) *size = block->size;
    return {};
  });
}
hipError_t hipMemPtrGetInfo(void* pointer, size_t* size) {
  return hipMemGetAddressRange(nullptr, size, pointer);
}

// Where managed memory lives is all one here.
hipError_t hipMemAdvise(const void*, size_t, hipMemoryAdvise, int) {
  return hipSuccess;
}
hipError_t hipMemPrefetchAsync(const void*, size_t, int, hipStream_t) {
  return hipSuccess;
}

}  // extern "C"
