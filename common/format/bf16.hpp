// bfloat16 as stored: the upper half of an IEEE binary32.
#pragma once

#include <bit>
#include <cstdint>

namespace mxproof {

/// The bits of one bf16. Widening is exact; narrowing is a rounding and therefore lives with whoever rounds.
struct Bf16 {
  uint16_t bits = 0;

  constexpr float to_float() const { return std::bit_cast<float>(uint32_t{bits} << 16); }
  constexpr bool is_finite() const { return (bits & 0x7f80u) != 0x7f80u; }
  constexpr bool is_nan() const { return (bits & 0x7fffu) > 0x7f80u; }
  friend constexpr bool operator==(Bf16, Bf16) = default;
};
static_assert(sizeof(Bf16) == 2);

}  // namespace mxproof
