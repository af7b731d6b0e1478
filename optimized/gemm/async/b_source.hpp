// Where a work-group gets its columns of C, the rows of B, from. As a_source.hpp; the codes stay raw, and
// only the scales are prepared. Columns past N repeat existing ones.
#pragma once

#include "optimized/gemm/async/stage.hpp"

namespace mxproof::gemm::async {

/// Enters the scale byte n of a column.
template <class T>
__device__ inline void set_column_power(Stage<T>& stage, int column, int block, uint32_t n) {
  reinterpret_cast<float*>(&stage.b_powers[block][0])[column] = matrix_core::column_power(n);
}

/// Codes in `codes_16x16`, scales in `scale_32x8`.
template <class T>
class ShuffledB {
 public:
  struct Raw {
    RawCodes<T> codes;
    RawScales<T::kTileN> scales;
  };

  __device__ ShuffledB(const GemmParams& p, int64_t first_column, int /*first_step*/)
      : p_(p), first_column_(first_column) {
    static_assert(T::kTileN % 16 == 0);
    for_each_item<kPieces, T::kSliceThreads>([&](int i, int piece) {
      const int64_t tile = platform::smaller(first_column / 16 + piece / kTilePieces, p.n / 16 - 1);
      pieces_[i] = p.b + tile * p.blocks * (16 * kCodeBytes) + piece % kTilePieces * kCodeBytes;
    });
  }

  __device__ void copy(Raw& raw, int step) const {
    for_each_item<kPieces, T::kSliceThreads>([&](int i, int piece) {
      if (step * kStepBlocks + piece % kTilePieces / 16 >= p_.blocks) return;
      platform::copy_async<16>(&raw.codes.bytes[0][0][0][0] + piece * kCodeBytes,
                               pieces_[i] + step * (kTilePieces * kCodeBytes));
    });
    copy_scales<T::kTileN, T::kSliceThreads>(raw.scales, p_.b_scales, first_column_, (p_.n - 1) / 32,
                                             p_.b_padded_blocks, step);
  }

  __device__ void prepare(const Raw& raw, Stage<T>& stage, int step) {
    const auto first_in_tile = static_cast<int>(first_column_ % 32);
    for_each_item<T::kTileN * kStepBlocks, T::kSliceThreads>([&](int /*i*/, int item) {
      const int column = item % T::kTileN;
      const int block = item / T::kTileN;
      set_column_power(stage, column, block, raw.scales.byte(first_in_tile + column, block, step));
    });
  }

 private:
  static constexpr int kTilePieces = kStepBlocks * 16;  ///< pieces of 16 bytes of 16 columns
  static constexpr int kPieces = T::kTileN * kStepBlocks;

  const GemmParams& p_;
  int64_t first_column_;
  const uint8_t* pieces_[(kPieces + T::kSliceThreads - 1) / T::kSliceThreads];
};

/// Codes and scales row-major. Any N. Rows of scales have no alignment, so that they cannot be copied; they
/// are loaded into registers one step ahead.
template <class T>
class RowMajorB {
 public:
  struct Raw {
    RawCodes<T> codes;
  };

  __device__ RowMajorB(const GemmParams& p, int64_t first_column, int first_step)
      : p_(p), first_column_(first_column) {
    for_each_item<kPieces, T::kSliceThreads>([&](int i, int piece) {
      pieces_[i] =
          p.b + row_of(piece / kStepBlocks) * p.blocks * kCodeBytes + piece % kStepBlocks * kCodeBytes;
    });
    load_scales(first_step);
  }

  __device__ void copy(Raw& raw, int step) const {
    for_each_item<kPieces, T::kSliceThreads>([&](int i, int piece) {
      const int block = piece % kStepBlocks;
      const int column = piece / kStepBlocks;
      if (step * kStepBlocks + block >= p_.blocks) return;
      platform::copy_async<16>(raw.codes.bytes[column / 16][block][column % 16],
                               pieces_[i] + step * (kStepBlocks * kCodeBytes));
    });
  }

  /// Steps come in ascending order, from `first_step` on.
  __device__ void prepare(const Raw& /*raw*/, Stage<T>& stage, int step) {
    for_each_item<kPieces, T::kSliceThreads>([&](int i, int piece) {
      set_column_power(stage, piece / kStepBlocks, piece % kStepBlocks, scales_[i]);
    });
    load_scales(step + 1);
  }

 private:
  static constexpr int kPieces = T::kTileN * kStepBlocks;  ///< a block of a column

  __device__ int64_t row_of(int column) const { return platform::smaller(first_column_ + column, p_.n - 1); }

  __device__ void load_scales(int step) {
    for_each_item<kPieces, T::kSliceThreads>([&](int i, int piece) {
      const int block = step * kStepBlocks + piece % kStepBlocks;
      if (block < p_.blocks) scales_[i] = p_.b_scales[row_of(piece / kStepBlocks) * p_.blocks + block];
    });
  }

  const GemmParams& p_;
  int64_t first_column_;
  const uint8_t* pieces_[(kPieces + T::kSliceThreads - 1) / T::kSliceThreads];
  uint32_t scales_[(kPieces + T::kSliceThreads - 1) / T::kSliceThreads] = {};
};

}  // namespace mxproof::gemm::async
