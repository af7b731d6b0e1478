// Where a work-group gets its rows of A from. A source moves one chunk (kTileM rows x 8 blocks) into the
// stage in LDS, in two steps so that the memory's latency passes while the chunk before is multiplied:
// `fetch` loads into registers, `commit` writes them to LDS.
//
// The stage holds codes in `codes_16x16` order and scales in `scale_32x8` order: what a wave reads for one
// operand is contiguous, so neither side of LDS has a bank conflict.
//
//   codes   row tile 0                              row tile 1 ...
//           block 0: rows 0..15, 16 bytes each; block 1; ... block 7
//   scales  one 256-byte tile for each 32 rows
#pragma once

#include "common/layout/scale_32x8.hpp"
#include "optimized/convert/quantize_block.hpp"
#include "optimized/gemm/chunk.hpp"
#include "optimized/gemm/params.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::gemm {

template <int kTileM>
struct Stage {
  static constexpr int kRowTiles = kTileM / 16;
  static constexpr int kScaleTiles = (kTileM + 31) / 32;
  static constexpr int kRowTileBytes = kChunkBlocks * 16 * kCodeBytes;

  alignas(16) uint8_t codes[kRowTiles * kRowTileBytes];
  alignas(16) uint8_t scales[kScaleTiles * kScaleTileBytes];
};

/// Piece p of a chunk is one block of one row: 16 neighbouring pieces are 16 rows, 8 such groups make a row
/// tile.
struct Piece {
  int row;
  int block;
};
__device__ inline Piece piece_of(int p) {
  return {p / (16 * kChunkBlocks) * 16 + p % 16, p / 16 % kChunkBlocks};
}

/// Whether this thread's item i of `kItems`, shared out among `kThreads`, exists.
template <int kItems, int kThreads>
__device__ inline bool in_range(int i) {
  return kItems % kThreads == 0 || static_cast<int>(threadIdx.x) + i * kThreads < kItems;
}

/// Address of row `first_row` + `row` of A. Rows past the last repeat it: they compute something nobody
/// stores.
__device__ inline const uint8_t* row_address(const GemmParams& p, int64_t first_row, int row) {
  const auto last = static_cast<int>(platform::smaller(p.m - 1 - first_row, int64_t{0x7fffffff}));
  const auto existing = static_cast<uint32_t>(platform::smaller(row, last));
  return static_cast<const uint8_t*>(p.a) + first_row * p.a_stride + uint64_t{existing} * p.a_stride;
}

/// A is MXFP4 already: row-major codes and `scale_32x8` scales.
template <int kTileM, int kThreads>
class Mxfp4Source {
 public:
  using Stage = gemm::Stage<kTileM>;
  static constexpr int kPieces = kTileM * kChunkBlocks;
  static constexpr int kPiecesPerThread = (kPieces + kThreads - 1) / kThreads;
  static constexpr int kDwords = Stage::kScaleTiles * kScaleTileBytes / 4;
  static constexpr int kDwordsPerThread = (kDwords + kThreads - 1) / kThreads;

  struct Registers {
    uint4 codes[kPiecesPerThread];
    uint32_t scales[kDwordsPerThread];
  };

  __device__ Mxfp4Source(const GemmParams& p, int64_t first_row) : blocks_(p.blocks) {
#pragma unroll
    for (int i = 0; i < kPiecesPerThread; ++i) {
      const Piece piece = piece_of(work_item(i));
      codes_[i] = row_address(p, first_row, piece.row) + piece.block * kCodeBytes;
    }
    // With 16 rows a work-group, every other one has the lower half of a scale tile.
    scale_shift_ = kTileM == 16 ? static_cast<int>(first_row % 32 / 16 * 8) : 0;
    const int64_t last_tile = (p.m - 1) / 32;
#pragma unroll
    for (int i = 0; i < kDwordsPerThread; ++i) {
      const int64_t tile = platform::smaller(first_row / 32 + work_item(i) / 64, last_tile);
      scales_[i] = p.a_scales + tile * 32 * p.a_padded_blocks + work_item(i) % 64 * 4;
    }
  }

  /// kTail: K ends inside this chunk. Here and in commit.
  template <bool kTail>
  __device__ void fetch(Registers& out, int chunk) const {
    const auto code_offset = static_cast<uint32_t>(chunk * kChunkBlocks * kCodeBytes);
#pragma unroll
    for (int i = 0; i < kPiecesPerThread; ++i) {
      if (kTail) out.codes[i] = make_uint4(0, 0, 0, 0);
      if (!in_range<kPieces, kThreads>(i)) continue;
      if (kTail && piece_of(work_item(i)).block >= valid_blocks(chunk)) continue;
      out.codes[i] = *reinterpret_cast<const uint4*>(codes_[i] + code_offset);
    }
    const auto scale_offset = static_cast<uint32_t>(chunk * kScaleTileBytes);
#pragma unroll
    for (int i = 0; i < kDwordsPerThread; ++i) {
      if (!in_range<kDwords, kThreads>(i)) continue;
      out.scales[i] = *reinterpret_cast<const uint32_t*>(scales_[i] + scale_offset);
    }
  }

  template <bool kTail>
  __device__ void commit(const Registers& registers, Stage& stage, int chunk) const {
#pragma unroll
    for (int i = 0; i < kPiecesPerThread; ++i) {
      if (in_range<kPieces, kThreads>(i))
        reinterpret_cast<uint4*>(stage.codes)[work_item(i)] = registers.codes[i];
    }
#pragma unroll
    for (int i = 0; i < kDwordsPerThread; ++i) {
      if (!in_range<kDwords, kThreads>(i)) continue;
      uint32_t dword = registers.scales[i];
      if (kTail) dword = neutral_from(dword, work_item(i) % 64 / 16, valid_blocks(chunk));
      reinterpret_cast<uint32_t*>(stage.scales)[work_item(i)] = dword >> scale_shift_;
    }
  }

 private:
  __device__ static int work_item(int i) { return static_cast<int>(threadIdx.x) + i * kThreads; }
  __device__ int valid_blocks(int chunk) const { return blocks_ - chunk * kChunkBlocks; }

  int blocks_;
  int scale_shift_;
  const uint8_t* codes_[kPiecesPerThread];
  const uint8_t* scales_[kDwordsPerThread];
};

/// A is bf16: a thread quantises the blocks it moves.
template <int kTileM, int kThreads>
class Bf16Source {
 public:
  using Stage = gemm::Stage<kTileM>;
  static constexpr int kPieces = kTileM * kChunkBlocks;
  static constexpr int kPiecesPerThread = (kPieces + kThreads - 1) / kThreads;

  struct Registers {
    convert::Bf16Block blocks[kPiecesPerThread];
  };

  __device__ Bf16Source(const GemmParams& p, int64_t first_row) : blocks_(p.blocks) {
#pragma unroll
    for (int i = 0; i < kPiecesPerThread; ++i) {
      const Piece piece = piece_of(work_item(i));
      rows_[i] = row_address(p, first_row, piece.row) + piece.block * kBlockBytes;
    }
  }

  /// kTail: K ends inside this chunk.
  template <bool kTail>
  __device__ void fetch(Registers& out, int chunk) const {
    const auto offset = static_cast<uint32_t>(chunk * kChunkBlocks * kBlockBytes);
#pragma unroll
    for (int i = 0; i < kPiecesPerThread; ++i) {
      if (kTail) out.blocks[i] = {};
      if (!in_range<kPieces, kThreads>(i)) continue;
      if (kTail && piece_of(work_item(i)).block >= blocks_ - chunk * kChunkBlocks) continue;
      out.blocks[i] = convert::load_block(reinterpret_cast<const uint16_t*>(rows_[i] + offset));
    }
  }

  /// Blocks past K are zero here, so their codes are zero and their scale byte, 0, is finite: they add +0.
  template <bool kTail>
  __device__ void commit(const Registers& registers, Stage& stage, int /*chunk*/) const {
#pragma unroll
    for (int i = 0; i < kPiecesPerThread; ++i) {
      if (!in_range<kPieces, kThreads>(i)) continue;
      const convert::QuantizedBlock block = convert::quantize_block(registers.blocks[i]);
      reinterpret_cast<uint4*>(stage.codes)[work_item(i)] = block.codes;
      const Piece piece = piece_of(work_item(i));
      stage.scales[Scale32x8::offset_in(piece.row, piece.block, kChunkBlocks)] =
          static_cast<uint8_t>(block.scale);
    }
  }

 private:
  static constexpr int kBlockBytes = 32 * 2;

  __device__ static int work_item(int i) { return static_cast<int>(threadIdx.x) + i * kThreads; }

  int blocks_;
  const uint8_t* rows_[kPiecesPerThread];
};

}  // namespace mxproof::gemm
