// The reference quantiser: rows of numbers to MXFP4, every field of a QuantPolicy honoured exactly.
#pragma once

#include <cstdint>

#include "common/format/bf16.hpp"
#include "common/format/f16.hpp"
#include "common/matrix.hpp"
#include "common/policy/quant_policy.hpp"
#include "common/status.hpp"

namespace mxproof::reference {

/// Quantises [rows, K] along K in blocks of 32. K must be a positive multiple of 32 and the view's stride at
/// least K; anything else is bad input. Element x of a block with scale 2^e becomes the code of x / 2^e,
/// computed exactly and rounded once by the policy's tie rule.
Expected<Mxfp4Matrix> quantize(MatrixView<const Bf16> values, const QuantPolicy& policy = {});
Expected<Mxfp4Matrix> quantize(MatrixView<const float> values, const QuantPolicy& policy = {});
Expected<Mxfp4Matrix> quantize(MatrixView<const Half> values, const QuantPolicy& policy = {});

/// One block: 32 values to 16 packed bytes (low nibble first) and the scale byte, which is returned.
uint8_t quantize_block(const float values[32], const QuantPolicy& policy, uint8_t codes[16]);

/// The scale byte for a block maximum >= 0 that is not NaN, by rule, overflow and zero-block fields of the
/// policy.
uint8_t scale_byte(float amax, const QuantPolicy& policy);

/// The code (0..15) of x / 2^exponent by the tie rule, sign kept; Inf and NaN saturate.
uint8_t element_code(float x, int exponent, TieRule tie);

}  // namespace mxproof::reference
