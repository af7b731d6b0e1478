// binary16 by integer arithmetic alone, so that every host gives the same bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace mxproof::emulator {

/// A binary16 as stored. A type of its own so that instruction functions say what their operands are.
struct Half {
  uint16_t bits = 0;
};

/// A bfloat16 as stored.
struct Brain {
  uint16_t bits = 0;
};

/// Exact. NaN payloads move to the top of the wider fraction; quietness is kept.
constexpr float half_to_float(uint16_t half) {
  const uint32_t sign = uint32_t{half & 0x8000U} << 16;
  const uint32_t magnitude = half & 0x7fffU;
  // Normal: rebias by 112. Subnormal: let an exact float subtraction normalise it (its zero is -0 while the
  // host rounds down). Inf and NaN: exponent 255.
  const uint32_t shifted = magnitude << 13;
  const uint32_t normal = shifted + (112U << 23);
  const uint32_t special = shifted + (224U << 23);
  const float subnormal = std::bit_cast<float>(shifted + (113U << 23)) - std::bit_cast<float>(113U << 23);
  const uint32_t bits = magnitude >= 0x7c00U   ? special
                        : magnitude >= 0x0400U ? normal
                                               : std::bit_cast<uint32_t>(subnormal) & 0x7fffffffU;
  return std::bit_cast<float>(bits | sign);
}

/// Rounds to nearest even; overflow to Inf; NaN quietened, upper payload kept.
constexpr uint16_t float_to_half(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000U;
  const uint32_t magnitude = bits & 0x7fffffffU;
  // Normal results: add half an ulp less one, plus the lowest kept bit; carries run into the exponent
  // rightly.
  const uint32_t normal = (magnitude - (112U << 23) + 0xfffU + ((magnitude >> 13) & 1U)) >> 13;
  // Subnormal results: adding 0.5 aligns the value so that float addition itself rounds at 2^-24.
  const uint32_t subnormal =
      std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - std::bit_cast<uint32_t>(0.5F);
  uint32_t result = magnitude < (113U << 23) ? subnormal : normal;
  result = magnitude >= 0x477ff000U ? 0x7c00U : result;
  result = magnitude > 0x7f800000U ? (0x7e00U | ((magnitude >> 13) & 0x3ffU)) : result;
  return static_cast<uint16_t>(result | sign);
}

/// Rounds a double to binary16 once, to nearest even.
constexpr uint16_t double_to_half(double value) {
  // Round to odd in float first: sticky information survives in the last bit, 13 places below what half
  // keeps.
  const float near = static_cast<float>(value);
  const double back = near;
  uint32_t bits = std::bit_cast<uint32_t>(near);
  const bool exact = back == value || value != value;
  if (!exact) {
    // `near` was rounded away from zero: step back; then set the sticky bit.
    const double magnitude = value < 0 ? -value : value;
    const double near_magnitude = back < 0 ? -back : back;
    if (near_magnitude > magnitude) bits -= 1;
    bits |= 1;
  }
  return float_to_half(std::bit_cast<float>(bits));
}

/// Rounds a double to binary16 once, in the direction that the host rounds in at the moment.
inline uint16_t half_as_host_rounds(double value) {
  constexpr double kLargest = 65504;
  if (!std::isfinite(value)) return float_to_half(static_cast<float>(value));
  const int exponent = std::max(value == 0 ? 0 : std::ilogb(value), -14);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, 10 - exponent)), exponent - 10);
  if (std::fabs(rounded) <= kLargest) return float_to_half(static_cast<float>(rounded));
  // Overflow goes to Inf unless the direction forbids it: what one more step beyond the largest rounds to
  // tells.
  const bool to_infinity =
      std::fabs(std::nearbyint(std::copysign(kLargest / 32 + 0.5, value))) > kLargest / 32;
  const uint32_t magnitude = to_infinity ? 0x7c00U : 0x7bffU;
  return static_cast<uint16_t>(magnitude | (std::signbit(value) ? 0x8000U : 0U));
}

constexpr float brain_to_float(uint16_t brain) {
  return std::bit_cast<float>(uint32_t{brain} << 16);
}

/// Rounds to nearest even; NaN quietened.
constexpr uint16_t float_to_brain(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  const bool nan = (bits & 0x7fffffffU) > 0x7f800000U;
  return static_cast<uint16_t>(nan ? (bits >> 16) | 0x40U : rounded);
}

}  // namespace mxproof::emulator
