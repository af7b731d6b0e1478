// gfx950: v_mfma_scale_f32_16x16x128_f8f6f4 with FP4 operands.
//
// Lane l holds, of either operand, row l % 16 and block l / 16: sixteen bytes. Of a scale tile it holds dword
// l (common/layout/scale_32x8.hpp); the instruction picks one byte of it for the whole wave, and each lane's
// byte scales that lane's row and block.
//
// The result D[i][j] lies in lane j + 16*(i/4), register i % 4. Rows i come from the first operand. That is B
// here, so that a lane ends up with four neighbouring columns of one row of C:
//
//              columns n   0..3        4..7        8..11       12..15
//   row m                lane m     lane m+16   lane m+32   lane m+48
#pragma once

#include "optimized/platform/device.hpp"

namespace mxproof::matrix_core {

inline constexpr int kTile = 16;  ///< a step multiplies 16 x 128 codes by 16 x 128 codes
inline constexpr int kRows = kTile;
inline constexpr int kColumns = kTile;
inline constexpr int kStepK = 128;
inline constexpr int kStepBlocks = 4;
inline constexpr int kRun = 4;

/// One operand of a step, spread over the lanes of a wave.
struct Codes {
  uint4 block;
};

/// Where it comes from: row r, block b lies at base + r * row_stride + b * block_stride. Rows past last_row
/// repeat it.
struct CodesSource {
  const uint8_t* base;
  uint32_t row_stride;
  uint32_t block_stride;
  uint32_t last_row = kTile - 1;
};

__device__ inline const uint4* codes_address(const CodesSource& source) {
  const auto lane = static_cast<uint32_t>(platform::lane_index());
  const uint32_t row = platform::smaller(lane % kTile, source.last_row);
  return reinterpret_cast<const uint4*>(source.base +
                                        (row * source.row_stride + lane / kTile * source.block_stride));
}

__device__ inline Codes load_codes(const CodesSource& source) {
  return {*codes_address(source)};
}

/// As above with blocks >= valid zero; they are not read.
__device__ inline Codes load_codes(const CodesSource& source, int valid) {
  Codes codes{make_uint4(0, 0, 0, 0)};
  if (platform::lane_index() / 16 < valid) codes.block = *codes_address(source);
  return codes;
}

/// Scales of 32 rows x 8 blocks in `scale_32x8` order.
struct Scales {
  uint32_t dword;
};

/// From dword(i), i = 0..63: the dwords of a `scale_32x8` tile.
template <class F>
__device__ inline Scales load_scales(F dword) {
  return {dword(platform::lane_index())};
}

using F32x4 = float __attribute__((ext_vector_type(4)));
struct Accumulator {
  F32x4 sums{};
};

/// The step's four blocks. A row half (0, 1) picks the upper or lower 16 rows of a Scales, the step (0, 1)
/// blocks 0..3 or 4..7.
template <int kRowHalfN, int kRowHalfM, int kStep>
__device__ inline void multiply_add(Accumulator& acc, const Codes& n_codes, const Scales& n_scales,
                                    const Codes& m_codes, const Scales& m_scales) {
  // FP4 operands fill the first four of the eight registers that the widest format needs.
  using U32x8 = int __attribute__((ext_vector_type(8)));
  const auto widen = [](const uint4& x) {
    return U32x8{static_cast<int>(x.x),
                 static_cast<int>(x.y),
                 static_cast<int>(x.z),
                 static_cast<int>(x.w),
                 0,
                 0,
                 0,
                 0};
  };
  constexpr int kFp4 = 4;
  acc.sums = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(
      widen(n_codes.block), widen(m_codes.block), acc.sums, kFp4, kFp4, 2 * kStep + kRowHalfN,
      static_cast<int>(n_scales.dword), 2 * kStep + kRowHalfM, static_cast<int>(m_scales.dword));
}

template <class F>
__device__ inline void for_each_run(const Accumulator& acc, F f) {
  const int lane = platform::lane_index();
  const float values[kRun] = {acc.sums.x, acc.sums.y, acc.sums.z, acc.sums.w};
  f(lane % 16, lane / 16 * kRun, values);
}

}  // namespace mxproof::matrix_core
