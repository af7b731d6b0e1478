// The GEMM of one work-group where copies from memory to shared memory run by themselves: kTileM rows by
// kTileN columns of C, the columns shared out among kWaves waves. All GEMM kernels are this with another
// source of A, source of B and sink of C.
//
// Per step of 128 elements along K: one barrier, start the copy of a step some way ahead, prepare the next
// step (decode or quantise A, turn scale bytes into powers of two), multiply.
#pragma once

#include "optimized/gemm/async/a_source.hpp"
#include "optimized/gemm/async/b_source.hpp"
#include "optimized/gemm/async/stage.hpp"

namespace mxproof::gemm::async {

/// Adds one block of a step to the sums of this wave.
template <class T, bool kAnyScale>
__device__ inline void multiply_block(matrix_core::Accumulator (&sums)[T::kColumnTiles][T::kRowTiles],
                                      const Stage<T>& stage, const RawCodes<T>& b_codes, int block) {
  const int g = platform::lane_index() / 4;
  const int t = platform::lane_index() % 4;
  const int first_column = platform::wave_index() * (T::kColumnTiles * matrix_core::kColumns);
  matrix_core::Columns columns[T::kColumnTiles];
#pragma unroll
  for (int i = 0; i < T::kColumnTiles; ++i) {
    const int column = first_column + i * matrix_core::kColumns;
    const int row_of_b = column + g;
    const auto* dwords =
        reinterpret_cast<const uint32_t*>(b_codes.bytes[row_of_b / 16][block][row_of_b % 16]);
    columns[i] = {matrix_core::biased_values(dwords[t]), stage.b_powers[block][column / 2 + t]};
  }
#pragma unroll
  for (int row = 0; row < T::kRowTiles; ++row) {
    const matrix_core::Rows rows =
        matrix_core::make_rows(stage.a_values[row][block][g][place_of(g, t)], stage.a_powers[row][block][g]);
#pragma unroll
    for (int i = 0; i < T::kColumnTiles; ++i) {
      matrix_core::multiply_add<kAnyScale>(sums[i][row], rows, columns[i]);
    }
  }
}

/// Computes the tile at blockIdx (x: rows, y: columns, z: split of K).
template <class T, class ASource, class BSource, class Sink>
__device__ inline void run_tile(const GemmParams& p) {
  struct Raw {
    typename ASource::Raw a;
    typename BSource::Raw b;
  };
  // As many steps in flight as fit into the shared memory that every kernel may have, up to six.
  constexpr int kSharedBytes = 48 * 1024;
  constexpr int kRoom =
      (kSharedBytes - 2 * static_cast<int>(sizeof(Stage<T>))) / static_cast<int>(sizeof(Raw));
  constexpr int kSlots = kRoom < 6 ? kRoom : 6;
  static_assert(kSlots >= 3, "the tile is too large");
  __shared__ Raw ring[kSlots];
  __shared__ Stage<T> stages[2];

  const int64_t first_row = int64_t{blockIdx.x} * T::kTileM;
  const int64_t first_column = int64_t{blockIdx.y} * T::kTileN;
  // The first `longer_splits` pieces of K have one chunk more; none is empty.
  const auto split = static_cast<int>(blockIdx.z);
  const int first_chunk = split * p.chunks_per_split + platform::smaller(split, p.longer_splits);
  const int end_chunk = first_chunk + p.chunks_per_split + (split < p.longer_splits ? 1 : 0);
  const int all_steps = (p.blocks + kStepBlocks - 1) / kStepBlocks;
  const int begin = first_chunk * kStepsPerChunk;
  const int end = platform::smaller(end_chunk * kStepsPerChunk, all_steps);

  const ASource a_source(p, first_row);
  BSource b_source(p, first_column, begin);
  matrix_core::Accumulator sums[T::kColumnTiles][T::kRowTiles];

  // A group of copies a step, even if there is nothing left to copy, so that they can be counted.
  const auto copy = [&](int step, int slot) {
    if (step < end) {
      a_source.copy(ring[slot].a, step);
      b_source.copy(ring[slot].b, step);
    }
    platform::end_copies();
  };
  const auto prepare = [&](int step, int slot) {
    Stage<T>& stage = stages[step % 2];
    b_source.prepare(ring[slot].b, stage, step);
    return a_source.prepare(ring[slot].a, stage, step);
  };
  const auto after = [](int slot) { return slot + 1 == kSlots ? 0 : slot + 1; };

#pragma unroll
  for (int slot = 0; slot + 1 < kSlots; ++slot) copy(begin + slot, slot);
  platform::wait_for_copies<kSlots - 2>();
  __syncthreads();
  bool care = prepare(begin, 0);

  int slot = 0;
  int free_slot = kSlots - 1;
#pragma unroll 1
  for (int step = begin; step < end; ++step) {
    // Here step + 1 arrives, and beyond the barrier its copies and the stage of `step` can be seen, and the
    // slot and the stage of step - 1 are free.
    platform::wait_for_copies<kSlots - 3>();
    const bool any_care = __syncthreads_or(care) != 0;
    copy(step + kSlots - 1, free_slot);
    care = step + 1 < end && prepare(step + 1, after(slot));

    const int blocks = p.blocks - step * kStepBlocks;
    const Stage<T>& stage = stages[step % 2];
    const RawCodes<T>& b_codes = ring[slot].b.codes;
    if (blocks >= kStepBlocks && !any_care) {
#pragma unroll
      for (int block = 0; block < kStepBlocks; ++block) multiply_block<T, false>(sums, stage, b_codes, block);
    } else {
#pragma unroll 1
      for (int block = 0; block < platform::smaller(blocks, kStepBlocks); ++block) {
        multiply_block<T, true>(sums, stage, b_codes, block);
      }
    }
    free_slot = slot;
    slot = after(slot);
  }

  const Sink sink(p);
  const int64_t wave_column =
      first_column + platform::wave_index() * (T::kColumnTiles * matrix_core::kColumns);
#pragma unroll
  for (int row = 0; row < T::kRowTiles; ++row) {
#pragma unroll
    for (int column = 0; column < T::kColumnTiles; ++column) {
      for_each_run(sums[column][row], [&](int m, int n, const auto& values) {
        sink.store(first_row + row * matrix_core::kRows + m, wave_column + column * matrix_core::kColumns + n,
                   values);
      });
    }
  }
}

}  // namespace mxproof::gemm::async
