// bf16 to e2m1 under a block scale.
#pragma once

#include "optimized/convert/even_scale.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::convert {

// e2m1 has steps of 0.5 up to 2, of 1 up to 4, of 2 up to 6. With y = |x| / 2^(byte - 127),
//
//   code = min(round(2y), round(y) + 2, round(y / 2) + 4, 7)        round: to nearest even
//
// as each line is the lowest where its steps apply. Adding 1.5 * 2^22, 2^23 or 2^24, whose last places are
// 0.5, 1 and 2, rounds like that, and leaves the rounded number in the low bits of the sum.
inline constexpr float kHalves = 0x1.8p22f;
inline constexpr float kOnes = 0x1.8p23f;
inline constexpr float kTwos = 0x1.8p24f;
inline constexpr uint32_t kTwosBits = 0x4bc00000u;
/// From the bits of one sum to those of the next for the same code: the exponent, and 2 less.
inline constexpr uint32_t kNextSum = 0x00800000u - 2;

/// The code of the magnitude of x, plus kTwosBits - 4. The product is exact. `reciprocal` is 2^(127 - byte).
__device__ inline uint32_t biased_code(float magnitude, float reciprocal) {
  const auto bits = [](float sum) { return platform::bit_cast<uint32_t>(sum); };
  const uint32_t halves = bits(platform::fma(magnitude, reciprocal, kHalves));
  const uint32_t ones = bits(platform::fma(magnitude, reciprocal, kOnes));
  const uint32_t twos = bits(platform::fma(magnitude, reciprocal, kTwos));
  const uint32_t lower = platform::smaller_of_sum(halves, kNextSum, ones);
  return platform::smaller(platform::smaller_of_sum(lower, kNextSum, twos), kTwosBits - 4 + 7);
}

/// Eight bf16 (two a word, the first in the low half) to eight codes, the first in the low nibble: nearest,
/// ties to the even code, saturated at 6, the sign kept even of zero. x is finite, byte at most 253. The
/// portable form; it defines what the instructions below must give.
__device__ inline uint32_t pack_e2m1_portable(uint4 x, uint32_t scale_byte) {
  const float reciprocal = platform::bit_cast<float>((254u - scale_byte) << 23);
  const uint32_t words[4] = {x.x, x.y, x.z, x.w};
  uint32_t codes = 0;
  uint32_t bias = 0;
  uint32_t signs = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const uint32_t magnitudes = words[i] & 0x7fff7fffu;
    const float low = platform::bit_cast<float>(magnitudes << 16);
    const float high = platform::bit_cast<float>(magnitudes & 0xffff0000u);
    codes += (biased_code(low, reciprocal) << (8 * i)) + (biased_code(high, reciprocal) << (8 * i + 4));
    bias += 0x11u * (kTwosBits - 4) << (8 * i);
    signs |= ((words[i] >> 12 & 0x8u) | (words[i] >> 24 & 0x80u)) << (8 * i);
  }
  return (codes - bias) | signs;
}

#if defined(__gfx950__)
/// The same through gfx950's conversion: it divides by the scale, whose exponent field is the byte (field 0
/// means 2^-127), rounds to nearest even and saturates. Each instruction writes one byte and keeps the other
/// three.
__device__ inline uint32_t pack_e2m1(uint4 x, uint32_t scale_byte) {
  const float scale = platform::bit_cast<float>(scale_byte << 23);
  const auto pair = [](uint32_t word) {
    using Bf16x2 = __bf16 __attribute__((ext_vector_type(2)));
    return platform::bit_cast<Bf16x2>(word);
  };
  uint32_t codes = 0;
  codes = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(codes, pair(x.x), scale, 0);
  codes = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(codes, pair(x.y), scale, 1);
  codes = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(codes, pair(x.z), scale, 2);
  codes = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(codes, pair(x.w), scale, 3);
  return codes;
}
#else
__device__ inline uint32_t pack_e2m1(uint4 x, uint32_t scale_byte) {
  return pack_e2m1_portable(x, scale_byte);
}
#endif

}  // namespace mxproof::convert
