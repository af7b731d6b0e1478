#include "reference/row_profile.hpp"

#include <algorithm>
#include <cstring>

#include "common/format/e8m0.hpp"

namespace mxproof::reference {
namespace {

bool has_nonzero_code(const uint8_t* codes) {
  uint64_t halves[2];
  std::memcpy(halves, codes, sizeof(halves));
  return ((halves[0] | halves[1]) & 0x7777777777777777) != 0;
}

}  // namespace

RowProfile row_profile(const Mxfp4Matrix& matrix, int64_t row) {
  const int64_t blocks = matrix.cols / kBlock;
  const uint8_t* scales = matrix.scale_row(row);
  const uint8_t* codes = matrix.code_row(row);
  RowProfile profile;
  profile.nan = std::find(scales, scales + blocks, kE8m0Nan) != scales + blocks;
  if (profile.nan) return profile;

  profile.weights.assign(static_cast<size_t>(blocks), 0);
  int lowest = 255;
  int highest = -1;
  for (int64_t b = 0; b < blocks; ++b) {
    if (!has_nonzero_code(codes + b * kBlock / 2)) continue;
    profile.weights[static_cast<size_t>(b)] = 1;
    lowest = std::min<int>(lowest, scales[b]);
    highest = std::max<int>(highest, scales[b]);
  }
  profile.narrow = highest - lowest <= kNarrowSpan;
  if (highest < 0) return profile;  // nothing but zeros
  profile.lowest = lowest - kE8m0Bias;
  profile.span = highest - lowest;
  if (!profile.narrow) {
    profile.weights.clear();
    return profile;
  }
  for (int64_t b = 0; b < blocks; ++b) {
    uint16_t& weight = profile.weights[static_cast<size_t>(b)];
    if (weight != 0) weight = static_cast<uint16_t>(1 << (scales[b] - lowest));
    profile.weight_sum += weight;
  }
  return profile;
}

std::vector<RowProfile> row_profiles(const Mxfp4Matrix& matrix) {
  std::vector<RowProfile> profiles;
  profiles.reserve(static_cast<size_t>(matrix.rows));
  for (int64_t r = 0; r < matrix.rows; ++r) profiles.push_back(row_profile(matrix, r));
  return profiles;
}

}  // namespace mxproof::reference
