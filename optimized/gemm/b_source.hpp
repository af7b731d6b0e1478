// Where a wave gets its columns of C, the rows of B, from: straight from memory into the registers of the
// matrix core, as no other wave of the work-group wants them.
#pragma once

#include "optimized/gemm/chunk.hpp"
#include "optimized/gemm/params.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::gemm {

/// One chunk of B for kTiles tiles of 16 columns: two steps of codes, and the scales of every pair of tiles.
template <int kTiles>
struct BChunk {
  static_assert(kTiles == 1 || kTiles % 2 == 0);
  static constexpr int kPairs = (kTiles + 1) / 2;
  matrix_core::Codes codes[kTiles][kSteps];
  matrix_core::Scales scales[kPairs];
};

/// Codes in `codes_16x16`, scales in `scale_32x8`. A wave reads 1024 contiguous bytes for a step's codes and
/// 256 for a chunk's scales.
template <int kTiles>
class ShuffledB {
 public:
  using Chunk = BChunk<kTiles>;

  /// `first_column`: a multiple of 16, and of 32 unless kTiles is 1. Tiles past N repeat the last one.
  __device__ ShuffledB(const GemmParams& p, int64_t first_column) : blocks_(p.blocks) {
    const auto first_tile = static_cast<int>(first_column / 16);
    const int last_tile = static_cast<int>(p.n / 16) - 1;
    const int first = platform::smaller(first_tile, last_tile);
    const uint8_t* codes = p.b + int64_t{first} * p.blocks * (16 * kCodeBytes);
#pragma unroll
    for (int t = 0; t < kTiles; ++t) {
      codes_[t] = codes + static_cast<uint32_t>(platform::smaller(t, last_tile - first) * p.blocks *
                                                (16 * kCodeBytes));
    }
    const uint8_t* scales = p.b_scales + int64_t{first / 2} * 32 * p.b_padded_blocks;
#pragma unroll
    for (int pair = 0; pair < Chunk::kPairs; ++pair) {
      scales_[pair] = scales + static_cast<uint32_t>(platform::smaller(pair, last_tile / 2 - first / 2) * 32 *
                                                     p.b_padded_blocks);
    }
    // A lone tile may be the lower half of its scale tile.
    scale_shift_ = kTiles == 1 ? first % 2 * 8 : 0;
  }

  /// kTail: K ends inside this chunk.
  template <bool kTail>
  __device__ void fetch(Chunk& out, int chunk) const {
    using matrix_core::kStepBlocks;
    const int valid = blocks_ - chunk * kChunkBlocks;
#pragma unroll
    for (int t = 0; t < kTiles; ++t) {
#pragma unroll
      for (int step = 0; step < kSteps; ++step) {
        const auto offset =
            static_cast<uint32_t>((chunk * kChunkBlocks + step * kStepBlocks) * 16 * kCodeBytes);
        const matrix_core::CodesSource source{codes_[t] + offset, kCodeBytes, 16 * kCodeBytes};
        out.codes[t][step] = kTail ? load_codes(source, valid - step * kStepBlocks) : load_codes(source);
      }
    }
#pragma unroll
    for (int pair = 0; pair < Chunk::kPairs; ++pair) {
      const auto offset = static_cast<uint32_t>(chunk * kScaleTileBytes);
      const auto* tile = reinterpret_cast<const uint32_t*>(scales_[pair] + offset);
      out.scales[pair] = matrix_core::load_scales([&](int i) {
        const uint32_t dword = kTail ? neutral_from(tile[i], i / 16, valid) : tile[i];
        return dword >> scale_shift_;
      });
    }
  }

 private:
  int blocks_;
  int scale_shift_;
  const uint8_t* codes_[kTiles];
  const uint8_t* scales_[Chunk::kPairs];
};

/// Codes and scales row-major. Any N: rows past it repeat the last one.
template <int kTiles>
class RowMajorB {
 public:
  using Chunk = BChunk<kTiles>;

  __device__ RowMajorB(const GemmParams& p, int64_t first_column)
      : codes_(p.b), scales_(p.b_scales), blocks_(p.blocks), last_row_(p.n - 1), first_row_(first_column) {}

  /// kTail: K ends inside this chunk.
  template <bool kTail>
  __device__ void fetch(Chunk& out, int chunk) const {
    using matrix_core::kStepBlocks;
    const int valid = blocks_ - chunk * kChunkBlocks;
#pragma unroll
    for (int t = 0; t < kTiles; ++t) {
      const int64_t row = platform::smaller(first_row_ + t * 16, last_row_);
      const auto last_row = static_cast<uint32_t>(platform::smaller(last_row_ - row, int64_t{15}));
      const uint8_t* codes = codes_ + row * blocks_ * kCodeBytes;
#pragma unroll
      for (int step = 0; step < kSteps; ++step) {
        const auto offset = static_cast<uint32_t>((chunk * kChunkBlocks + step * kStepBlocks) * kCodeBytes);
        const matrix_core::CodesSource source{codes + offset, static_cast<uint32_t>(blocks_) * kCodeBytes,
                                              kCodeBytes, last_row};
        out.codes[t][step] = kTail ? load_codes(source, valid - step * kStepBlocks) : load_codes(source);
      }
    }
#pragma unroll
    for (int pair = 0; pair < Chunk::kPairs; ++pair) {
      out.scales[pair] = matrix_core::load_scales([&](int i) {
        uint32_t dword = 0;
#pragma unroll
        for (int byte = 0; byte < 4; ++byte) {
          if (kTiles == 1 && byte % 2 == 1) continue;  // no second tile
          const int64_t row = platform::smaller(first_row_ + pair * 32 + byte % 2 * 16 + i % 16, last_row_);
          const int block = i / 16 + byte / 2 * 4;
          uint32_t scale = kNeutralScale;
          if (!kTail || block < valid)
            scale = scales_[row * blocks_ + static_cast<uint32_t>(chunk * kChunkBlocks + block)];
          dword |= scale << (8 * byte);
        }
        return dword;
      });
    }
  }

 private:
  const uint8_t* codes_;
  const uint8_t* scales_;
  int blocks_;
  int64_t last_row_;
  int64_t first_row_;
};

}  // namespace mxproof::gemm
