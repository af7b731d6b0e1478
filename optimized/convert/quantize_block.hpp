// One block of 32 bf16 elements to MXFP4, by one thread.
#pragma once

#include "optimized/convert/e2m1.hpp"
#include "optimized/convert/even_scale.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::convert {

/// 32 bf16 as they lie in memory.
struct Bf16Block {
  uint4 quarters[4];
};

struct QuantizedBlock {
  uint4 codes;     ///< 32 codes, the first in the lowest nibble
  uint32_t scale;  ///< e8m0 byte
};

/// Reads 64 bytes at a 16-byte aligned address.
__device__ inline Bf16Block load_block(const uint16_t* from) {
  const auto* quarters = reinterpret_cast<const uint4*>(from);
  return {{quarters[0], quarters[1], quarters[2], quarters[3]}};
}

/// Largest magnitudes of the elements in the low and in the high halves of eight elements.
__device__ inline uint32_t amax_pair(const uint4& eight) {
  constexpr uint32_t kMagnitudes = 0x7fff7fffu;
  const uint32_t low = platform::max_u16x2(eight.x & kMagnitudes, eight.y & kMagnitudes);
  const uint32_t high = platform::max_u16x2(eight.z & kMagnitudes, eight.w & kMagnitudes);
  return platform::max_u16x2(low, high);
}

__device__ inline uint32_t amax_of_pair(uint32_t pair) {
  return platform::larger(pair & 0xffffu, pair >> 16);
}

__device__ inline uint32_t block_amax(const Bf16Block& block) {
  uint32_t pair = 0;
  for (const uint4& quarter : block.quarters) pair = platform::max_u16x2(pair, amax_pair(quarter));
  return amax_of_pair(pair);
}

/// Quantises by the rules in optimized/quantize/quantize.hpp.
__device__ inline QuantizedBlock quantize_block(const Bf16Block& block) {
  const uint32_t scale = even_scale(block_amax(block));
  if (scale == kScaleNan) return {make_uint4(0, 0, 0, 0), scale};
  return {make_uint4(pack_e2m1(block.quarters[0], scale), pack_e2m1(block.quarters[1], scale),
                     pack_e2m1(block.quarters[2], scale), pack_e2m1(block.quarters[3], scale)),
          scale};
}

}  // namespace mxproof::convert
