// FP4 e2m1: the sixteen codes and the ways in which two of them share a byte.
#pragma once

#include <array>
#include <cstdint>

namespace mxproof {

/// Value of each code. Bit 3 is the sign; there is no Inf and no NaN. OCP MX v1.0, table 5.
inline constexpr std::array<float, 16> kE2m1Values = {0.0f,  0.5f,  1.0f,  1.5f,  2.0f,  3.0f,  4.0f,  6.0f,
                                                      -0.0f, -0.5f, -1.0f, -1.5f, -2.0f, -3.0f, -4.0f, -6.0f};

/// How two codes lie in a byte.
///   low_first  : byte i = [ code 2i+1 | code 2i ]     (the order used by every kernel here)
///   high_first : byte i = [ code 2i | code 2i+1 ]
enum class NibbleOrder { low_first, high_first };

/// Code of element `k` in a packed row.
constexpr uint8_t e2m1_code_at(const uint8_t* row, int64_t k, NibbleOrder order = NibbleOrder::low_first) {
  const bool high = ((k & 1) != 0) == (order == NibbleOrder::low_first);
  return static_cast<uint8_t>(high ? row[k / 2] >> 4 : row[k / 2] & 0xf);
}

}  // namespace mxproof
