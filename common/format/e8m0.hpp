// e8m0, the block scale: one byte b that stands for 2^(b-127), b = 0..254; 255 is NaN. No zero, no Inf, no
// sign.
#pragma once

#include <cstdint>

namespace mxproof {

inline constexpr int kE8m0Bias = 127;
inline constexpr uint8_t kE8m0Nan = 255;

constexpr bool e8m0_is_nan(uint8_t byte) {
  return byte == kE8m0Nan;
}

/// Exponent of a scale that is not NaN: -127..127.
constexpr int e8m0_exponent(uint8_t byte) {
  return int{byte} - kE8m0Bias;
}

}  // namespace mxproof
