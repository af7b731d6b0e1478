// K is walked in chunks of 256 elements: two steps of the matrix core, one column of scale tiles.
#pragma once

namespace mxproof::gemm {

inline constexpr int kChunkBlocks = 8;
inline constexpr int kCodeBytes = 16;        ///< of one block
inline constexpr int kScaleTileBytes = 256;  ///< of 32 rows x 8 blocks

}  // namespace mxproof::gemm
