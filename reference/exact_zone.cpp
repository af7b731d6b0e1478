#include "reference/exact_zone.hpp"

#include <algorithm>

namespace mxproof::reference {

bool in_exact_zone(std::span<const BlockTerm> terms) {
  int lowest = 255;
  for (const BlockTerm& t : terms) {
    if (t.quarters != 0) lowest = std::min(lowest, t.exponent);
  }
  if (lowest == 255) return true;  // every term is zero
  if (lowest < kExactZoneMinExponent || lowest > kExactZoneMaxExponent) return false;
  int64_t sum = 0;
  for (const BlockTerm& t : terms) {
    if (t.quarters == 0) continue;
    const int step = t.exponent - lowest;
    if (step > 11) return false;  // 2^12 alone is past the limit
    sum += int64_t{1} << step;
    if (sum > kExactZoneLimit) return false;
  }
  return true;
}

}  // namespace mxproof::reference
