// `codes_16x16`: preshuffled FP4 weights (aiter shuffle_weight with a 16x16 tile), as bytes; kb = k/2.
//
// 16 rows x 32 bytes (64 elements) form one 512-byte tile: two halves of 16 bytes a row, each stored as
// 16 consecutive rows.
//
//            kb 0..15                kb 16..31
//   row 0  [   0 ..  15 ]          [ 256 .. 271 ]
//   row 1  [  16 ..  31 ]          [ 272 .. 287 ]
//    ...
//   row 15 [ 240 .. 255 ]          [ 496 .. 511 ]
//
// Tiles follow one another along k, then along n: 16 bytes of a row are one lane's FP4 operand of a
// 16x16x128 MFMA, and 64 consecutive 16-byte pieces feed a whole wave.
#pragma once

#include <string_view>

#include "common/layout/extent.hpp"

namespace mxproof {

class Codes16x16 {
 public:
  static constexpr std::string_view kName = "codes_16x16";
  static constexpr int64_t kTileRows = 16;
  static constexpr int64_t kTileCols = 32;
  static constexpr int64_t kTileBytes = kTileRows * kTileCols;

  /// Rows must be a multiple of 16 and byte columns of 32 (K a multiple of 64): the format has no padding.
  static constexpr bool accepts(Extent logical) {
    return logical.rows % kTileRows == 0 && logical.cols % kTileCols == 0;
  }
  constexpr explicit Codes16x16(Extent logical) : logical_(logical) {}
  constexpr Extent logical() const { return logical_; }
  constexpr Extent padded() const { return logical_; }

  /// Offset in a matrix of `cols` bytes a row; usable in device code.
  static constexpr int64_t offset_in(int64_t row, int64_t col, int64_t cols) {
    return row / kTileRows * kTileRows * cols + col / kTileCols * kTileBytes + col % 32 / 16 * 256 +
           row % 16 * 16 + col % 16;
  }
  constexpr int64_t offset(Coord c) const { return offset_in(c.row, c.col, logical_.cols); }

  constexpr Coord coord(int64_t offset) const {
    const int64_t row_of_tiles_bytes = kTileRows * logical_.cols;
    const int64_t tile_row = offset / row_of_tiles_bytes;
    const int64_t tile_col = offset % row_of_tiles_bytes / kTileBytes;
    const int64_t in_tile = offset % kTileBytes;
    return {tile_row * kTileRows + in_tile % 256 / 16,
            tile_col * kTileCols + in_tile / 256 * 16 + in_tile % 16};
  }

 private:
  Extent logical_;
};

}  // namespace mxproof
