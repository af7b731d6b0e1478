// bf16 rows to MXFP4: one e8m0 scale by the `even` rule and 32 e2m1 codes, low nibble first, per block of 32
// elements along a row. Codes are x / 2^(byte-127) rounded to nearest even and saturated at +-6, sign of zero
// kept.
//
//   amax of a block            scale byte
//   0                          0
//   finite                     max(0, exponent field of (f32 bits of amax + 0x200000) - 2), at most 253
//   Inf or NaN in the block    255, and every code of the block 0
#pragma once

#include "common/status.hpp"
#include "optimized/device_view.hpp"
#include "optimized/launch.hpp"

namespace mxproof {

/// Quantises `a` [rows, K] to row-major codes [rows, K/2] and row-major scales [rows, K/32].
/// K is a multiple of 32; `a` is 16-byte aligned and its stride a multiple of 8 elements; codes are 16-byte
/// aligned.
Expected<Launch> quantize_launch(DeviceConstBf16 a, DeviceCodes codes, DeviceScales scales);

/// As quantize_launch in one pass with the shuffle: scales land in `scale_32x8`. Padding is left as it was.
Expected<Launch> quantize_shuffle_launch(DeviceConstBf16 a, DeviceCodes codes, DeviceScales32x8 scales);

}  // namespace mxproof
