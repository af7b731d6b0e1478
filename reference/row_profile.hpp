// The spread of exponents in one MXFP4 row, the basis of every proof that a cheap sum is exact.
//
// With `lowest` the smallest exponent of a block that has a non-zero code, weight_b = 2^(e_b - lowest) for
// blocks with a non-zero code and 0 for the others. Then for two rows a and b
//
//   T_b = (a multiple of 1/4 of magnitude <= 1152) * weight_a * weight_b * 2^(lowest_a + lowest_b)
//
// so every partial sum is an integer multiple of 2^(lowest_a + lowest_b - 2), at most 4608 * sum weight_a *
// weight_b of them.
#pragma once

#include <cstdint>
#include <vector>

#include "common/matrix.hpp"

namespace mxproof::reference {

/// The largest dot product of two blocks of codes, in quarters: 32 * 6 * 6 * 4.
inline constexpr int64_t kLargestQuarters = 4608;

/// Largest exponent span of a row that counts as narrow: 12 << 11 is still an int16.
inline constexpr int kNarrowSpan = 11;

struct RowProfile {
  bool nan = false;     ///< Some scale byte is 255; nothing else is set then.
  bool narrow = false;  ///< Highest minus lowest exponent is at most kNarrowSpan; weights are set only then.
  int lowest = 0;       ///< 0 when every code is zero.
  int span = 0;         ///< Highest minus lowest exponent.
  int64_t weight_sum = 0;
  std::vector<uint16_t> weights;
};

RowProfile row_profile(const Mxfp4Matrix& matrix, int64_t row);
std::vector<RowProfile> row_profiles(const Mxfp4Matrix& matrix);

/// A cheap bound on |every partial sum| of two narrow rows, in quarters of 2^(a.lowest + b.lowest).
inline int64_t partial_sum_bound(const RowProfile& a, const RowProfile& b) {
  const int64_t by_a = a.weight_sum << b.span;
  const int64_t by_b = b.weight_sum << a.span;
  return kLargestQuarters * (by_a < by_b ? by_a : by_b);
}

}  // namespace mxproof::reference
