// NVIDIA, sm_80 and up: no FP4 there, so the dot of a block is done in integers.
//
// Twice an e2m1 value is an integer, -12..12, and so the dot of the doubled values of a block of 32 is one
// mma.m16n8k32 on int8: exact, at most 4608. It is four times the block's dot; the two scales and that quarter are
// one power of two, and one fused multiply-add per block puts it onto the sum with a single rounding. That is
// acc = rne32(acc + T_b), b ascending: the model `sequential`, bit for bit.
//
// Lane l has g = l / 4 and t = l % 4. Of each operand it holds rows g and g + 8, and of each of their blocks dword t:
// codes 8t..8t+7. mma wants elements 4t..4t+3 and 16+4t..16+4t+3; a dot does not mind, as both operands have their
// elements in the same places.
//
//   result: row m = g or g + 8, columns n = 2t, 2t + 1 of either half of the 16 columns
#pragma once

#include "optimized/platform/device.hpp"

namespace mxproof::matrix_core {

inline constexpr int kTile = 16;
inline constexpr int kStepK = 128;
inline constexpr int kStepBlocks = 4;
inline constexpr int kRun = 2;

struct Codes {
  uint32_t dwords[kStepBlocks][2];  ///< [block][row half of eight]
};

struct CodesSource {
  const uint8_t* base;
  uint32_t row_stride;
  uint32_t block_stride;
  uint32_t last_row = kTile - 1;
};

/// Blocks >= `valid` are zero, and are not read.
__device__ inline Codes load_codes(const CodesSource& source, int valid = kStepBlocks) {
  const auto lane = static_cast<uint32_t>(platform::lane_index());
  Codes codes;
#pragma unroll
  for (int block = 0; block < kStepBlocks; ++block) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const uint32_t row = platform::smaller(lane / 4 + 8u * half, source.last_row);
      codes.dwords[block][half] = 0;
      if (block < valid) {
        codes.dwords[block][half] = *reinterpret_cast<const uint32_t*>(
            source.base + (row * source.row_stride + block * source.block_stride + lane % 4 * 4));
      }
    }
  }
  return codes;
}

struct Scales {
  uint32_t dwords[2];  ///< dword lane and dword 32 + lane of the tile
};

template <class F>
__device__ inline Scales load_scales(F dword) {
  return {{dword(platform::lane_index()), dword(platform::lane_index() + platform::kLanes)}};
}

struct Accumulator {
  float sums[2][4] = {};  ///< [column half][rows g, g + 8 x columns 2t, 2t + 1]
};

/// Doubled values of four codes (bits 15:0) as four int8.
__device__ inline uint32_t doubled_values(uint32_t codes) {
  constexpr uint32_t kPositive[2] = {0x03020100u, 0x0c080604u};
  constexpr uint32_t kNegative[2] = {0xfdfeff00u, 0xf4f8fafcu};
  const uint32_t magnitudes = codes & 0x7777u;
  const uint32_t positive = __byte_perm(kPositive[0], kPositive[1], magnitudes);
  const uint32_t negative = __byte_perm(kNegative[0], kNegative[1], magnitudes);
  const uint32_t signs = __byte_perm(0x0000ff00u, 0, codes >> 3 & 0x1111u);
  return (positive & ~signs) | (negative & signs);
}

__device__ inline void mma_int8(int (&dot)[4], const uint32_t (&rows)[4], const uint32_t (&columns)[2]) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(dot[0]), "+r"(dot[1]), "+r"(dot[2]), "+r"(dot[3])
      : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(columns[0]), "r"(columns[1]));
}

/// 2^e as f32, for -149 <= e <= 127.
__device__ inline float power_of_two(int e) {
  return platform::bit_cast<float>(e >= -126 ? static_cast<uint32_t>(e + 127) << 23 : 1u << (e + 149));
}

/// acc + dot * 2^(m_scale + n_scale - 254 - 2) with one rounding; NaN when a scale is 255.
__device__ inline float add_block(float acc, int dot, uint32_t m_scale, uint32_t n_scale) {
  constexpr uint32_t kNan = 255;
  if (m_scale == kNan || n_scale == kNan) return __int_as_float(0x7fc00000);
  // The power goes from 2^-256 to 2^252, past the ends of f32. Part of it moves onto the dot, which has room; above
  // 2^200 every dot but 0 overflows.
  const int exponent = platform::smaller(static_cast<int>(m_scale + n_scale) - 256, 200);
  const int onto_dot = exponent < -126 ? -120 : exponent > 127 ? 100 : 0;
  return fmaf(static_cast<float>(dot) * power_of_two(onto_dot), power_of_two(exponent - onto_dot), acc);
}

template <int kRowHalfN, int kRowHalfM, int kStep>
__device__ inline void multiply_add(Accumulator& acc, const Codes& n_codes, const Scales& n_scales,
                                    const Codes& m_codes, const Scales& m_scales) {
  const int g = platform::lane_index() / 4;
  const int t = platform::lane_index() % 4;
#pragma unroll
  for (int block = 0; block < kStepBlocks; ++block) {
    // Byte of row r and this block: in dword 16 * block + r of the tile.
    const auto scale = [&](const Scales& scales, int row, int row_half) {
      const uint32_t dword = __shfl_sync(0xffffffffu, scales.dwords[block / 2], block % 2 * 16 + row);
      return dword >> (8 * (2 * kStep + row_half)) & 0xffu;
    };
    const uint32_t m_scale[2] = {scale(m_scales, g, kRowHalfM), scale(m_scales, g + 8, kRowHalfM)};
    const uint32_t* m = m_codes.dwords[block];
    const uint32_t rows[4] = {doubled_values(m[0]), doubled_values(m[1]), doubled_values(m[0] >> 16),
                              doubled_values(m[1] >> 16)};
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const uint32_t n = n_codes.dwords[block][half];
      const uint32_t columns[2] = {doubled_values(n), doubled_values(n >> 16)};
      int dot[4] = {};
      mma_int8(dot, rows, columns);
#pragma unroll
      for (int column = 0; column < 2; ++column) {
        const uint32_t n_scale = scale(n_scales, 8 * half + 2 * t + column, kRowHalfN);
#pragma unroll
        for (int row = 0; row < 2; ++row) {
          float& sum = acc.sums[half][2 * row + column];
          sum = add_block(sum, dot[2 * row + column], m_scale[row], n_scale);
        }
      }
    }
  }
}

template <class F>
__device__ inline void for_each_run(const Accumulator& acc, F f) {
  const int g = platform::lane_index() / 4;
  const int t = platform::lane_index() % 4;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      const float values[kRun] = {acc.sums[half][2 * row], acc.sums[half][2 * row + 1]};
      f(g + 8 * row, 8 * half + 2 * t, values);
    }
  }
}

}  // namespace mxproof::matrix_core
