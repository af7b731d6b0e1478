// The fast quantiser. It works on bit patterns: |x| / 2^e is at least the c-th rounding threshold exactly
// when the bits of |x| are at least those of the smallest value of the type that the scalar definition gives
// code c. So seven integer compares encode an element, nothing is scaled and nothing can be flushed or
// rounded.
#pragma once

#include <array>
#include <cstdint>

#include "common/format/bf16.hpp"
#include "common/format/f16.hpp"
#include "common/policy/quant_policy.hpp"

namespace mxproof::reference::simd {

/// thresholds[c - 1]: the largest bit pattern of a magnitude that becomes a code below c, c = 1..7. Bits is
/// int16_t for Bf16 and Half, int32_t for float. Found by bisection of reference::element_code, once per
/// scale byte, tie rule and type.
template <class Bits>
using CodeThresholds = std::array<Bits, 7>;

/// True when `quantize_blocks` handles the policy; the others, rare in practice, take the scalar way.
template <class T>
bool has_fast_path(const QuantPolicy& policy);

/// Quantises `blocks` consecutive blocks of 32: codes to 16 bytes each, scales to one byte each. Blocks of
/// zeros and blocks with NaN or Inf are left to reference::quantize_block.
template <class T>
void quantize_blocks(const T* values, int64_t blocks, const QuantPolicy& policy, uint8_t* codes,
                     uint8_t* scales);
template <>
void quantize_blocks(const Bf16*, int64_t, const QuantPolicy&, uint8_t*, uint8_t*);
template <>
void quantize_blocks(const Half*, int64_t, const QuantPolicy&, uint8_t*, uint8_t*);
template <>
void quantize_blocks(const float*, int64_t, const QuantPolicy&, uint8_t*, uint8_t*);

/// Codes, one a byte, of `count` floats (a multiple of 32) at one scale byte.
void element_codes(const float* values, int64_t count, uint8_t scale_byte, TieRule tie, uint8_t* codes);

}  // namespace mxproof::reference::simd
