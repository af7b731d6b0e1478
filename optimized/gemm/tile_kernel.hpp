// The GEMM of one work-group: kTileM rows by kTileN columns of C, the columns shared out among kWaves waves.
// All GEMM kernels are this with another source of A, source of B and sink of C.
//
//                    N: one wave | next wave | ...
//               +---------------+-----------+
//   M: kTileM   |               |           |      A: through LDS, shared by all waves
//               +---------------+-----------+      B: each wave its own, from memory
//
// Per chunk of 256 elements along K: write the A already fetched to LDS, one barrier, start loading the next
// chunk, multiply. Two stages of LDS take turns: a wave that is ahead writes the other stage, and cannot come
// round to this one before everybody has passed the next barrier.
#pragma once

#include "optimized/gemm/chunk.hpp"
#include "optimized/gemm/params.hpp"
#include "optimized/gemm/tile.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::gemm {

/// Multiplies one chunk: A out of LDS, B out of registers.
template <class T, class Stage, class BChunk>
__device__ inline void multiply_chunk(matrix_core::Accumulator (&sums)[T::kColumnTiles][T::kRowTiles],
                                      const Stage& stage, const BChunk& b) {
  using matrix_core::kStepBlocks;
  matrix_core::Scales a_scales[Stage::kScaleTiles];
#pragma unroll
  for (int i = 0; i < Stage::kScaleTiles; ++i) {
    const auto* tile = reinterpret_cast<const uint32_t*>(stage.scales + i * kScaleTileBytes);
    a_scales[i] = matrix_core::load_scales([&](int dword) { return tile[dword]; });
  }
  platform::unrolled<kSteps>([&](auto step) {
    platform::unrolled<T::kRowTiles>([&](auto row) {
      const matrix_core::Codes a = load_codes(matrix_core::CodesSource{
          stage.codes + row() * Stage::kRowTileBytes + step() * kStepBlocks * 16 * kCodeBytes, kCodeBytes,
          16 * kCodeBytes});
      platform::unrolled<T::kColumnTiles>([&](auto column) {
        matrix_core::multiply_add<column() % 2, row() % 2, step()>(
            sums[column()][row()], b.codes[column()][step()], b.scales[column() / 2], a, a_scales[row() / 2]);
      });
    });
  });
}

/// Computes the tile at blockIdx (x: rows, y: columns, z: split of K).
template <class T, class ASource, class BSource, class Sink>
__device__ inline void run_tile(const GemmParams& p) {
  static_assert(T::kSlices == 1, "only the asynchronous kernels cut K inside of a work-group");
  const int64_t first_row = int64_t{blockIdx.x} * T::kTileM;
  const int wave_columns = T::kColumnTiles * 16;
  const int64_t first_column = int64_t{blockIdx.y} * T::kTileN + platform::wave_index() * wave_columns;
  // The first `longer_splits` pieces of K have one chunk more; none is empty.
  const auto split = static_cast<int>(blockIdx.z);
  const int begin = split * p.chunks_per_split + platform::smaller(split, p.longer_splits);
  const int end = begin + p.chunks_per_split + (split < p.longer_splits ? 1 : 0);
  // K may end inside the last chunk of all: its tail. Code for whole chunks does not look for it.
  const int whole_end = platform::smaller(end, p.blocks / kChunkBlocks);

  __shared__ typename ASource::Stage stages[2];
  const ASource a_source(p, first_row);
  const BSource b_source(p, first_column);
  typename ASource::Registers a;
  typename BSource::Chunk b[2];
  matrix_core::Accumulator sums[T::kColumnTiles][T::kRowTiles];

  // Chunk `chunk` is in `a` and `now`: passes it on, starts loading the next one, its B into `next`, and
  // multiplies.
  const auto advance = [&](int chunk, auto is_tail, auto& now, auto& next, auto fetch_next) {
    auto& stage = stages[(chunk - begin) % 2];
    a_source.template commit<is_tail()>(a, stage, chunk);
    __syncthreads();
    fetch_next(chunk + 1, next);
    multiply_chunk<T>(sums, stage, now);
  };
  const auto fetch_whole = [&](int chunk, auto& next) {
    a_source.template fetch<false>(a, chunk);
    b_source.template fetch<false>(next, chunk);
  };
  const auto fetch_tail = [&](int chunk, auto& next) {
    if (chunk == end) return;
    a_source.template fetch<true>(a, chunk);
    b_source.template fetch<true>(next, chunk);
  };
  constexpr std::false_type kWhole;
  constexpr std::true_type kTail;

  int chunk = begin;
  if (begin < whole_end) {
    fetch_whole(chunk, b[0]);
    for (; chunk + 2 < whole_end; chunk += 2) {
      advance(chunk, kWhole, b[0], b[1], fetch_whole);
      advance(chunk + 1, kWhole, b[1], b[0], fetch_whole);
    }
    if (chunk + 2 == whole_end) {
      advance(chunk, kWhole, b[0], b[1], fetch_whole);
      b[0] = b[1];
      ++chunk;
    }
    advance(chunk, kWhole, b[0], b[1], fetch_tail);
    ++chunk;
  } else {
    fetch_tail(chunk, b[1]);
  }
  if (chunk < end) advance(chunk, kTail, b[1], b[0], [](int, auto&) {});

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

template <class T, class ASource, class BSource, class Sink>
struct TileWork {
  static constexpr int kDynamicLds = 0;
  __device__ static void run(const GemmParams& p) { run_tile<T, ASource, BSource, Sink>(p); }
};

}  // namespace mxproof::gemm
