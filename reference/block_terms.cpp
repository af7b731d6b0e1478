#include "reference/block_terms.hpp"

#include <array>

#include "common/format/e8m0.hpp"

namespace mxproof::reference {
namespace {

/// Twice the value of each code.
constexpr std::array<int8_t, 16> kDoubled = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

}  // namespace

int32_t dot_quarters(const uint8_t a[16], const uint8_t b[16]) {
  int32_t sum = 0;
  for (int i = 0; i < 16; ++i) {
    sum += kDoubled[a[i] & 0xf] * kDoubled[b[i] & 0xf];
    sum += kDoubled[a[i] >> 4] * kDoubled[b[i] >> 4];
  }
  return sum;
}

OutputTerms output_terms(const Mxfp4Matrix& a, int64_t row, const Mxfp4Matrix& b, int64_t col) {
  const int64_t blocks = a.cols / kBlock;
  const uint8_t* sa = a.scale_row(row);
  const uint8_t* sb = b.scale_row(col);
  OutputTerms terms;
  for (int64_t i = 0; i < blocks; ++i) {
    if (e8m0_is_nan(sa[i]) || e8m0_is_nan(sb[i])) {
      terms.nan = true;
      return terms;
    }
  }
  terms.blocks.resize(static_cast<size_t>(blocks));
  for (int64_t i = 0; i < blocks; ++i) {
    terms.blocks[i] = {dot_quarters(a.code_row(row) + i * 16, b.code_row(col) + i * 16),
                       e8m0_exponent(sa[i]) + e8m0_exponent(sb[i])};
  }
  return terms;
}

}  // namespace mxproof::reference
