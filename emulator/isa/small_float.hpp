// The narrow floating-point formats of the chip: FP8 e4m3, BF8 e5m2, FP6 e2m3, BF6 e3m2, FP4 e2m1.
#pragma once

#include <cstdint>

#include "emulator/machine/settings.hpp"

namespace mxproof::emulator {

struct SmallFormat {
  int bits;
  int exponent_bits;
  int fraction_bits;
  int bias;
  enum class Specials : uint8_t {
    none,      ///< Every code is a number (FP6, FP4).
    nan_only,  ///< The all-ones magnitude is NaN, no Inf (OCP e4m3).
    ieee,      ///< Inf and NaN as in IEEE 754 (e5m2).
  } specials;
};

inline constexpr SmallFormat kFp8 = {8, 4, 3, 7, SmallFormat::Specials::nan_only};
inline constexpr SmallFormat kBf8 = {8, 5, 2, 15, SmallFormat::Specials::ieee};
inline constexpr SmallFormat kFp6 = {6, 2, 3, 1, SmallFormat::Specials::none};
inline constexpr SmallFormat kBf6 = {6, 3, 2, 3, SmallFormat::Specials::none};
inline constexpr SmallFormat kFp4 = {4, 2, 1, 1, SmallFormat::Specials::none};

/// The value of the code in the low bits.
double decode_small(const SmallFormat& format, uint32_t code);

/// How a value becomes a code.
struct SmallRounding {
  bool stochastic = false;
  uint32_t seed = 0;  ///< Stochastic: the fraction seed / 2^32 of a step is added before truncation.
  bool saturate =
      true;  ///< Overflow gives the largest number instead of Inf or NaN. Formats without either always do.
  NarrowNan nan = NarrowNan::signed_largest;  ///< What a NaN becomes in a format without one.
};

/// The code of a NaN in a format of `bits` bits that has none.
constexpr uint32_t narrow_nan_code(NarrowNan nan, bool negative, int bits) {
  const uint32_t sign = 1U << (bits - 1);
  const bool keeps_sign = nan == NarrowNan::signed_largest || nan == NarrowNan::signed_zero;
  const bool is_largest = nan == NarrowNan::signed_largest || nan == NarrowNan::largest;
  return (is_largest ? sign - 1 : 0) | (keeps_sign && negative ? sign : 0);
}

/// The code nearest to `value` (exact), ties to even, or rounded stochastically.
uint32_t encode_small(const SmallFormat& format, double value, const SmallRounding& rounding);

}  // namespace mxproof::emulator
