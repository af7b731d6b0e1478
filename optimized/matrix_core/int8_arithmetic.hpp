// The arithmetic around the int8 tensor core: codes to integers, and the dot of a block onto the sum. No
// instruction of a GPU is needed for it, so that tests hold it against exact numbers on the host.
//
// Twice an e2m1 value is an integer, -12..12. With a the doubled values of the rows' operand and b those of
// the columns', the tensor core computes, from one constant and with b + 12 in place of b (cheaper to
// decode),
//
//   biased = kDotStart + sum a * (b + 12)
//   start  = kDotStart + sum a * 12
//
// whose difference is the block's dot, at most 4608. kDotStart is the bits of 1.5 * 2^23 as f32, whose last
// place is 1: read as f32, both are 1.5 * 2^23 and the sum, without a conversion. The block adds T = dot / 4
// * 2^(m - 127) * 2^(n - 127), m and n its scale bytes:
//
//   x   = fma(biased, 2^(m - 129), -(start * 2^(m - 129)))      exact: dot * 2^(m - 129)
//   acc = fma(x, 2^(n - 127), acc)                              the one rounding
//
// which is acc = rne32(acc + T): the model `sequential`. A scale of 255 is NaN and makes the sum NaN. The
// subtrahend overflows for m > 233; add_block_of_any_scale takes those.
#pragma once

#include <cmath>
#include <cstdint>

#include "optimized/platform/host_device.hpp"

namespace mxproof::matrix_core {

inline constexpr int32_t kDotStart = 0x4b400000;
inline constexpr uint32_t kStartValues = 0x0c0c0c0cu;  ///< four times 12
inline constexpr uint32_t kNanScale = 255;
inline constexpr uint32_t kLargestPlainScale = 233;

MXPROOF_HOST_DEVICE inline float float_of_bits(uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
MXPROOF_HOST_DEVICE inline uint32_t bits_of_float(float value) {
  return __builtin_bit_cast(uint32_t, value);
}

/// Byte i is the byte of high:low that nibble i of `selector` names with bits 2:0; where bit 3 is set, eight
/// copies of that byte's top bit.
MXPROOF_HOST_DEVICE inline uint32_t permute_bytes(uint32_t low, uint32_t high, uint32_t selector) {
#if defined(__CUDA_ARCH__)
  uint32_t bytes;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(selector));
  return bytes;
#else
  const uint64_t all = uint64_t{high} << 32 | low;
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t nibble = selector >> (4 * i) & 0xfu;
    const auto byte = static_cast<uint32_t>(all >> (8 * (nibble & 7u)) & 0xffu);
    bytes |= ((nibble & 8u) == 0 ? byte : byte >> 7 != 0 ? 0xffu : 0u) << (8 * i);
  }
  return bytes;
#endif
}

/// Eight int8: those of codes 0..3 and of codes 4..7 of a dword.
struct Values8 {
  uint32_t low;
  uint32_t high;
};

/// Doubled value plus 12 of each code. A code of the other sign selects its table's top bit, 0.
MXPROOF_HOST_DEVICE inline Values8 biased_values(uint32_t codes) {
  constexpr uint32_t kPositive[2] = {0x0f0e0d0cu, 0x18141210u};  // 12 + 0, 1, 2, 3, 4, 6, 8, 12
  constexpr uint32_t kNegative[2] = {0x090a0b0cu, 0x00040608u};  // 12 - 0, 1, 2, 3, 4, 6, 8, 12
  const uint32_t flipped = codes ^ 0x88888888u;
  return {
      permute_bytes(kPositive[0], kPositive[1], codes) | permute_bytes(kNegative[0], kNegative[1], flipped),
      permute_bytes(kPositive[0], kPositive[1], codes >> 16) |
          permute_bytes(kNegative[0], kNegative[1], flipped >> 16)};
}

/// Doubled value of each code.
MXPROOF_HOST_DEVICE inline Values8 doubled_values(uint32_t codes) {
  // Byte by byte: the top bit, set first, keeps a borrow inside of its byte.
  const auto unbias = [](uint32_t bytes) { return ((bytes | 0x80808080u) - kStartValues) ^ 0x80808080u; };
  const Values8 biased = biased_values(codes);
  return {unbias(biased.low), unbias(biased.high)};
}

/// 2^e for -149 <= e <= 127.
MXPROOF_HOST_DEVICE inline float power_of_two(int e) {
  return float_of_bits(e >= -126 ? static_cast<uint32_t>(e + 127) << 23 : 1u << (e + 149));
}

/// What the scale byte n of a column multiplies by.
MXPROOF_HOST_DEVICE inline float column_power(uint32_t n) {
  return n == kNanScale ? float_of_bits(0x7fc00000u) : power_of_two(static_cast<int>(n) - 127);
}

/// What the scale byte m of a row multiplies by, with the quarter of the two doubled operands.
MXPROOF_HOST_DEVICE inline float row_power(uint32_t m) {
  return m == kNanScale ? float_of_bits(0x7fc00000u) : power_of_two(static_cast<int>(m) - 129);
}

/// Whether a row's scale byte needs add_block_of_any_scale.
MXPROOF_HOST_DEVICE inline bool needs_care(uint32_t m) {
  return m > kLargestPlainScale && m != kNanScale;
}

/// acc + T with one rounding, for rows that need no care. `biased` and `start` are the numbers, not their
/// bits.
MXPROOF_HOST_DEVICE inline float add_block(float acc, float biased, float start, float row, float column) {
  return std::fma(std::fma(biased, row, -(start * row)), column, acc);
}

/// acc + T with one rounding, for all scales.
MXPROOF_HOST_DEVICE inline float add_block_of_any_scale(float acc, float biased, float start, float row,
                                                        float column) {
  constexpr float kHuge = 0x1p90f;
  constexpr float kMove = 0x1p64f;
  constexpr float kMost = 0x1p127f;
  const float dot = biased - start;
  if (!(row >= kHuge)) return std::fma(dot * row, column, acc);
  // dot * row may overflow where the whole product does not: part of the power moves to the column. What does
  // not fit there stays behind; T is above 2^128 then, unless it is 0.
  const float moved = column > kMost / kMove ? kMost : column * kMove;
  return std::fma(dot * (row / kMove), moved, acc);
}

}  // namespace mxproof::matrix_core
