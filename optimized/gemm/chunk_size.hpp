// K is walked in chunks of 256 elements: two steps of the matrix core, one column of scale tiles.
#pragma once

namespace mxproof::gemm {

inline constexpr int kChunkBlocks = 8;

}  // namespace mxproof::gemm
