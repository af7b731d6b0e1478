// IEEE binary16 as stored.
#pragma once

#include <bit>
#include <cstdint>

namespace mxproof {

/// The bits of one f16. Widening is exact; narrowing is a rounding and therefore lives with whoever rounds.
struct Half {
  uint16_t bits = 0;

  constexpr float to_float() const {
    const uint32_t sign = uint32_t{bits & 0x8000u} << 16;
    const uint32_t magnitude = bits & 0x7fffu;
    if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    if (magnitude >= 0x0400u) return std::bit_cast<float>(sign | ((magnitude << 13) + (112u << 23)));
    // Subnormal: magnitude * 2^-24, exact in f32.
    const float value = static_cast<float>(magnitude) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(value));
  }
  constexpr bool is_nan() const { return (bits & 0x7fffu) > 0x7c00u; }
  friend constexpr bool operator==(Half, Half) = default;
};
static_assert(sizeof(Half) == 2);

}  // namespace mxproof
