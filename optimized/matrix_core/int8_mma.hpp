// NVIDIA, sm_80 and up: no FP4 there, so the dot of a block of 32 is one mma.m16n8k32 on int8, exact, and two
// fused multiply-adds put it onto the sum (int8_arithmetic.hpp).
//
// Lane l has g = l / 4 and t = l % 4. Of each operand it holds rows g (and g + 8), and of their block the
// values of dword t: codes 8t..8t+7. mma wants elements 4t..4t+3 and 16+4t..16+4t+3; a dot does not mind, as
// both operands have their elements in the same places.
//
//   operand of rows     x: row g, codes 8t..8t+3    y: row g, codes 8t+4..8t+7    z, w: the same of row g + 8
//   operand of columns  low, high: column g, codes 8t..8t+3 and 8t+4..8t+7
//   result              rows g and g + 8, columns 2t and 2t + 1
#pragma once

#include "optimized/matrix_core/int8_arithmetic.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::matrix_core {

inline constexpr int kRows = 16;
inline constexpr int kColumns = 8;
inline constexpr int kStepBlocks = 4;
inline constexpr int kRun = 2;

struct Accumulator {
  float sums[2][2] = {};  ///< [row g, g + 8][column 2t, 2t + 1]
};

/// bits = kDotStart + the integer product of 16 rows and 8 columns of int8, 32 long; read as f32.
__device__ inline void multiply(float (&result)[4], const uint4& rows, const Values8& columns) {
  int32_t bits[4];
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%10,%10,%10,%10};"
      : "=r"(bits[0]), "=r"(bits[1]), "=r"(bits[2]), "=r"(bits[3])
      : "r"(rows.x), "r"(rows.z), "r"(rows.y), "r"(rows.w), "r"(columns.low), "r"(columns.high),
        "r"(kDotStart));
#pragma unroll
  for (int i = 0; i < 4; ++i) result[i] = platform::bit_cast<float>(bits[i]);
}

/// One block of the operand of rows, with the powers of its scales.
struct Rows {
  uint4 values;     ///< doubled
  float2 powers;    ///< of rows g and g + 8
  float starts[2];  ///< see int8_arithmetic.hpp
};

__device__ inline Rows make_rows(const uint4& values, const float2& powers) {
  float products[4];
  multiply(products, values, {kStartValues, kStartValues});
  return {values, powers, {products[0], products[2]}};
}

/// One block of the operand of columns.
struct Columns {
  Values8 values;  ///< biased
  float2 powers;   ///< of columns 2t and 2t + 1
};

/// acc += one block. kAnyScale: rows may need care.
template <bool kAnyScale>
__device__ inline void multiply_add(Accumulator& acc, const Rows& rows, const Columns& columns) {
  float biased[4];
  multiply(biased, rows.values, columns.values);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float& sum = acc.sums[i / 2][i % 2];
    const float start = rows.starts[i / 2];
    const float row = i / 2 == 0 ? rows.powers.x : rows.powers.y;
    const float column = i % 2 == 0 ? columns.powers.x : columns.powers.y;
    sum = kAnyScale ? add_block_of_any_scale(sum, biased[i], start, row, column)
                    : add_block(sum, biased[i], start, row, column);
  }
}

/// Calls f(m, n, values) for the runs of kRun neighbouring columns that this lane holds.
template <class F>
__device__ inline void for_each_run(const Accumulator& acc, F f) {
  const int g = platform::lane_index() / 4;
  const int t = platform::lane_index() % 4;
#pragma unroll
  for (int row = 0; row < 2; ++row) f(g + 8 * row, 2 * t, acc.sums[row]);
}

}  // namespace mxproof::matrix_core
