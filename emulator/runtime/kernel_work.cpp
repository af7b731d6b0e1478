#include "emulator/runtime/kernel_work.hpp"

#include <utility>

#include <fmt/format.h>

#include "emulator/runtime/launcher.hpp"
#include "emulator/runtime/occupancy.hpp"

namespace mxproof::emulator {
namespace {

// The list {key, value, key, value, end} of HIP_LAUNCH_PARAM_*.
Outcome read_extra(void* const* extra, std::span<const std::byte>* buffer) {
  constexpr int kMostEntries = 8;
  const void* data = nullptr;
  const size_t* size = nullptr;
  for (int i = 0; i < kMostEntries; i += 2) {
    if (extra[i] == HIP_LAUNCH_PARAM_END) {
      if (data == nullptr || size == nullptr)
        return invalid("the launch parameters lack a buffer or its size");
      *buffer = {static_cast<const std::byte*>(data), *size};
      return {};
    }
    if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_POINTER) {
      data = extra[i + 1];
    } else if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_SIZE) {
      size = static_cast<const size_t*>(extra[i + 1]);
    } else {
      return unsupported(fmt::format("launch parameter {}", extra[i]));
    }
  }
  return invalid("the launch parameters have no end");
}

}  // namespace

Outcome make_kernel_work(Runtime& runtime, const LaunchRequest& request, KernelWork* work) {
  if (request.kernel == nullptr) return {hipErrorInvalidDeviceFunction, "the kernel is a null pointer"};
  if (request.params != nullptr && request.extra != nullptr)
    return invalid("both kernelParams and extra are given");
  MXPROOF_RETURN_IF_NOT_OK(runtime.find_function(request.kernel, &work->function));
  const Kernel& kernel = *work->function->kernel;
  if (request.dynamic_lds > kLdsBytes) {
    return invalid(fmt::format("kernel {}: {} bytes of dynamic LDS, there are {}", kernel.name,
                               request.dynamic_lds, kLdsBytes));
  }
  work->handle = request.kernel;
  work->shape = {request.grid, request.block, static_cast<uint32_t>(request.dynamic_lds)};
  MXPROOF_RETURN_IF_NOT_OK(check_shape(kernel, work->shape));
  if (request.is_cooperative) MXPROOF_RETURN_IF_NOT_OK(check_cooperative(kernel, work->shape));
  if (request.extra == nullptr) return pack_args(kernel, request.params, work->shape, &work->kernarg);
  std::span<const std::byte> buffer;
  MXPROOF_RETURN_IF_NOT_OK(read_extra(request.extra, &buffer));
  return pack_buffer(kernel, buffer, work->shape, &work->kernarg);
}

Outcome enqueue_launch(Runtime& runtime, const LaunchRequest& request, hipStream_t stream) {
  KernelWork work;
  MXPROOF_RETURN_IF_NOT_OK(make_kernel_work(runtime, request, &work));
  return runtime.enqueue(stream, std::move(work));
}

}  // namespace mxproof::emulator
