// Copies and fills. A synchronous call works on the legacy default stream and is refused where that would
// break a capture; an asynchronous one is enqueued.
#include <cstring>

#include <fmt/format.h>

#include "emulator/runtime/runtime.hpp"
#include "emulator/runtime/transfer_work.hpp"

using namespace mxproof::emulator;

namespace {

hipError_t transfer_now(const char* name, const Work& work) {
  return device_call(name, [&](Runtime& runtime) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(runtime.streams.allow_legacy_stream());
    MXPROOF_RETURN_IF_NOT_OK(runtime.streams.allow_unsafe_call());
    return runtime.run(work);
  });
}

hipError_t transfer_on(const char* name, hipStream_t stream, Work work) {
  return device_call(name, [&](Runtime& runtime) { return runtime.enqueue(stream, std::move(work)); });
}

Work copy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
             hipMemcpyKind kind) {
  return CopyWork{.to = {.base = to, .pitch = to_pitch},
                  .from = {.base = const_cast<void*>(from), .pitch = from_pitch},
                  .width = width,
                  .height = height,
                  .kind = kind};
}

Work fill(void* base, uint32_t value, unsigned element_size, size_t count) {
  return FillWork{.base = base, .value = value, .element_size = element_size, .width = count};
}

Work fill_2d(void* base, size_t pitch, int value, size_t width, size_t height) {
  return FillWork{
      .base = base, .pitch = pitch, .value = static_cast<uint8_t>(value), .width = width, .height = height};
}

Work fill_3d(const hipPitchedPtr& target, int value, const hipExtent& extent) {
  return FillWork{.base = target.ptr,
                  .pitch = target.pitch,
                  .slice = target.pitch * target.ysize,
                  .value = static_cast<uint8_t>(value),
                  .width = extent.width,
                  .height = extent.height,
                  .depth = extent.depth};
}

// Transfers that need a look at something else before they are work.
template <class MakeWork>
hipError_t made_transfer(const char* name, hipStream_t stream, bool is_async, MakeWork make) {
  return device_call(name, [&](Runtime& runtime) -> Outcome {
    CopyWork work;
    MXPROOF_RETURN_IF_NOT_OK(make(runtime, &work));
    if (is_async) return runtime.enqueue(stream, work);
    MXPROOF_RETURN_IF_NOT_OK(runtime.streams.allow_legacy_stream());
    return runtime.run(work);
  });
}

}  // namespace

extern "C" {

hipError_t hipMemcpy(void* to, const void* from, size_t size, hipMemcpyKind kind) {
  return transfer_now(__func__, CopyWork::linear(to, from, size, kind));
}
hipError_t hipMemcpyAsync(void* to, const void* from, size_t size, hipMemcpyKind kind, hipStream_t stream) {
  return transfer_on(__func__, stream, CopyWork::linear(to, from, size, kind));
}
hipError_t hipMemcpyWithStream(void* to, const void* from, size_t size, hipMemcpyKind kind,
                               hipStream_t stream) {
  return transfer_on(__func__, stream, CopyWork::linear(to, from, size, kind));
}
hipError_t hipMemcpyHtoD(hipDeviceptr_t to, void* from, size_t size) {
  return transfer_now(__func__, CopyWork::linear(to, from, size, hipMemcpyHostToDevice));
}
hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, size_t size) {
  return transfer_now(__func__, CopyWork::linear(to, from, size, hipMemcpyDeviceToHost));
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t size) {
  return transfer_now(__func__, CopyWork::linear(to, from, size, hipMemcpyDeviceToDevice));
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, void* from, size_t size, hipStream_t stream) {
  return transfer_on(__func__, stream, CopyWork::linear(to, from, size, hipMemcpyHostToDevice));
}
hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, size_t size, hipStream_t stream) {
  return transfer_on(__func__, stream, CopyWork::linear(to, from, size, hipMemcpyDeviceToHost));
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t size, hipStream_t stream) {
  return transfer_on(__func__, stream, CopyWork::linear(to, from, size, hipMemcpyDeviceToDevice));
}

hipError_t hipMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                       size_t height, hipMemcpyKind kind) {
  return transfer_now(__func__, copy_2d(to, to_pitch, from, from_pitch, width, height, kind));
}
hipError_t hipMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                            size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return transfer_on(__func__, stream, copy_2d(to, to_pitch, from, from_pitch, width, height, kind));
}
hipError_t hipMemcpy3D(const hipMemcpy3DParms* params) {
  return made_transfer(__func__, nullptr, false,
                       [&](Runtime&, CopyWork* work) { return copy_3d(params, work); });
}
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* params, hipStream_t stream) {
  return made_transfer(__func__, stream, true,
                       [&](Runtime&, CopyWork* work) { return copy_3d(params, work); });
}

hipError_t hipMemcpyToSymbol(const void* symbol, const void* from, size_t size, size_t offset,
                             hipMemcpyKind kind) {
  return made_transfer(__func__, nullptr, false, [&](Runtime& r, CopyWork* work) {
    return copy_to_symbol(r, symbol, from, size, offset, kind, work);
  });
}
hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* from, size_t size, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream) {
  return made_transfer(__func__, stream, true, [&](Runtime& r, CopyWork* work) {
    return copy_to_symbol(r, symbol, from, size, offset, kind, work);
  });
}
hipError_t hipMemcpyFromSymbol(void* to, const void* symbol, size_t size, size_t offset, hipMemcpyKind kind) {
  return made_transfer(__func__, nullptr, false, [&](Runtime& r, CopyWork* work) {
    return copy_from_symbol(r, to, symbol, size, offset, kind, work);
  });
}
hipError_t hipMemcpyFromSymbolAsync(void* to, const void* symbol, size_t size, size_t offset,
                                    hipMemcpyKind kind, hipStream_t stream) {
  return made_transfer(__func__, stream, true, [&](Runtime& r, CopyWork* work) {
    return copy_from_symbol(r, to, symbol, size, offset, kind, work);
  });
}

hipError_t hipMemset(void* to, int value, size_t size) {
  return transfer_now(__func__, fill(to, static_cast<uint32_t>(value), 1, size));
}
hipError_t hipMemsetAsync(void* to, int value, size_t size, hipStream_t stream) {
  return transfer_on(__func__, stream, fill(to, static_cast<uint32_t>(value), 1, size));
}
hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t count) {
  return transfer_now(__func__, fill(to, value, 1, count));
}
hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, size_t count, hipStream_t stream) {
  return transfer_on(__func__, stream, fill(to, value, 1, count));
}
hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, size_t count) {
  return transfer_now(__func__, fill(to, value, 2, count));
}
hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short value, size_t count, hipStream_t stream) {
  return transfer_on(__func__, stream, fill(to, value, 2, count));
}
hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t count) {
  return transfer_now(__func__, fill(to, static_cast<uint32_t>(value), 4, count));
}
hipError_t hipMemsetD32Async(hipDeviceptr_t to, int value, size_t count, hipStream_t stream) {
  return transfer_on(__func__, stream, fill(to, static_cast<uint32_t>(value), 4, count));
}
hipError_t hipMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return transfer_now(__func__, fill_2d(to, pitch, value, width, height));
}
hipError_t hipMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t stream) {
  return transfer_on(__func__, stream, fill_2d(to, pitch, value, width, height));
}
hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent) {
  return transfer_now(__func__, fill_3d(to, value, extent));
}
hipError_t hipMemset3DAsync(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream) {
  return transfer_on(__func__, stream, fill_3d(to, value, extent));
}

}  // extern "C"
