// Where a wave gets its columns of C, the rows of B, from, one block at a time: a dword of codes for this
// lane (matrix_core/mfma_bf16.hpp) and the scale bytes of its four columns.
#pragma once

#include "common/layout/scale_32x8.hpp"
#include "optimized/gemm/chunk_size.hpp"
#include "optimized/gemm/params.hpp"
#include "optimized/matrix_core/matrix_core.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::gemm::by_block {

/// Codes in `codes_16x16`, scales in `scale_32x8`. N is a multiple of 16; tiles past it repeat the last one.
template <int kTiles>
class ShuffledB {
 public:
  __device__ ShuffledB(const GemmParams& p, int64_t first_column) : p_(p) {
    const int lane = platform::lane_index();
#pragma unroll
    for (int t = 0; t < kTiles; ++t) {
      const int64_t tile = platform::smaller(first_column / 16 + t, p.n / 16 - 1);
      codes_[t] = p.b + tile * p.blocks * (16 * kCodeBytes) + (lane % 16 * kCodeBytes + lane / 16 * 4);
      columns_[t] = tile * 16 + lane / 16 * matrix_core::kRun;
    }
  }

  __device__ uint32_t codes(int tile, int block) const {
    return *reinterpret_cast<const uint32_t*>(codes_[tile] + static_cast<uint32_t>(block * 16 * kCodeBytes));
  }
  __device__ uint32_t scale(int tile, int i, int block) const {
    return p_.b_scales[Scale32x8::offset_in(columns_[tile] + i, block, p_.b_padded_blocks)];
  }

 private:
  const GemmParams& p_;
  const uint8_t* codes_[kTiles];
  int64_t columns_[kTiles];
};

/// Codes and scales row-major. Any N: columns past it repeat the last one.
template <int kTiles>
class RowMajorB {
 public:
  __device__ RowMajorB(const GemmParams& p, int64_t first_column) : p_(p), first_column_(first_column) {
    const int lane = platform::lane_index();
#pragma unroll
    for (int t = 0; t < kTiles; ++t) {
      codes_[t] = p.b + existing(t * 16 + lane % 16) * p.blocks * kCodeBytes + lane / 16 * 4;
    }
  }

  __device__ uint32_t codes(int tile, int block) const {
    return *reinterpret_cast<const uint32_t*>(codes_[tile] + static_cast<uint32_t>(block * kCodeBytes));
  }
  __device__ uint32_t scale(int tile, int i, int block) const {
    const int column = tile * 16 + platform::lane_index() / 16 * matrix_core::kRun + i;
    return p_.b_scales[existing(column) * p_.blocks + block];
  }

 private:
  __device__ int64_t existing(int column) const {
    return platform::smaller(first_column_ + column, p_.n - 1);
  }

  const GemmParams& p_;
  int64_t first_column_;
  const uint8_t* codes_[kTiles];
};

}  // namespace mxproof::gemm::by_block
