// Plain order, for codes and for scales. No padding.
//
//          col 0   1   2
//   row 0  [  0   1   2 ]
//   row 1  [  3   4   5 ]      offset = row * cols + col
#pragma once

#include <string_view>

#include "common/layout/extent.hpp"

namespace mxproof {

class RowMajor {
 public:
  constexpr explicit RowMajor(Extent logical) : logical_(logical) {}
  constexpr Extent logical() const { return logical_; }
  constexpr Extent padded() const { return logical_; }
  constexpr int64_t offset(Coord c) const { return c.row * logical_.cols + c.col; }
  constexpr Coord coord(int64_t offset) const { return {offset / logical_.cols, offset % logical_.cols}; }

 private:
  Extent logical_;
};

/// Codes: Extent{N, K/2} bytes.
struct CodesRowMajor : RowMajor {
  static constexpr std::string_view kName = "codes_row_major";
  using RowMajor::RowMajor;
};

/// Scales: Extent{rows, K/32} bytes.
struct ScaleRowMajor : RowMajor {
  static constexpr std::string_view kName = "scale_row_major";
  using RowMajor::RowMajor;
};

}  // namespace mxproof
