// A fixed-point accumulator wide enough to add any block sums and f32 values without rounding.
#pragma once

#include <array>
#include <cstdint>

namespace mxproof::emulator {

/// Two's complement, bit 0 = 2^kLowestExponent. Holds |sum| < 2^430.
class ExactSum {
 public:
  static constexpr int kLowestExponent = -400;

  /// Adds significand * 2^exponent, exponent >= kLowestExponent.
  void add(__int128 significand, int exponent);
  /// Adds a finite float.
  void add(float value);

  bool is_zero() const;
  /// Rounded once to nearest even; overflow gives Inf. An exact zero is +0.
  float to_float() const;

  /// Exponent of the leading bit of |sum|; meaningless for zero.
  int leading_exponent() const;

 private:
  static constexpr int kWords = 13;
  std::array<uint64_t, kWords> words_{};

  bool negative() const { return (words_.back() >> 63) != 0; }
  std::array<uint64_t, kWords> magnitude() const;
};

}  // namespace mxproof::emulator
