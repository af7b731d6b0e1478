// `scale_32x4`: block scales for gfx1250. A tile is 32 rows x 4 block columns = 128 bytes, itself row-major:
//
//            c0  c1  c2  c3
//   row 0  [  0   1   2   3 ]
//   row 1  [  4   5   6   7 ]
//    ...
//   row 31 [ 124 ...    127 ]
//
// Tiles follow one another along the columns, then along the rows.
#pragma once

#include <string_view>

#include "common/layout/extent.hpp"

namespace mxproof {

class Scale32x4 {
 public:
  static constexpr std::string_view kName = "scale_32x4";
  static constexpr int64_t kTileRows = 32;
  static constexpr int64_t kTileCols = 4;
  static constexpr int64_t kTileBytes = kTileRows * kTileCols;

  constexpr explicit Scale32x4(Extent logical)
      : logical_(logical), padded_{round_up(logical.rows, kTileRows), round_up(logical.cols, kTileCols)} {}

  constexpr Extent logical() const { return logical_; }
  constexpr Extent padded() const { return padded_; }

  constexpr int64_t offset(Coord c) const {
    const int64_t tile = c.row / kTileRows * (padded_.cols / kTileCols) + c.col / kTileCols;
    return tile * kTileBytes + c.row % kTileRows * kTileCols + c.col % kTileCols;
  }

  constexpr Coord coord(int64_t offset) const {
    const int64_t tiles_a_row = padded_.cols / kTileCols;
    const int64_t tile = offset / kTileBytes;
    const int64_t in_tile = offset % kTileBytes;
    return {tile / tiles_a_row * kTileRows + in_tile / kTileCols,
            tile % tiles_a_row * kTileCols + in_tile % kTileCols};
  }

 private:
  Extent logical_;
  Extent padded_;
};

}  // namespace mxproof
