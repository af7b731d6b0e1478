#include "reference/zone_map.hpp"

#include <vector>

#include "reference/block_terms.hpp"
#include "reference/exact_zone.hpp"
#include "reference/row_profile.hpp"

namespace mxproof::reference {
namespace {

/// True when the weights alone put the output inside. Their sum of products is at least the zone's sum: it
/// also counts blocks whose dot cancels to zero, and it counts from the sum of the two lowest exponents,
/// which is no higher than the lowest of the sums.
bool surely_inside(const RowProfile& a, const RowProfile& b) {
  if (!a.narrow || !b.narrow) return false;
  int64_t sum = 0;
  for (size_t i = 0; i < a.weights.size(); ++i) sum += int32_t{a.weights[i]} * int32_t{b.weights[i]};
  // The lowest exponent that counts may lie as much above the lowest of the rows as these span.
  const int lowest = a.lowest + b.lowest;
  return sum == 0 || (sum <= kExactZoneLimit && lowest >= kExactZoneMinExponent &&
                      lowest + a.span + b.span <= kExactZoneMaxExponent);
}

}  // namespace

int64_t count_in_exact_zone(const Mxfp4Matrix& a, const Mxfp4Matrix& b) {
  const std::vector<RowProfile> rows = row_profiles(a);
  const std::vector<RowProfile> cols = row_profiles(b);
  int64_t inside = 0;
  for (int64_t r = 0; r < a.rows; ++r) {
    for (int64_t c = 0; c < b.rows; ++c) {
      const RowProfile& row = rows[static_cast<size_t>(r)];
      const RowProfile& col = cols[static_cast<size_t>(c)];
      const bool in =
          row.nan || col.nan || surely_inside(row, col) || in_exact_zone(output_terms(a, r, b, c).blocks);
      inside += in ? 1 : 0;
    }
  }
  return inside;
}

}  // namespace mxproof::reference
