// A second quantiser for tests, written from the definitions alone and by another method than the reference:
// bit fields and fixed-point integers, nearest code by distance.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "common/policy/quant_policy.hpp"

namespace mxproof::oracle {

/// The scale byte of a finite amax > 0 by the bit pattern of its f32.
inline uint8_t naive_scale_byte(float amax, ScaleRule rule) {
  const uint32_t bits = std::bit_cast<uint32_t>(amax);
  int e = static_cast<int>(bits >> 23) - 127;
  uint32_t fraction = bits & 0x7fffff;
  if (e == -127) {  // subnormal: shift the leading bit into the implicit place
    const int shift = std::countl_zero(fraction) - 8;
    fraction = fraction << shift & 0x7fffff;
    e = -126 - shift;
  }
  e -= 2;
  if (rule == ScaleRule::even && fraction >= 0x600000) e += 1;  // 1.75
  if (rule == ScaleRule::rceil && fraction > 0x400000) e += 1;  // 1.5
  if (rule == ScaleRule::ceil && fraction > 0) e += 1;          // 1
  if (rule == ScaleRule::floor_sixth && fraction < 0x400000) e -= 1;
  const int byte = e + 127;
  return static_cast<uint8_t>(byte < 0 ? 0 : byte > 254 ? 254 : byte);
}

/// The code of x / 2^exponent: |x| / 2^exponent as a fixed-point integer of 59 fractional bits plus a sticky
/// bit, then the nearest of the eight values by distance.
inline uint8_t naive_code(float x, int exponent, TieRule tie) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint8_t sign = bits >> 31 != 0 ? 8 : 0;
  const uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude >= 0x7f800000) return sign | 7;
  const int field = static_cast<int>(magnitude >> 23);
  const uint64_t significand = field == 0 ? magnitude : (magnitude & 0x7fffff) | 0x800000;
  const int last_bit = (field == 0 ? -149 : field - 150) - exponent;  // weight of the significand's last bit
  constexpr int kFraction = 59;
  const int shift = last_bit + kFraction;
  if (significand == 0) return sign;
  if (static_cast<int>(std::bit_width(significand)) + last_bit > 3) return sign | 7;  // 8 or more
  uint64_t fixed = 0;
  bool sticky = false;
  if (shift >= 0) {
    fixed = significand << shift;
  } else if (shift > -64) {
    fixed = significand >> -shift;
    sticky = fixed << -shift != significand;
  } else {
    sticky = true;
  }
  if (tie == TieRule::nearest_even_lossy && fixed < uint64_t{1} << kFraction) {
    fixed = fixed >> (kFraction - 23) << (kFraction - 23);
    sticky = false;
  }

  constexpr std::array<uint64_t, 8> kHalves = {0, 1, 2, 3, 4, 6, 8, 12};
  std::array<uint64_t, 8> value;
  for (int c = 0; c < 8; ++c) value[c] = kHalves[c] << (kFraction - 1);
  int below = 0;
  while (below < 7 && value[below + 1] <= fixed) ++below;
  if (below == 7 || tie == TieRule::truncate) return sign | static_cast<uint8_t>(below);
  const uint64_t down = fixed - value[below];
  const uint64_t up = value[below + 1] - fixed;
  if (down > up || (down == up && sticky)) return sign | static_cast<uint8_t>(below + 1);
  if (down < up) return sign | static_cast<uint8_t>(below);
  const bool to_larger = tie == TieRule::half_away || tie == TieRule::half_up_lossy;
  const bool to_even = tie == TieRule::nearest_even || tie == TieRule::nearest_even_lossy;
  const bool take_larger = to_larger || (to_even && below % 2 == 1);
  return sign | static_cast<uint8_t>(take_larger ? below + 1 : below);
}

}  // namespace mxproof::oracle
