// The exact product of two MXFP4 matrices, rounded.
#pragma once

#include <cstdint>

#include "common/format/bf16.hpp"
#include "common/matrix.hpp"

namespace mxproof::reference {

struct Product {
  Matrix<float> f32;             ///< Exact sums, rounded once.
  Matrix<Bf16> bf16;             ///< The f32 values, rounded once more.
  int64_t double_roundings = 0;  ///< Outputs whose bf16 differs from rounding the exact sum once.
};

/// C = A * B^T for A [M, K] and B [N, K] of the same K, a multiple of 32. NaN where a scale byte of the two
/// rows is 255. `threads` 0 means as many as the machine has. The result does not depend on it.
Product exact_product(const Mxfp4Matrix& a, const Mxfp4Matrix& b, unsigned threads);

}  // namespace mxproof::reference
