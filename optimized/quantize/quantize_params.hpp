// Argument of the quantising kernels, and its checks.
#pragma once

#include <cstdint>

#include "common/status.hpp"
#include "optimized/device_view.hpp"
#include "optimized/platform/runtime.hpp"
#include "optimized/registry/kernels.hpp"

namespace mxproof {

inline constexpr int kQuantizeRows = 4;  ///< rows of a work-group: few, so that few rows still fill a device
inline constexpr int kQuantizeBlocks = 16;  ///< blocks along K of a work-group
inline constexpr int kQuantizeThreads = kQuantizeRows * kQuantizeBlocks;

struct QuantizeParams {
  const uint16_t* a;
  int64_t a_stride;  ///< elements
  int64_t rows;
  int64_t blocks;  ///< K / 32
  uint8_t* codes;
  uint8_t* scales;
  int64_t padded_blocks;  ///< columns of the scale buffer, for scale_32x8
};

/// Checks the operands against each other; the message names the one that is wrong.
Expected<QuantizeParams> quantize_params(KernelId kernel, DeviceConstBf16 a, const DeviceCodes& codes,
                                         uint8_t* scales, Extent scale_extent);

dim3 quantize_grid(const QuantizeParams& params);

}  // namespace mxproof
