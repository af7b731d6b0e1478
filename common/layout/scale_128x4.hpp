// `scale_128x4`: block scales as cuBLASLt, CUTLASS, FlashInfer and torchao (`to_blocked`) store them.
//
// A tile is 128 rows x 4 block columns = 512 bytes; 16 bytes hold one row of each quarter of the tile:
//
//            row r        row r+32      row r+64      row r+96
//   16 bytes [ c0 c1 c2 c3 | c0 c1 c2 c3 | c0 c1 c2 c3 | c0 c1 c2 c3 ]   at (r%32)*16, r = 0..31
//
// Tiles follow one another along the columns, then along the rows.
#pragma once

#include <string_view>

#include "common/layout/extent.hpp"

namespace mxproof {

class Scale128x4 {
 public:
  static constexpr std::string_view kName = "scale_128x4";
  static constexpr int64_t kTileRows = 128;
  static constexpr int64_t kTileCols = 4;
  static constexpr int64_t kTileBytes = kTileRows * kTileCols;

  constexpr explicit Scale128x4(Extent logical)
      : logical_(logical), padded_{round_up(logical.rows, kTileRows), round_up(logical.cols, kTileCols)} {}

  constexpr Extent logical() const { return logical_; }
  constexpr Extent padded() const { return padded_; }

  constexpr int64_t offset(Coord c) const {
    const int64_t tile = c.row / kTileRows * (padded_.cols / kTileCols) + c.col / kTileCols;
    return tile * kTileBytes + c.row % 32 * 16 + c.row % kTileRows / 32 * 4 + c.col % kTileCols;
  }

  constexpr Coord coord(int64_t offset) const {
    const int64_t tiles_a_row = padded_.cols / kTileCols;
    const int64_t tile = offset / kTileBytes;
    const int64_t in_tile = offset % kTileBytes;
    return {tile / tiles_a_row * kTileRows + in_tile % 16 / 4 * 32 + in_tile / 16,
            tile % tiles_a_row * kTileCols + in_tile % 4};
  }

 private:
  Extent logical_;
  Extent padded_;
};

}  // namespace mxproof
