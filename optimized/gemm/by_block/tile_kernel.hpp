// The GEMM of one work-group on matrix cores that know no block scales: K is walked block by block, and each
// block's dot is scaled on its own. Tiles are shared out as in optimized/gemm/tile_kernel.hpp, whose sources
// of A are used too; B is loaded where it is needed. Compiled from rolled loops: right on every shape, not
// tuned.
#pragma once

#include "common/layout/scale_32x8.hpp"
#include "optimized/gemm/by_block/b_source.hpp"
#include "optimized/gemm/params.hpp"

namespace mxproof::gemm::by_block {

template <class T>
using Sums = matrix_core::Accumulator[T::kColumnTiles][T::kRowTiles];

/// Adds block `block` of chunk `chunk`: A out of LDS, B from memory.
template <class T, class Stage, class BSource>
__device__ inline void multiply_block(Sums<T>& sums, const Stage& stage, const BSource& b, int chunk,
                                      int block) {
  const int lane = platform::lane_index();
  matrix_core::Values8 a[T::kRowTiles];
  uint32_t a_scales[T::kRowTiles];
#pragma unroll
  for (int row = 0; row < T::kRowTiles; ++row) {
    const uint8_t* codes = stage.codes + row * Stage::kRowTileBytes + block * (16 * kCodeBytes);
    a[row] = matrix_core::decode(
        *reinterpret_cast<const uint32_t*>(codes + lane % 16 * kCodeBytes + lane / 16 * 4));
    a_scales[row] = stage.scales[Scale32x8::offset_in(row * 16 + lane % 16, block, kChunkBlocks)];
  }
#pragma unroll
  for (int column = 0; column < T::kColumnTiles; ++column) {
    const int block_of_all = chunk * kChunkBlocks + block;
    const matrix_core::Values8 values = matrix_core::decode(b.codes(column, block_of_all));
    uint32_t scales[matrix_core::kRun];
#pragma unroll
    for (int i = 0; i < matrix_core::kRun; ++i) scales[i] = b.scale(column, i, block_of_all);
#pragma unroll
    for (int row = 0; row < T::kRowTiles; ++row) {
      matrix_core::multiply_add(sums[column][row], values, scales, a[row], a_scales[row]);
    }
  }
}

/// Computes the tile at blockIdx (x: rows, y: columns, z: split of K).
template <class T, class ASource, class BSource, class Sink>
struct TileWork {
  static constexpr int kDynamicLds = 0;
  static_assert(T::kSlices == 1);

  __device__ static void run(const GemmParams& p) {
    const int64_t first_row = int64_t{blockIdx.x} * T::kTileM;
    const int64_t first_column =
        int64_t{blockIdx.y} * T::kTileN + platform::wave_index() * (T::kColumnTiles * matrix_core::kColumns);
    // The first `longer_splits` pieces of K have one chunk more; none is empty.
    const auto split = static_cast<int>(blockIdx.z);
    const int begin = split * p.chunks_per_split + platform::smaller(split, p.longer_splits);
    const int end = begin + p.chunks_per_split + (split < p.longer_splits ? 1 : 0);

    __shared__ typename ASource::Stage stage;
    const ASource a_source(p, first_row);
    const BSource b_source(p, first_column);
    typename ASource::Registers a;
    Sums<T> sums;

    a_source.template fetch<true>(a, begin);
#pragma unroll 1
    for (int chunk = begin; chunk < end; ++chunk) {
      __syncthreads();  // Everybody has read the chunk before.
      a_source.template commit<true>(a, stage, chunk);
      __syncthreads();
      if (chunk + 1 < end) a_source.template fetch<true>(a, chunk + 1);
      const int blocks = platform::smaller(kChunkBlocks, p.blocks - chunk * kChunkBlocks);
#pragma unroll 1
      for (int block = 0; block < blocks; ++block) multiply_block<T>(sums, stage, b_source, chunk, block);
    }

    const Sink sink(p);
#pragma unroll
    for (int row = 0; row < T::kRowTiles; ++row) {
#pragma unroll
      for (int column = 0; column < T::kColumnTiles; ++column) {
        for_each_run(sums[column][row], [&](int m, int n, const auto& values) {
          sink.store(first_row + row * 16 + m, first_column + column * 16 + n, values);
        });
      }
    }
  }
};

}  // namespace mxproof::gemm::by_block
