// The GEMM of one work-group where copies from memory to shared memory run by themselves: kTileM rows by
// kTileN columns of C, the columns shared out among kWaves waves. All GEMM kernels are this with another
// source of A, source of B and sink of C.
//
//                       K: slice 0       slice 1      ...    each walks its own steps with its own barriers
//                     +-------------+-------------+
//   waves 0, 1, ...   |  sums of C  |  sums of C  |          at the end slice 0 adds all sums, in order
//                     +-------------+-------------+
//
// Per step of 128 elements along K: one barrier, start the copy of a step some way ahead, prepare the next
// step (decode or quantise A, turn scale bytes into powers of two), multiply.
#pragma once

#include "optimized/gemm/async/a_source.hpp"
#include "optimized/gemm/async/b_source.hpp"
#include "optimized/gemm/async/stage.hpp"

namespace mxproof::gemm::async {

/// Index of this wave in its slice.
template <class T>
__device__ inline int slice_wave() {
  return platform::wave_index() % T::kWaves;
}

template <class T>
using Sums = matrix_core::Accumulator[T::kColumnTiles][T::kRowTiles];

/// Adds one block of a step to the sums of this wave.
template <class T, bool kAnyScale>
__device__ inline void multiply_block(Sums<T>& sums, const Stage<T>& stage, const RawCodes<T>& b_codes,
                                      int block) {
  const int g = platform::lane_index() / 4;
  const int t = platform::lane_index() % 4;
  const int first_column = slice_wave<T>() * (T::kColumnTiles * matrix_core::kColumns);
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

/// Shared memory of a slice: as many steps in flight as fit, three to six.
template <class T, class ASource, class BSource>
struct SliceMemory {
  struct Raw {
    typename ASource::Raw a;
    typename BSource::Raw b;
  };
  // One slice: what every kernel may have. More: so that two work-groups fit a multiprocessor.
  static constexpr int kRoom = T::kSlices == 1 ? 48 * 1024 : 112 * 1024 / T::kSlices;
  static constexpr int kFitting =
      (kRoom - 2 * static_cast<int>(sizeof(Stage<T>))) / static_cast<int>(sizeof(Raw));
  static constexpr int kSlots = kFitting < 3 ? 3 : kFitting < 6 ? kFitting : 6;

  Raw ring[kSlots];
  Stage<T> stages[2];
};

/// Walks the steps begin..end - 1, adding to the sums of this wave.
template <class T, class ASource, class BSource>
__device__ inline void walk_steps(const GemmParams& p, int64_t first_row, int64_t first_column, int begin,
                                  int end, SliceMemory<T, ASource, BSource>& memory, Sums<T>& sums) {
  constexpr int kSlots = SliceMemory<T, ASource, BSource>::kSlots;
  const ASource a_source(p, first_row);
  BSource b_source(p, first_column, begin);

  // A group of copies a step, even if there is nothing left to copy, so that they can be counted.
  const auto copy = [&](int step, int slot) {
    if (step < end) {
      a_source.copy(memory.ring[slot].a, step);
      b_source.copy(memory.ring[slot].b, step);
    }
    platform::end_copies();
  };
  const auto prepare = [&](int step, int slot) {
    Stage<T>& stage = memory.stages[step % 2];
    b_source.prepare(memory.ring[slot].b, stage, step);
    return a_source.prepare(memory.ring[slot].a, stage, step);
  };
  const auto after = [](int slot) { return slot + 1 == kSlots ? 0 : slot + 1; };
  // Barrier 0 is that of the whole work-group.
  const int barrier = platform::wave_index() / T::kWaves + 1;
  const auto any = [&](bool value) {
    if constexpr (T::kSlices == 1) {
      return __syncthreads_or(value) != 0;
    } else {
      return platform::barrier_any<T::kSliceThreads>(barrier, value);
    }
  };

#pragma unroll
  for (int slot = 0; slot + 1 < kSlots; ++slot) copy(begin + slot, slot);
  platform::wait_for_copies<kSlots - 2>();
  any(false);
  bool care = prepare(begin, 0);

  int slot = 0;
  int free_slot = kSlots - 1;
#pragma unroll 1
  for (int step = begin; step < end; ++step) {
    // Here step + 1 arrives, and beyond the barrier its copies and the stage of `step` can be seen, and the
    // slot and the stage of step - 1 are free.
    platform::wait_for_copies<kSlots - 3>();
    const bool any_care = any(care);
    copy(step + kSlots - 1, free_slot);
    care = step + 1 < end && prepare(step + 1, after(slot));

    const int blocks = p.blocks - step * kStepBlocks;
    const Stage<T>& stage = memory.stages[step % 2];
    const RawCodes<T>& b_codes = memory.ring[slot].b.codes;
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
}

/// Calls f(index, sum) for every sum of this thread.
template <class T, class F>
__device__ inline void for_each_sum(Sums<T>& sums, F f) {
#pragma unroll
  for (int column = 0; column < T::kColumnTiles; ++column) {
#pragma unroll
    for (int row = 0; row < T::kRowTiles; ++row) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        f((column * T::kRowTiles + row) * 4 + i, sums[column][row].sums[i / 2][i % 2]);
      }
    }
  }
}

/// Sums of the slices but the first on their way to it: [slice - 1][index][thread].
template <class T>
struct SliceSums {
  static constexpr int kCount = T::kColumnTiles * T::kRowTiles * 4;
  float values[T::kSlices == 1 ? 1 : T::kSlices - 1][kCount][T::kSliceThreads];
};

/// Adds the sums of all slices up in slice 0, in ascending order. True there.
template <class T>
__device__ inline bool gather_slices(Sums<T>& sums, SliceSums<T>& memory, int slice) {
  const int thread = slice_thread<T::kSliceThreads>();
  platform::wait_for_copies<0>();
  __syncthreads();  // The memory held rings and stages until here.
  if (slice > 0) {
    for_each_sum<T>(sums, [&](int i, float sum) { memory.values[slice - 1][i][thread] = sum; });
  }
  __syncthreads();
  if (slice > 0) return false;
#pragma unroll 1
  for (int other = 0; other + 1 < T::kSlices; ++other) {
    for_each_sum<T>(sums, [&](int i, float& sum) { sum += memory.values[other][i][thread]; });
  }
  return true;
}

/// Computes the tile at blockIdx (x: rows, y: columns, z: split of K).
template <class T, class ASource, class BSource, class Sink>
struct TileWork {
  using Memory = SliceMemory<T, ASource, BSource>;
  static constexpr int kRings = T::kSlices * static_cast<int>(sizeof(Memory));
  static constexpr int kSums = T::kSlices == 1 ? 0 : static_cast<int>(sizeof(SliceSums<T>));
  static constexpr int kDynamicLds = kRings < kSums ? kSums : kRings;
  static_assert(kDynamicLds <= 227 * 1024, "the tile is too large");
  static_assert(T::kSlices < 16, "hardware has sixteen barriers");

  __device__ static void run(const GemmParams& p) {
    const int64_t first_row = int64_t{blockIdx.x} * T::kTileM;
    const int64_t first_column = int64_t{blockIdx.y} * T::kTileN;
    // The first `longer_splits` pieces of K have one chunk more; none is empty.
    const auto split = static_cast<int>(blockIdx.z);
    const int first_chunk = split * p.chunks_per_split + platform::smaller(split, p.longer_splits);
    const int end_chunk = first_chunk + p.chunks_per_split + (split < p.longer_splits ? 1 : 0);
    const int all_steps = (p.blocks + kStepBlocks - 1) / kStepBlocks;
    const int begin = first_chunk * kStepsPerChunk;
    const int steps = platform::smaller(end_chunk * kStepsPerChunk, all_steps) - begin;
    const int slice = platform::wave_index() / T::kWaves;
    const int slice_begin = begin + steps * slice / T::kSlices;
    const int slice_end = begin + steps * (slice + 1) / T::kSlices;

    uint8_t* memory = platform::dynamic_lds();
    Sums<T> sums;
    if (slice_begin < slice_end) {
      walk_steps(p, first_row, first_column, slice_begin, slice_end, reinterpret_cast<Memory*>(memory)[slice],
                 sums);
    }
    if constexpr (T::kSlices > 1) {
      if (!gather_slices<T>(sums, *reinterpret_cast<SliceSums<T>*>(memory), slice)) return;
    }
    store(p, first_row, first_column, sums);
  }

 private:
  __device__ static void store(const GemmParams& p, int64_t first_row, int64_t first_column,
                               const Sums<T>& sums) {
    const Sink sink(p);
    const int64_t wave_column = first_column + slice_wave<T>() * (T::kColumnTiles * matrix_core::kColumns);
#pragma unroll
    for (int row = 0; row < T::kRowTiles; ++row) {
#pragma unroll
      for (int column = 0; column < T::kColumnTiles; ++column) {
        for_each_run(sums[column][row], [&](int m, int n, const auto& values) {
          sink.store(first_row + row * matrix_core::kRows + m,
                     wave_column + column * matrix_core::kColumns + n, values);
        });
      }
    }
  }
};

}  // namespace mxproof::gemm::async
