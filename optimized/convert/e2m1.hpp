// bf16 to e2m1 under a block scale.
#pragma once

#include "optimized/convert/even_scale.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::convert {

/// Code of a finite x / 2^(byte - 127): nearest, ties to the even code, saturated at 6, the sign kept even of
/// zero. `reciprocal` is 2^(127 - byte); the product is exact, or so small that the code is 0 whatever it
/// rounds to.
__device__ inline uint32_t e2m1_code(uint32_t bf16_bits, float reciprocal) {
  const float y = platform::bit_cast<float>((bf16_bits & 0x7fffu) << 16) * reciprocal;
  // A tie goes to the even code: up where the code above the midpoint is even (>=), down where it is odd (>).
  const uint32_t magnitude = uint32_t{y > 0.25f} + uint32_t{y >= 0.75f} + uint32_t{y > 1.25f} +
                             uint32_t{y >= 1.75f} + uint32_t{y > 2.5f} + uint32_t{y >= 3.5f} +
                             uint32_t{y > 5.0f};
  return magnitude | (bf16_bits >> 12 & 8u);
}

/// Eight bf16 (two a word, the first in the low half) to eight codes, the first in the low nibble.
/// The portable form; it defines what the instructions below must give.
__device__ inline uint32_t pack_e2m1_portable(uint4 x, uint32_t scale_byte) {
  // 2^(127 - byte). The exponent field 254 - byte is 0 for byte 254, which no finite bf16 block has.
  const float reciprocal = platform::bit_cast<float>((254u - scale_byte) << 23);
  const uint32_t words[4] = {x.x, x.y, x.z, x.w};
  uint32_t codes = 0;
  for (int i = 0; i < 4; ++i) {
    codes |= e2m1_code(words[i] & 0xffffu, reciprocal) << (8 * i);
    codes |= e2m1_code(words[i] >> 16, reciprocal) << (8 * i + 4);
  }
  return codes;
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
