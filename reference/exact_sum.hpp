// ExactSum: a fixed-point register wide enough for every sum of scaled FP4 products, so that nothing is ever
// rounded before the end.
//
//   bit 0 stands for 2^-256, the quarter unit of the smallest product of scales (2^-254 / 4)
//   a term is below 2^(254 + 11), and 2^33 of them fit below the sign bit:
//
//   word   8         7                ...               1         0
//        +---------+---------+-----------------------+---------+---------+
//        | s       |                                 |         |         |   576 bits, two's complement
//        +---------+---------+-----------------------+---------+---------+
//        2^319                                                       2^-256
#pragma once

#include <array>
#include <cstdint>

#include "reference/round.hpp"

namespace mxproof::reference {

class ExactSum {
 public:
  static constexpr int kWords = 9;
  static constexpr int kLowestExponent = -256;

  /// Adds value * 2^exponent. The exponent is at least -256 and the term's magnitude below 2^270.
  void add(int64_t value, int exponent);

  /// Adds a finite f32, whose last bit (2^-149) always lies inside the register.
  void add(float finite);

  bool is_zero() const;
  bool is_negative() const { return (words_[kWords - 1] >> 63) != 0; }

  /// The sum, normalised to 64 bits and a sticky bit.
  Unrounded unrounded() const;

  /// Rounded once. Zero is +0.
  float to_f32() const;
  double to_f64() const;
  Bf16 to_bf16() const;
  Half to_f16() const;

 private:
  std::array<uint64_t, kWords> words_{};
};

}  // namespace mxproof::reference
