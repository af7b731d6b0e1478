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

__device__ inline uint32_t block_amax(const Bf16Block& block) {
  constexpr uint32_t kMagnitudes = 0x7fff7fffu;
  uint32_t pair = 0;
  for (const uint4& q : block.quarters) {
    const uint32_t low = platform::max_u16x2(q.x & kMagnitudes, q.y & kMagnitudes);
    const uint32_t high = platform::max_u16x2(q.z & kMagnitudes, q.w & kMagnitudes);
    pair = platform::max_u16x2(pair, platform::max_u16x2(low, high));
  }
  return platform::larger(pair & 0xffffu, pair >> 16);
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
