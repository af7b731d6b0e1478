// What the two scale permutations share: the argument, and which dword of which tile a thread has.
#pragma once

#include <cstdint>

#include "common/layout/scale_32x8.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof {

inline constexpr int kScaleTilesPerGroup = 4;
inline constexpr int kScaleDwords = static_cast<int>(Scale32x8::kTileBytes) / 4;  ///< of a tile
inline constexpr int kScaleThreads = kScaleTilesPerGroup * kScaleDwords;

struct ScaleParams {
  uint8_t* row_major;
  uint8_t* shuffled;
  int64_t rows;
  int64_t blocks;
  int64_t padded_blocks;
};

struct ScaleDword {
  int64_t tile_column;
  int64_t row;    ///< of byte 0; byte 1 is 16 rows further down
  int64_t block;  ///< of byte 0; byte 2 is 4 blocks further along K
  int64_t index;  ///< in the shuffled buffer
};

__device__ inline ScaleDword scale_dword(const ScaleParams& p) {
  const int in_tile = static_cast<int>(threadIdx.x) % kScaleDwords;
  const int64_t tile_column = int64_t{blockIdx.y} * kScaleTilesPerGroup + threadIdx.x / kScaleDwords;
  const int64_t row = int64_t{blockIdx.x} * Scale32x8::kTileRows + in_tile % 16;
  const int64_t block = tile_column * Scale32x8::kTileCols + in_tile / 16;
  return {tile_column, row, block, Scale32x8::offset_in(row, block, p.padded_blocks) / 4};
}

}  // namespace mxproof
