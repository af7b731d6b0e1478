// The fast part of the exact product: rows as int16, products as int32, no rounding anywhere until the end.
// SIMD by Highway, compiled for several instruction sets and chosen at run time; the results are the same
// bits on each.
#pragma once

#include <cstdint>
#include <span>

#include "common/format/bf16.hpp"
#include "common/matrix.hpp"
#include "reference/row_profile.hpp"

namespace mxproof::reference::simd {

/// One job: outputs [0, M) x [first_col, last_col) of A * B^T. Rows that do not fit int16, or hold a NaN
/// scale, are read as zeros; their outputs are for the caller to replace.
struct IntegerProductJob {
  const Mxfp4Matrix& a;
  const Mxfp4Matrix& b;
  std::span<const RowProfile> a_rows;
  std::span<const RowProfile> b_rows;
  int64_t first_col = 0;
  int64_t last_col = 0;
};

/// Where an integer sum s of output (row, col) stands for s * 2^(lowest_a + lowest_b - 2), these rounded to
/// f32 and from there to bf16. Right for every output with can_multiply_as_integers.
void integer_product(const IntegerProductJob& job, MatrixView<float> f32, MatrixView<Bf16> bf16);

/// Exponents for which the scaled sum is a normal f32 whatever the sum, and scaling it therefore exact.
inline constexpr int kMinLowest = -62;
inline constexpr int kMaxLowest = 48;

/// True when integer_product is exact for the output of these two rows: int16 elements, no partial sum beyond
/// int32, no subnormal or overflowing result.
inline bool can_multiply_as_integers(const RowProfile& a, const RowProfile& b) {
  const auto in_range = [](const RowProfile& row) {
    return row.lowest >= kMinLowest && row.lowest <= kMaxLowest;
  };
  return a.narrow && b.narrow && in_range(a) && in_range(b) && partial_sum_bound(a, b) <= INT32_MAX;
}

}  // namespace mxproof::reference::simd
