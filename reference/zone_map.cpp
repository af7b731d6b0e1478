#include "reference/zone_map.hpp"

#include <algorithm>
#include <vector>

#include "common/format/e8m0.hpp"
#include "reference/block_terms.hpp"
#include "reference/exact_zone.hpp"

namespace mxproof::reference {
namespace {

/// Block weights 2^(e_b - lowest) of one row, zero for blocks without a non-zero code.
///
/// sum_b wA_b * wB_b is at least the zone's sum for that output: it counts blocks whose dot happens to
/// cancel, and it counts from the sum of the two lowest exponents, which is no higher than the lowest of the
/// sums.
struct RowWeights {
  std::vector<int32_t> weight;
  int lowest = 0;
  bool usable = false;  ///< Weights are at most 2^11; larger ones leave the zone or need the exact test.
  bool nan = false;
};

bool has_nonzero_code(const uint8_t* codes) {
  return std::any_of(codes, codes + 16, [](uint8_t pair) { return (pair & 0x77) != 0; });
}

RowWeights row_weights(const Mxfp4Matrix& m, int64_t row) {
  const int64_t blocks = m.cols / kBlock;
  const uint8_t* scales = m.scale_row(row);
  RowWeights result;
  result.weight.assign(static_cast<size_t>(blocks), 0);
  int lowest = 255;
  int highest = -1;
  for (int64_t b = 0; b < blocks; ++b) {
    if (e8m0_is_nan(scales[b])) {
      result.nan = true;
      return result;
    }
    if (!has_nonzero_code(m.code_row(row) + b * 16)) continue;
    result.weight[b] = 1;
    lowest = std::min<int>(lowest, scales[b]);
    highest = std::max<int>(highest, scales[b]);
  }
  if (highest < 0) {  // all codes are zero: so is every output
    result.usable = true;
    return result;
  }
  result.lowest = lowest - kE8m0Bias;
  result.usable = highest - lowest <= 11;
  if (!result.usable) return result;
  for (int64_t b = 0; b < blocks; ++b) {
    if (result.weight[b] != 0) result.weight[b] = 1 << (scales[b] - lowest);
  }
  return result;
}

std::vector<RowWeights> all_weights(const Mxfp4Matrix& m) {
  std::vector<RowWeights> rows;
  rows.reserve(static_cast<size_t>(m.rows));
  for (int64_t r = 0; r < m.rows; ++r) rows.push_back(row_weights(m, r));
  return rows;
}

/// True when the weights alone put the output inside.
bool surely_inside(const RowWeights& a, const RowWeights& b) {
  if (!a.usable || !b.usable) return false;
  int64_t sum = 0;
  for (size_t i = 0; i < a.weight.size(); ++i) sum += int64_t{a.weight[i]} * b.weight[i];
  // The lowest exponent that counts may be up to 11 + 11 above the lowest of the rows, hence the margin at
  // the top.
  const int lowest = a.lowest + b.lowest;
  return sum == 0 ||
         (sum <= kExactZoneLimit && lowest >= kExactZoneMinExponent && lowest + 22 <= kExactZoneMaxExponent);
}

}  // namespace

int64_t count_in_exact_zone(const Mxfp4Matrix& a, const Mxfp4Matrix& b) {
  const std::vector<RowWeights> rows = all_weights(a);
  const std::vector<RowWeights> cols = all_weights(b);
  int64_t inside = 0;
  for (int64_t r = 0; r < a.rows; ++r) {
    for (int64_t c = 0; c < b.rows; ++c) {
      if (rows[r].nan || cols[c].nan || surely_inside(rows[r], cols[c])) {
        ++inside;
        continue;
      }
      inside += in_exact_zone(output_terms(a, r, b, c).blocks) ? 1 : 0;
    }
  }
  return inside;
}

}  // namespace mxproof::reference
