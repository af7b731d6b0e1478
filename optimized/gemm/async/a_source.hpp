// Where a work-group gets its rows of A from.
//
//   copy     starts to copy a step into a slot of the ring
//   prepare  makes the stage of a step that has arrived; true if one of its scales needs care
#pragma once

#include "optimized/convert/quantize_block.hpp"
#include "optimized/gemm/async/stage.hpp"

namespace mxproof::gemm::async {

/// Address of row `row` of A, or of its last one if there are fewer: that computes something nobody stores.
__device__ inline const uint8_t* row_address(const GemmParams& p, int64_t row) {
  return static_cast<const uint8_t*>(p.a) + platform::smaller(row, p.m - 1) * p.a_stride;
}

/// Puts the values of dword t (codes 8t..8t+7) of a block into the stage.
template <class T>
__device__ inline void set_values(Stage<T>& stage, int row, int block, int t, uint32_t codes) {
  const matrix_core::Values8 values = matrix_core::doubled_values(codes);
  auto* pair = reinterpret_cast<uint2*>(&stage.a_values[row / 16][block][row % 8][place_of(row % 8, t)]);
  pair[row / 8 % 2] = make_uint2(values.low, values.high);
}

/// Enters the scale byte m of a block; true if it needs care.
template <class T>
__device__ inline bool set_row_power(Stage<T>& stage, int row, int block, uint32_t m) {
  reinterpret_cast<float*>(&stage.a_powers[row / 16][block][row % 8])[row / 8 % 2] =
      matrix_core::row_power(m);
  return matrix_core::needs_care(m);
}

/// A is MXFP4 already: row-major codes and `scale_32x8` scales. A thread takes a block.
template <class T>
class Mxfp4Source {
 public:
  struct Raw {
    uint4 codes[T::kTileM * kStepBlocks];
    RawScales<T::kTileM> scales;
  };

  __device__ Mxfp4Source(const GemmParams& p, int64_t first_row) : p_(p), first_row_(first_row) {
    for_each_item<kItems, T::kSliceThreads>([&](int i, int item) {
      items_[i] = row_address(p, first_row + row_of(item)) + block_of(item) * kCodeBytes;
    });
  }

  __device__ void copy(Raw& raw, int step) const {
    for_each_item<kItems, T::kSliceThreads>([&](int i, int item) {
      if (step * kStepBlocks + block_of(item) >= p_.blocks) return;
      platform::copy_async<16>(&raw.codes[item], items_[i] + step * (kStepBlocks * kCodeBytes));
    });
    copy_scales<T::kTileM, T::kSliceThreads>(raw.scales, p_.a_scales, first_row_, (p_.m - 1) / 32,
                                             p_.a_padded_blocks, step);
  }

  __device__ bool prepare(const Raw& raw, Stage<T>& stage, int step) const {
    bool care = false;
    const auto first_in_tile = static_cast<int>(first_row_ % 32);
    for_each_item<kItems, T::kSliceThreads, 2>([&](int /*i*/, int item) {
      const int row = row_of(item);
      const int block = block_of(item);
      if (step * kStepBlocks + block >= p_.blocks) return;
      const uint4 codes = raw.codes[item];
      set_values(stage, row, block, 0, codes.x);
      set_values(stage, row, block, 1, codes.y);
      set_values(stage, row, block, 2, codes.z);
      set_values(stage, row, block, 3, codes.w);
      care |= set_row_power(stage, row, block, raw.scales.byte(first_in_tile + row, block, step));
    });
    return care;
  }

 private:
  static constexpr int kItems = T::kTileM * kStepBlocks;

  __device__ static int row_of(int item) { return item / (16 * kStepBlocks) * 16 + item % 16; }
  __device__ static int block_of(int item) { return item / 16 % kStepBlocks; }

  const GemmParams& p_;
  int64_t first_row_;
  const uint8_t* items_[(kItems + T::kSliceThreads - 1) / T::kSliceThreads];
};

/// A is bf16. A thread takes eight elements; four neighbouring lanes quantise a block, a wave eight rows of
/// one block column.
template <class T>
class Bf16Source {
 public:
  struct Raw {
    uint4 elements[T::kTileM * kStepBlocks * 4];
  };

  __device__ Bf16Source(const GemmParams& p, int64_t first_row) : p_(p) {
    for_each_item<kItems, T::kSliceThreads>([&](int i, int item) {
      items_[i] = row_address(p, first_row + row_of(item)) + block_of(item) * kBlockBytes + item % 4 * 16;
    });
  }

  __device__ void copy(Raw& raw, int step) const {
    for_each_item<kItems, T::kSliceThreads>([&](int i, int item) {
      if (step * kStepBlocks + block_of(item) >= p_.blocks) return;
      platform::copy_async<16>(&raw.elements[item], items_[i] + step * (kStepBlocks * kBlockBytes));
    });
  }

  __device__ bool prepare(const Raw& raw, Stage<T>& stage, int step) const {
    bool care = false;
    for_each_item<kItems, T::kSliceThreads, 2>([&](int /*i*/, int item) {
      const int row = row_of(item);
      const int block = block_of(item);
      if (step * kStepBlocks + block >= p_.blocks) return;
      const uint4 eight = raw.elements[item];
      uint32_t pair = convert::amax_pair(eight);
      pair = platform::max_u16x2(pair, platform::exchange(pair, 1));
      pair = platform::max_u16x2(pair, platform::exchange(pair, 2));
      const uint32_t m = convert::even_scale(convert::amax_of_pair(pair));
      set_values(stage, row, block, item % 4, m == convert::kScaleNan ? 0 : convert::pack_e2m1(eight, m));
      if (item % 4 == 0) care |= set_row_power(stage, row, block, m);
    });
    return care;
  }

 private:
  static constexpr int kItems = T::kTileM * kStepBlocks * 4;
  static constexpr int kBlockBytes = 32 * 2;

  __device__ static int row_of(int item) { return item / (64 * kStepBlocks) * 16 + item / 4 % 16; }
  __device__ static int block_of(int item) { return item / 64 % kStepBlocks; }

  const GemmParams& p_;
  const uint8_t* items_[(kItems + T::kSliceThreads - 1) / T::kSliceThreads];
};

}  // namespace mxproof::gemm::async
