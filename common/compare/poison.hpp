// Poison: what output buffers are filled with before a run, so that an element nobody wrote cannot look
// right.
#pragma once

#include <bit>
#include <cstdint>

#include "common/format/bf16.hpp"

namespace mxproof {

/// Signalling NaNs: no arithmetic returns one, so finding these bits means that nothing was written.
inline constexpr Bf16 kPoisonBf16{0x7fa5};
inline constexpr uint32_t kPoisonF32Bits = 0x7fa5a5a5;
/// For buffers of bytes, where every value is legal: rare, not impossible.
inline constexpr uint8_t kPoisonByte = 0xa5;

static_assert(kPoisonBf16.is_nan() && (kPoisonBf16.bits & 0x40) == 0);
static_assert((kPoisonF32Bits & 0x7f800000) == 0x7f800000 && (kPoisonF32Bits & 0x007fffff) != 0 &&
              (kPoisonF32Bits & 0x00400000) == 0);

}  // namespace mxproof
