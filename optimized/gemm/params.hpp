// The one argument of every GEMM kernel.
#pragma once

#include <cstdint>

namespace mxproof {

struct GemmParams {
  const void* a;            ///< bf16 rows or row-major codes
  const uint8_t* a_scales;  ///< scale_32x8; unused for bf16 A
  const uint8_t* b;         ///< codes, row-major or 16x16
  const uint8_t* b_scales;  ///< row-major or scale_32x8
  void* c;                  ///< bf16 rows or f32 partials
  int64_t m;
  int64_t n;
  uint32_t a_stride;         ///< bytes from one row of A to the next
  int64_t c_stride;          ///< elements from one row of C to the next
  int32_t blocks;            ///< K / 32
  int32_t a_padded_blocks;   ///< columns of A's scale_32x8 buffer
  int32_t b_padded_blocks;   ///< columns of B's scale_32x8 buffer
  int32_t chunks_per_split;  ///< chunks of 256 along K that a work-group walks, ...
  int32_t longer_splits;     ///< ... and one more in the first `longer_splits` pieces of K
  bool c_whole_runs;         ///< every run of 4 columns of C is whole and 8-byte aligned
};

}  // namespace mxproof
