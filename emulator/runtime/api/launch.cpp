// Launching kernels, and asking about them.
#include <hip/hip_ext.h>

#include <algorithm>
#include <climits>

#include <fmt/format.h>

#include "emulator/isa/host_address.hpp"
#include "emulator/runtime/device_properties.hpp"
#include "emulator/runtime/kernel_work.hpp"
#include "emulator/runtime/occupancy.hpp"
#include "emulator/runtime/runtime.hpp"

using namespace mxproof::emulator;

namespace {

Outcome record(Runtime& runtime, hipEvent_t handle, hipStream_t stream_handle) {
  if (handle == nullptr) return {};
  Event* event = nullptr;
  Stream* stream = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(runtime.streams.find(handle, &event));
  MXPROOF_RETURN_IF_NOT_OK(runtime.streams.find(stream_handle, &stream));
  return runtime.streams.record(*event, *stream);
}

// A launch between two events, either of which may be null.
Outcome launch_between(Runtime& runtime, const LaunchRequest& request, hipStream_t stream, hipEvent_t start,
                       hipEvent_t stop) {
  MXPROOF_RETURN_IF_NOT_OK(record(runtime, start, stream));
  MXPROOF_RETURN_IF_NOT_OK(enqueue_launch(runtime, request, stream));
  return record(runtime, stop, stream);
}

hipError_t ext_module_launch(const char* name, hipFunction_t function, const std::array<uint32_t, 3>& lanes,
                             const std::array<uint32_t, 3>& block, size_t dynamic_lds, hipStream_t stream,
                             void** params, void** extra, hipEvent_t start, hipEvent_t stop, uint32_t flags) {
  return device_call(name, [&](Runtime& runtime) -> Outcome {
    if ((flags & ~static_cast<uint32_t>(hipExtAnyOrderLaunch)) != 0) return unsupported("these flags");
    LaunchRequest request{
        .kernel = function, .block = block, .dynamic_lds = dynamic_lds, .params = params, .extra = extra};
    for (size_t axis = 0; axis < 3; ++axis) {
      // Here grids count work-items, and HIP allows a last, smaller work-group.
      if (block[axis] == 0) return {hipErrorInvalidConfiguration, "a work-group size of 0"};
      if (lanes[axis] % block[axis] != 0) {
        return unsupported(fmt::format("{} work-items in work-groups of {}", lanes[axis], block[axis]));
      }
      request.grid[axis] = lanes[axis] / block[axis];
    }
    return launch_between(runtime, request, stream, start, stop);
  });
}

Outcome occupancy(Runtime& runtime, const void* handle, int threads, size_t dynamic_lds, int* groups) {
  if (groups == nullptr || threads <= 0) return invalid("a null pointer for the result, or no threads");
  const DeviceFunction* function = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(runtime.find_function(handle, &function));
  *groups = groups_per_compute_unit(*function->kernel, static_cast<uint32_t>(threads), dynamic_lds);
  return {};
}

Outcome best_block(Runtime& runtime, const void* handle, size_t dynamic_lds, int limit, int* grid,
                   int* block) {
  if (grid == nullptr || block == nullptr || limit < 0)
    return invalid("a null pointer for the result, or a limit below 0");
  const DeviceFunction* function = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(runtime.find_function(handle, &function));
  const uint32_t lanes = best_group_lanes(*function->kernel, dynamic_lds, static_cast<uint32_t>(limit));
  if (lanes == 0) return invalid(fmt::format("kernel {}: no work-group size fits", function->kernel->name));
  *block = static_cast<int>(lanes);
  *grid = claimed_chip().compute_units * groups_per_compute_unit(*function->kernel, lanes, dynamic_lds);
  return {};
}

hipFuncAttributes attributes_of(const Kernel& kernel) {
  hipFuncAttributes attributes{};
  attributes.binaryVersion = 95;  // gfx 9.5
  attributes.ptxVersion = 95;
  attributes.localSizeBytes = kernel.descriptor.private_bytes;
  attributes.sharedSizeBytes = kernel.descriptor.lds_bytes;
  attributes.maxDynamicSharedSizeBytes =
      static_cast<int>(kLdsBytes - std::min(kLdsBytes, kernel.descriptor.lds_bytes));
  attributes.maxThreadsPerBlock = static_cast<int>(std::min(kMaxGroupLanes, kernel.max_workgroup_size));
  attributes.numRegs = static_cast<int>(kernel.vgpr_count);
  return attributes;
}

}  // namespace

extern "C" {

hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** args, size_t dynamic_lds,
                           hipStream_t stream) {
  return device_call(__func__, [&](Runtime& runtime) {
    return enqueue_launch(runtime,
                          {.kernel = function,
                           .grid = sizes(grid),
                           .block = sizes(block),
                           .dynamic_lds = dynamic_lds,
                           .params = args},
                          stream);
  });
}

hipError_t hipExtLaunchKernel(const void* function, dim3 grid, dim3 block, void** args, size_t dynamic_lds,
                              hipStream_t stream, hipEvent_t start, hipEvent_t stop, int flags) {
  return device_call(__func__, [&](Runtime& runtime) -> Outcome {
    if ((flags & ~hipExtAnyOrderLaunch) != 0) return unsupported("these flags");
    return launch_between(runtime,
                          {.kernel = function,
                           .grid = sizes(grid),
                           .block = sizes(block),
                           .dynamic_lds = dynamic_lds,
                           .params = args},
                          stream, start, stop);
  });
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_lds,
                                 hipStream_t stream, void** params, void** extra) {
  return device_call(__func__, [&](Runtime& runtime) {
    return enqueue_launch(runtime,
                          {.kernel = function,
                           .grid = {grid_x, grid_y, grid_z},
                           .block = {block_x, block_y, block_z},
                           .dynamic_lds = dynamic_lds,
                           .params = params,
                           .extra = extra},
                          stream);
  });
}

hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* handle) {
  return device_call(__func__, [&](Runtime& runtime) -> Outcome {
    if (attributes == nullptr) return invalid("a null pointer for the result");
    const DeviceFunction* function = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(runtime.find_function(handle, &function));
    *attributes = attributes_of(*function->kernel);
    return {};
  });
}

hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t handle) {
  return device_call(__func__, [&](Runtime& runtime) -> Outcome {
    if (value == nullptr) return invalid("a null pointer for the result");
    const DeviceFunction* function = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(runtime.find_function(handle, &function));
    const hipFuncAttributes all = attributes_of(*function->kernel);
    switch (attribute) {
      case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = all.maxThreadsPerBlock;
        return {};
      case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = static_cast<int>(all.sharedSizeBytes);
        return {};
      case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = static_cast<int>(all.constSizeBytes);
        return {};
      case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = static_cast<int>(all.localSizeBytes);
        return {};
      case HIP_FUNC_ATTRIBUTE_NUM_REGS:
        *value = all.numRegs;
        return {};
      case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = all.ptxVersion;
        return {};
      case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = all.binaryVersion;
        return {};
      case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *value = all.cacheModeCA;
        return {};
      case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = all.maxDynamicSharedSizeBytes;
        return {};
      case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = all.preferredShmemCarveout;
        return {};
      default:
        return unsupported(fmt::format("attribute {}", static_cast<int>(attribute)));
    }
  });
}

hipError_t hipFuncSetAttribute(const void* handle, hipFuncAttribute attribute, int value) {
  return device_call(__func__, [&](Runtime& runtime) -> Outcome {
    const DeviceFunction* function = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(runtime.find_function(handle, &function));
    if (attribute == hipFuncAttributePreferredSharedMemoryCarveout) return {};  // a hint
    if (attribute != hipFuncAttributeMaxDynamicSharedMemorySize) {
      return unsupported(fmt::format("attribute {}", static_cast<int>(attribute)));
    }
    // Any launch may use all of the LDS here; what could never fit is refused.
    const int most = attributes_of(*function->kernel).maxDynamicSharedSizeBytes;
    if (value >= 0 && value <= most) return {};
    return invalid(fmt::format("kernel {}: {} bytes of dynamic LDS, at most {} are left",
                               function->kernel->name, value, most));
  });
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* groups, const void* function, int threads,
                                                        size_t dynamic_lds) {
  return device_call(__func__,
                     [&](Runtime& r) { return occupancy(r, function, threads, dynamic_lds, groups); });
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* groups, const void* function,
                                                                 int threads, size_t dynamic_lds, unsigned) {
  return device_call(__func__,
                     [&](Runtime& r) { return occupancy(r, function, threads, dynamic_lds, groups); });
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* groups, hipFunction_t function,
                                                              int threads, size_t dynamic_lds) {
  return device_call(__func__,
                     [&](Runtime& r) { return occupancy(r, function, threads, dynamic_lds, groups); });
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* groups, hipFunction_t function,
                                                                       int threads, size_t dynamic_lds,
                                                                       unsigned) {
  return device_call(__func__,
                     [&](Runtime& r) { return occupancy(r, function, threads, dynamic_lds, groups); });
}
hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* function, size_t dynamic_lds,
                                             int limit) {
  return device_call(__func__,
                     [&](Runtime& r) { return best_block(r, function, dynamic_lds, limit, grid, block); });
}
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t function,
                                                   size_t dynamic_lds, int limit) {
  return device_call(__func__,
                     [&](Runtime& r) { return best_block(r, function, dynamic_lds, limit, grid, block); });
}
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, hipFunction_t function,
                                                            size_t dynamic_lds, int limit, unsigned) {
  return device_call(__func__,
                     [&](Runtime& r) { return best_block(r, function, dynamic_lds, limit, grid, block); });
}

// hipExtModuleLaunchKernel is a C function in newer HIP and a C++ one in older: both names are exported.
hipError_t mxproof_ext_module_launch(hipFunction_t function, uint32_t lanes_x, uint32_t lanes_y,
                                     uint32_t lanes_z, uint32_t block_x, uint32_t block_y, uint32_t block_z,
                                     size_t dynamic_lds, hipStream_t stream, void** params, void** extra,
                                     hipEvent_t start, hipEvent_t stop,
                                     uint32_t flags) __asm__("hipExtModuleLaunchKernel");
hipError_t mxproof_ext_module_launch(hipFunction_t function, uint32_t lanes_x, uint32_t lanes_y,
                                     uint32_t lanes_z, uint32_t block_x, uint32_t block_y, uint32_t block_z,
                                     size_t dynamic_lds, hipStream_t stream, void** params, void** extra,
                                     hipEvent_t start, hipEvent_t stop, uint32_t flags) {
  return ext_module_launch("hipExtModuleLaunchKernel", function, {lanes_x, lanes_y, lanes_z},
                           {block_x, block_y, block_z}, dynamic_lds, stream, params, extra, start, stop,
                           flags);
}

}  // extern "C"

hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t lanes_x, uint32_t lanes_y,
                                    uint32_t lanes_z, uint32_t block_x, uint32_t block_y, uint32_t block_z,
                                    size_t dynamic_lds, hipStream_t stream, void** params, void** extra,
                                    hipEvent_t start, hipEvent_t stop, uint32_t flags) {
  return ext_module_launch(__func__, function, {lanes_x, lanes_y, lanes_z}, {block_x, block_y, block_z},
                           dynamic_lds, stream, params, extra, start, stop, flags);
}

// The older name.
hipError_t hipHccModuleLaunchKernel(hipFunction_t function, uint32_t lanes_x, uint32_t lanes_y,
                                    uint32_t lanes_z, uint32_t block_x, uint32_t block_y, uint32_t block_z,
                                    size_t dynamic_lds, hipStream_t stream, void** params, void** extra,
                                    hipEvent_t start, hipEvent_t stop) {
  return ext_module_launch(__func__, function, {lanes_x, lanes_y, lanes_z}, {block_x, block_y, block_z},
                           dynamic_lds, stream, params, extra, start, stop, 0);
}

// What hipLaunchKernelGGL called in programs older than <<<>>>; it has no way to return an error.
namespace hip_impl {
void hipLaunchKernelGGLImpl(uintptr_t function, const dim3& grid, const dim3& block, uint32_t dynamic_lds,
                            hipStream_t stream, void** extra);
void hipLaunchKernelGGLImpl(uintptr_t function, const dim3& grid, const dim3& block, uint32_t dynamic_lds,
                            hipStream_t stream, void** extra) {
  (void)device_call(__func__, [&](Runtime& runtime) {
    return enqueue_launch(runtime,
                          {.kernel = host(function),
                           .grid = sizes(grid),
                           .block = sizes(block),
                           .dynamic_lds = dynamic_lds,
                           .extra = extra},
                          stream);
  });
}
}  // namespace hip_impl
