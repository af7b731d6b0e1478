// Launches that say more than a grid: cooperative ones, and those with a list of attributes.
#include <hip/hip_runtime_api.h>

#include <cstring>
#include <span>

#include <fmt/format.h>

#include "emulator/runtime/kernel_work.hpp"
#include "emulator/runtime/runtime.hpp"

using namespace mxproof::emulator;

namespace {

// Of HIP 7, by which newer programs are built; the headers of this library are older.
struct LaunchAttribute {
  uint32_t id;
  uint32_t padding;
  int value;  // of those attributes that are understood here
  char rest[60];
};
static_assert(sizeof(LaunchAttribute) == 72);
constexpr uint32_t kCooperative = 2;
constexpr uint32_t kPriority = 8;

struct LaunchConfigC {
  dim3 grid;
  dim3 block;
  size_t dynamic_lds;
  hipStream_t stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};

struct LaunchConfigDriver {
  unsigned grid[3];
  unsigned block[3];
  unsigned dynamic_lds;
  hipStream_t stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};

// Those that change what is computed are refused, hints are not.
Outcome read_attributes(std::span<const LaunchAttribute> attributes, LaunchRequest* request) {
  for (const LaunchAttribute& attribute : attributes) {
    if (attribute.id == kCooperative) {
      request->is_cooperative = attribute.value != 0;
    } else if (attribute.id != kPriority) {
      return unsupported(fmt::format("launch attribute {}", attribute.id));
    }
  }
  return {};
}

template <class Config>
Outcome launch_with(Runtime& runtime, const Config* config, LaunchRequest request) {
  if (config == nullptr || (config->attributes == nullptr && config->attribute_count != 0))
    return invalid("no configuration, or no attributes");
  MXPROOF_RETURN_IF_NOT_OK(read_attributes({config->attributes, config->attribute_count}, &request));
  request.dynamic_lds = config->dynamic_lds;
  return enqueue_launch(runtime, request, config->stream);
}

}  // namespace

extern "C" {

hipError_t hipLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** args,
                                      unsigned dynamic_lds, hipStream_t stream) {
  return device_call(__func__, [&](Runtime& runtime) {
    return enqueue_launch(runtime,
                          {.kernel = function,
                           .grid = sizes(grid),
                           .block = sizes(block),
                           .dynamic_lds = dynamic_lds,
                           .params = args,
                           .is_cooperative = true},
                          stream);
  });
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y,
                                            unsigned grid_z, unsigned block_x, unsigned block_y,
                                            unsigned block_z, unsigned dynamic_lds, hipStream_t stream,
                                            void** params) {
  return device_call(__func__, [&](Runtime& runtime) {
    return enqueue_launch(runtime,
                          {.kernel = function,
                           .grid = {grid_x, grid_y, grid_z},
                           .block = {block_x, block_y, block_z},
                           .dynamic_lds = dynamic_lds,
                           .params = params,
                           .is_cooperative = true},
                          stream);
  });
}

hipError_t hipLaunchKernelExC(const LaunchConfigC* config, const void* function, void** args) {
  return device_call(__func__, [&](Runtime& runtime) {
    LaunchRequest request{.kernel = function, .params = args};
    if (config != nullptr) {
      request.grid = sizes(config->grid);
      request.block = sizes(config->block);
    }
    return launch_with(runtime, config, request);
  });
}

hipError_t hipDrvLaunchKernelEx(const LaunchConfigDriver* config, hipFunction_t function, void** params,
                                void** extra) {
  return device_call(__func__, [&](Runtime& runtime) {
    LaunchRequest request{.kernel = function, .params = params, .extra = extra};
    if (config != nullptr) {
      request.grid = std::to_array(config->grid);
      request.block = std::to_array(config->block);
    }
    return launch_with(runtime, config, request);
  });
}

}  // extern "C"
