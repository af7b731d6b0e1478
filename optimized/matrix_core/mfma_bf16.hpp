// gfx942: v_mfma_f32_16x16x16_bf16. There is no FP4 there, so codes become bf16, which holds them exactly,
// and the dot of a block of 32 is two instructions, exact: it is a multiple of 1/4 of at most 1152. Its
// scales come after, in f32:
//
//   acc = fma(dot * 2^e, 2^(m + n - 254 - e), acc)        m, n: the scale bytes
//
// The product inside is exact, so that this is acc = rne32(acc + T): the model `sequential`, with no use of
// how the instruction treats subnormals or rounds sums.
//
// Lane l has g = l / 16. Of either operand it holds row l % 16, dword g of the block: codes 8g..8g+7. The
// instruction wants four elements a lane; a dot does not mind which, as both operands have the same. The
// result D[i][j] lies in lane j + 16*(i/4), register i % 4, as on gfx950 (mfma_scale.hpp): rows of M in the
// second operand, so that a lane has four neighbouring columns of one row.
#pragma once

#include "optimized/platform/device.hpp"

namespace mxproof::matrix_core {

inline constexpr int kTile = 16;
inline constexpr int kRows = kTile;
inline constexpr int kColumns = kTile;
inline constexpr int kStepBlocks = 4;  ///< What sources of A move at a time; multiply_add takes one block.
inline constexpr int kRun = 4;

using F32x4 = float __attribute__((ext_vector_type(4)));
struct Accumulator {
  F32x4 sums{};
};

using Bf16x4 = short __attribute__((ext_vector_type(4)));

/// Eight codes as bf16: those at even places, and those at odd ones.
struct Values8 {
  Bf16x4 even;
  Bf16x4 odd;
};

/// The codes in the low nibbles of four bytes as bf16.
__device__ inline Bf16x4 bf16_values(uint32_t nibbles) {
  // Bytes of the bf16 of 0, 0.5, 1, 1.5 and of 2, 3, 4, 6.
  constexpr uint32_t kHigh[2] = {0x3f3f3f00u, 0x40404040u};
  constexpr uint32_t kLow[2] = {0xc0800000u, 0xc0804000u};
  const uint32_t magnitudes = nibbles & 0x07070707u;
  const uint32_t signs = (nibbles & 0x08080808u) << 4;
  const uint32_t high = __builtin_amdgcn_perm(kHigh[1], kHigh[0], magnitudes) | signs;
  const uint32_t low = __builtin_amdgcn_perm(kLow[1], kLow[0], magnitudes);
  using U32x2 = uint32_t __attribute__((ext_vector_type(2)));
  const U32x2 words{__builtin_amdgcn_perm(high, low, 0x05010400u),
                    __builtin_amdgcn_perm(high, low, 0x07030602u)};
  return platform::bit_cast<Bf16x4>(words);
}

__device__ inline Values8 decode(uint32_t codes) {
  return {bf16_values(codes & 0x0f0f0f0fu), bf16_values(codes >> 4 & 0x0f0f0f0fu)};
}

inline constexpr uint32_t kNanScale = 255;

/// `value`, or NaN for the scale that is one.
__device__ inline float unless_nan(uint32_t scale, float value) {
  return scale == kNanScale ? __builtin_nanf("") : value;
}

/// acc + dot * 2^exponent * one with one rounding, `one` being 1 or NaN. The exponent is shared out, so that
/// the inner product is exact: |dot| is 0 or between 1/4 and 1152.
__device__ inline float add_block(float acc, float dot, int exponent, float one) {
  constexpr int kLeast = -126;
  constexpr int kMost = 100;
  const int inner = platform::larger(kLeast, platform::smaller(exponent, kMost));
  return platform::fma(__builtin_ldexpf(dot, inner), __builtin_ldexpf(one, exponent - inner), acc);
}

/// acc += one block: its values of 16 columns and 16 rows, the scale bytes of this lane's four columns and of
/// its row.
__device__ inline void multiply_add(Accumulator& acc, const Values8& n_values,
                                    const uint32_t (&n_scales)[kRun], const Values8& m_values,
                                    uint32_t m_scale) {
  // All of this lane's sums belong to its row of M: that row's NaN goes in here.
  const float start = unless_nan(m_scale, 0.0f);
  F32x4 dot{start, start, start, start};
  dot = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(n_values.even, m_values.even, dot, 0, 0, 0);
  dot = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(n_values.odd, m_values.odd, dot, 0, 0, 0);
#pragma unroll
  for (int i = 0; i < kRun; ++i) {
    acc.sums[i] = add_block(acc.sums[i], dot[i], static_cast<int>(m_scale + n_scales[i]) - 254,
                            unless_nan(n_scales[i], 1.0f));
  }
}

template <class F>
__device__ inline void for_each_run(const Accumulator& acc, F f) {
  const int lane = platform::lane_index();
  const float values[kRun] = {acc.sums.x, acc.sums.y, acc.sums.z, acc.sums.w};
  f(lane % 16, lane / 16 * kRun, values);
}

}  // namespace mxproof::matrix_core
