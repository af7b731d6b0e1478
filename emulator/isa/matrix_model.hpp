// How a matrix instruction's block sums and its C operand become one f32: the models of numerics, section 5.
#pragma once

#include <cstdint>
#include <span>

#include "emulator/machine/settings.hpp"

namespace mxproof::emulator {

/// One block's contribution: significand * 2^exponent exactly, or a special value.
struct BlockSum {
  __int128 significand = 0;
  int exponent = 0;
  enum class Special : uint8_t {
    finite,
    positive_infinity,
    negative_infinity,
    nan
  } special = Special::finite;
};

/// The exact product of two floats as a term.
BlockSum product_of(float a, float b);

/// C plus the block sums, in instruction order, as `model` adds them. Every NaN comes back as 0x7fc00000.
float accumulate_blocks(MfmaAccumulation model, float c, std::span<const BlockSum> blocks);

}  // namespace mxproof::emulator
