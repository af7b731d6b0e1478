// Shared memory of the kernels fed by asynchronous copies. K is walked in steps of four blocks. A ring holds
// raw steps, as they lie in memory, and two stages hold the prepared one that is multiplied and the next one:
//
//   memory --copy_async--> Raw (a ring of them) --prepare--> Stage (two) --> matrix core
//                              B's codes go straight from Raw to the matrix core
//
// A work-group may have several slices: groups of waves with a part of K each, and each with its own ring and
// stages.
#pragma once

#include "common/layout/scale_32x8.hpp"
#include "optimized/gemm/chunk_size.hpp"
#include "optimized/gemm/params.hpp"
#include "optimized/matrix_core/matrix_core.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::gemm::async {

using matrix_core::kStepBlocks;
inline constexpr int kStepsPerChunk = kChunkBlocks / kStepBlocks;

/// Dwords of different rows change places, so that neither writing nor reading has bank conflicts.
__device__ inline int place_of(int g, int t) {
  return t ^ g / 2;
}

/// A step, ready for the matrix core.
template <class T>
struct Stage {
  /// Doubled values of dword t (codes 8t..8t+7) of rows g and g + 8: [row tile][block][g][place_of(g, t)].
  alignas(16) uint4 a_values[T::kRowTiles][kStepBlocks][8][4];
  float2 a_powers[T::kRowTiles][kStepBlocks][8];  ///< {row g, row g + 8}
  float2 b_powers[kStepBlocks][T::kTileN / 2];    ///< {column 2i, column 2i + 1}
};

/// B's codes of a step in `codes_16x16` order: [16 columns][block][column][16 bytes].
template <class T>
struct RawCodes {
  static constexpr int kTiles = (T::kTileN + 15) / 16;
  alignas(16) uint8_t bytes[kTiles][kStepBlocks][16][kCodeBytes];
};

/// Tiles of `scale_32x8` that cover kRows rows. A work-group with 16 rows has the upper or the lower half of
/// one.
template <int kRows>
struct RawScales {
  static constexpr int kTiles = (kRows + 31) / 32;
  static constexpr int kDwords = kTiles * kScaleTileBytes / 4;
  uint32_t dwords[kDwords];

  /// Scale of row `row` of the tiles at a block of a step.
  __device__ uint32_t byte(int row, int block, int step) const {
    const int column = step % kStepsPerChunk * kStepBlocks + block;
    return reinterpret_cast<const uint8_t*>(dwords)[Scale32x8::offset_in(row, column, kChunkBlocks)];
  }
};

/// Index of this thread among the kThreads of its slice of the work-group.
template <int kThreads>
__device__ inline int slice_thread() {
  return static_cast<int>(threadIdx.x) % kThreads;
}

/// Calls f(i, item) for this thread's items out of the kItems that its slice shares out, kUnroll of them at a
/// time. Only whole waves have an item.
template <int kItems, int kThreads, int kUnroll = kItems, class F>
__device__ inline void for_each_item(F f) {
  static_assert(kItems % platform::kLanes == 0);
#pragma unroll kUnroll
  for (int i = 0; i < (kItems + kThreads - 1) / kThreads; ++i) {
    const int item = slice_thread<kThreads>() + i * kThreads;
    if (kItems % kThreads == 0 || item < kItems) f(i, item);
  }
}

/// Starts the copy of the scale tiles of a step, rows from `first_row` (a multiple of 16) on, out of `scales`
/// with `last_tile` + 1 rows of tiles. Tiles past the last repeat it.
template <int kRows, int kThreads>
__device__ inline void copy_scales(RawScales<kRows>& raw, const uint8_t* scales, int64_t first_row,
                                   int64_t last_tile, int padded_blocks, int step) {
  constexpr int kDwordsPerTile = kScaleTileBytes / 4;
  for_each_item<RawScales<kRows>::kDwords, kThreads>([&](int /*i*/, int dword) {
    const int64_t tile = platform::smaller(first_row / 32 + dword / kDwordsPerTile, last_tile);
    platform::copy_async<4>(&raw.dwords[dword], scales + tile * 32 * padded_blocks +
                                                    step / kStepsPerChunk * kScaleTileBytes +
                                                    dword % kDwordsPerTile * 4);
  });
}

}  // namespace mxproof::gemm::async
