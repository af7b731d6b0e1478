// The one rounding of the reference: an exact number to the nearest value of a binary format, ties to even.
// Kernels have their own; sharing one would hide its mistakes.
#pragma once

#include <cstdint>

#include "common/format/bf16.hpp"
#include "common/format/f16.hpp"

namespace mxproof::reference {

/// An exact number on its way to a format: +-significand * 2^(exponent - 63), plus something smaller than the
/// last significand bit when `sticky`. Normalised: bit 63 is set, except for zero (significand 0, not
/// sticky).
struct Unrounded {
  bool negative = false;
  uint64_t significand = 0;
  int exponent = 0;  ///< The number is in [2^exponent, 2^(exponent+1)).
  bool sticky = false;
};

/// An IEEE-style binary format with subnormals, Inf and NaN.
struct BinaryFormat {
  int mantissa_bits;  ///< Stored ones, without the implicit bit.
  int exponent_bits;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int min_exponent() const { return 1 - bias(); }
  constexpr uint64_t infinity() const { return ((uint64_t{1} << exponent_bits) - 1) << mantissa_bits; }
  constexpr uint64_t sign_bit() const { return uint64_t{1} << (mantissa_bits + exponent_bits); }
};
inline constexpr BinaryFormat kBf16Format{7, 8};
inline constexpr BinaryFormat kF16Format{10, 5};
inline constexpr BinaryFormat kF32Format{23, 8};
inline constexpr BinaryFormat kF64Format{52, 11};

/// The bits of the nearest value, ties to even; past the largest finite value by half a step or more it is
/// Inf.
uint64_t round_to_nearest_even(const Unrounded& number, BinaryFormat format);

/// A finite double as an exact number.
Unrounded unrounded(double finite);

/// Roundings of a double or float, straight to the type. A NaN becomes the type's quiet NaN of the same sign.
Bf16 round_to_bf16(double value);
Half round_to_f16(double value);
float round_to_f32(double value);

}  // namespace mxproof::reference
