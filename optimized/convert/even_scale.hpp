// The `even` scale rule on a bf16 maximum.
#pragma once

#include "optimized/platform/device.hpp"

namespace mxproof::convert {

inline constexpr uint32_t kBf16Inf = 0x7f80;
inline constexpr uint32_t kScaleNan = 0xff;

/// e8m0 byte of a block whose largest |x| has the bf16 bits `amax` (sign clear; a NaN's bits are larger than
/// Inf's and so survive the maximum).
///
/// Adding 0x200000 (a quarter of the mantissa's range) to the f32 bits carries into the exponent from 1.75
/// on; the exponent field minus 2 then puts the maximum at 4 * 2^e to 7 * 2^e. Below 2^-124 the field ends at
/// 0 (2^-127).
__device__ inline uint32_t even_scale(uint32_t amax) {
  const uint32_t field = ((amax << 16) + 0x200000u) >> 23;
  const uint32_t byte = (field > 2 ? field : 2) - 2;
  return amax >= kBf16Inf ? kScaleNan : byte;
}

}  // namespace mxproof::convert
