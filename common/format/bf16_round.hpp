// Rounding to bf16 for data that we make or load. The reference and the kernels round with code of their own.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "common/format/bf16.hpp"

namespace mxproof {

/// Nearest bf16, ties to even. Overflow gives Inf; a NaN stays a NaN of the same sign.
constexpr Bf16 round_to_bf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (value != value) return {static_cast<uint16_t>(bits >> 16 | 0x0040u)};
  return {static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

/// Nearest bf16 of a double, rounded once: a detour through float would round twice. The double is first
/// rounded to odd at 24 bits, which keeps every tie and every side of it (Boldo and Melquiond, 2008).
inline Bf16 round_to_bf16(double value) {
  float near = static_cast<float>(value);
  const double error = value - static_cast<double>(near);
  const uint32_t bits = std::bit_cast<uint32_t>(near);
  if (std::isfinite(near) && error != 0 && (bits & 1u) == 0) {
    const bool away_from_zero = (error > 0) == !std::signbit(near);
    near = std::bit_cast<float>(away_from_zero ? bits + 1 : bits - 1);
  }
  return round_to_bf16(near);
}

}  // namespace mxproof
