// What the two scale permutations share: the argument, and which dwords of which tiles a thread has.
//
// A work-group has 64 threads and walks kScaleTilesPerGroup tiles of one row of tiles; thread i has dword i
// of each: rows r and r + 16, block columns c and c + 4 (common/layout/scale_32x8.hpp).
#pragma once

#include <cstdint>

#include "common/layout/scale_32x8.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof {

inline constexpr int kScaleTilesPerGroup = 4;
inline constexpr int kScaleThreads = static_cast<int>(Scale32x8::kTileBytes) / 4;

struct ScaleParams {
  uint8_t* row_major;
  uint8_t* shuffled;
  int64_t rows;
  int64_t blocks;
  int64_t padded_blocks;
};

/// Calls f(dword, row_major, exists) for each of the thread's dwords: its address in the shuffled buffer, the
/// address of its byte 0 in the row-major one, and whether byte i is data and not padding.
template <class F>
__device__ inline void for_each_scale_dword(const ScaleParams& p, F f) {
  const int thread = static_cast<int>(threadIdx.x);
  const int64_t row = int64_t{blockIdx.x} * Scale32x8::kTileRows + thread % 16;
  const int64_t first_tile = int64_t{blockIdx.y} * kScaleTilesPerGroup;
  const int64_t tiles = p.padded_blocks / Scale32x8::kTileCols;
  const int64_t end = platform::smaller(first_tile + kScaleTilesPerGroup, tiles);
  int64_t block = first_tile * Scale32x8::kTileCols + thread / 16;
  auto* dword = reinterpret_cast<uint32_t*>(p.shuffled + Scale32x8::offset_in(row, block, p.padded_blocks));
  uint8_t* row_major = p.row_major + row * p.blocks + block;
  for (int64_t tile = first_tile; tile < end; ++tile) {
    f(dword, row_major,
      [&](int byte) { return row + byte % 2 * 16 < p.rows && block + byte / 2 * 4 < p.blocks; });
    block += Scale32x8::kTileCols;
    row_major += Scale32x8::kTileCols;
    dword += kScaleThreads;
  }
}

/// Bytes from byte 0 of a dword to byte `byte`, in the row-major buffer.
__device__ inline int64_t row_major_step(const ScaleParams& p, int byte) {
  return byte % 2 * 16 * p.blocks + byte / 2 * 4;
}

}  // namespace mxproof
