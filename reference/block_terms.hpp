// The terms of one output: per block of 32 its exact dot product and its exponent.
#pragma once

#include <cstdint>
#include <vector>

#include "common/matrix.hpp"

namespace mxproof::reference {

/// T = quarters / 4 * 2^exponent, exactly.
struct BlockTerm {
  int32_t quarters = 0;  ///< Four times the dot of the code values: |quarters| <= 4608.
  int exponent = 0;      ///< eA + eB, -254..254.
};

struct OutputTerms {
  bool nan = false;               ///< Some scale byte of the two rows is 255; `blocks` is then empty.
  std::vector<BlockTerm> blocks;  ///< In ascending order along K, zero dots included.
};

/// The terms of output (row, col) of A * B^T.
OutputTerms output_terms(const Mxfp4Matrix& a, int64_t row, const Mxfp4Matrix& b, int64_t col);

/// Four times the dot product of the code values of 32 packed codes each.
int32_t dot_quarters(const uint8_t a[16], const uint8_t b[16]);

}  // namespace mxproof::reference
