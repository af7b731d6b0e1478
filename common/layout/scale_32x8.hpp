// `scale_32x8`: block scales in the order in which a 64-lane wave wants them for v_mfma_scale (aiter
// e8m0_shuffle, composable_kernel, Triton CDNA4, hipBLASLt 32_8).
//
// A tile is 32 rows x 8 block columns = 256 bytes = 64 dwords; lane l of a wave reads dword l:
//
//        block column (mod 4)   0        1        2        3
//                            +--------+--------+--------+--------+
//        dwords (lanes)      | 0..15  | 16..31 | 32..47 | 48..63 |   lane = (c%4)*16 + r%16
//                            +--------+--------+--------+--------+
//
//        bytes of a dword:      byte 0     byte 1     byte 2     byte 3
//        row    (r%32)/16         0          1          0          1
//        column (c%8)/4           0          0          1          1    byte = 2*((c%8)/4) + (r%32)/16
//
// Tiles follow one another along the columns, then along the rows. op_sel picks the byte, so one load serves
// four 16x16x128 MFMAs.
#pragma once

#include <string_view>

#include "common/layout/extent.hpp"

namespace mxproof {

class Scale32x8 {
 public:
  static constexpr std::string_view kName = "scale_32x8";
  static constexpr int64_t kTileRows = 32;
  static constexpr int64_t kTileCols = 8;
  static constexpr int64_t kTileBytes = kTileRows * kTileCols;
  /// Public producers pad rows to 256; a kernel needs no more than 32.
  static constexpr int64_t kDefaultRowPadding = 256;

  constexpr explicit Scale32x8(Extent logical, int64_t row_padding = kDefaultRowPadding)
      : logical_(logical), padded_{round_up(logical.rows, row_padding), round_up(logical.cols, kTileCols)} {}

  constexpr Extent logical() const { return logical_; }
  constexpr Extent padded() const { return padded_; }

  /// Offset in a buffer whose padded row has `padded_cols` columns; usable in device code.
  static constexpr int64_t offset_in(int64_t row, int64_t col, int64_t padded_cols) {
    return row / kTileRows * kTileRows * padded_cols + col / kTileCols * kTileBytes + col % 4 * 64 +
           row % 16 * 4 + col % 8 / 4 * 2 + row % 32 / 16;
  }
  constexpr int64_t offset(Coord c) const { return offset_in(c.row, c.col, padded_.cols); }

  constexpr Coord coord(int64_t offset) const {
    const int64_t row_of_tiles_bytes = kTileRows * padded_.cols;
    const int64_t tile_row = offset / row_of_tiles_bytes;
    const int64_t tile_col = offset % row_of_tiles_bytes / kTileBytes;
    const int64_t lane = offset % kTileBytes / 4;
    const int64_t byte = offset % 4;
    return {tile_row * kTileRows + byte % 2 * 16 + lane % 16,
            tile_col * kTileCols + byte / 2 * 4 + lane / 16};
  }

 private:
  Extent logical_;
  Extent padded_;
};

}  // namespace mxproof
