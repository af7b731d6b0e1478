// A chunk as the matrix core and the layouts see it.
#pragma once

#include "optimized/gemm/chunk_size.hpp"
#include "optimized/matrix_core/matrix_core.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::gemm {

inline constexpr int kSteps = kChunkBlocks / matrix_core::kStepBlocks;

/// A scale that changes nothing. Blocks past K get it together with zero codes: whatever the padding of a
/// scale buffer holds (0xff is NaN), they add +0.
inline constexpr uint32_t kNeutralScale = 0x7f;

/// Dword of a `scale_32x8` tile for block columns `block` (lower half) and `block` + 4 (upper half), with the
/// columns from `valid` on made neutral.
__device__ inline uint32_t neutral_from(uint32_t dword, int block, int valid) {
  const uint32_t low = block < valid ? dword & 0xffffu : kNeutralScale * 0x0101u;
  const uint32_t high = block + 4 < valid ? dword & 0xffff0000u : kNeutralScale * 0x01010000u;
  return low | high;
}

}  // namespace mxproof::gemm
