// The shape of a product C[M,N] = A[M,K] * B[N,K]^T. Always counted in elements, never in packed bytes.
#pragma once

#include <cstdint>

namespace mxproof {

/// Elements along K that share one e8m0 block scale.
inline constexpr int64_t kBlock = 32;

struct GemmShape {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;

  constexpr int64_t blocks() const { return k / kBlock; }  ///< Block scales per row.
  constexpr int64_t row_bytes() const { return k / 2; }    ///< Packed FP4 code bytes per row.
  friend constexpr bool operator==(const GemmShape&, const GemmShape&) = default;
};

}  // namespace mxproof
