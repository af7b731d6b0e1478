// The reference dequantiser: exact values of MXFP4, and their roundings.
#pragma once

#include "common/format/bf16.hpp"
#include "common/format/f16.hpp"
#include "common/matrix.hpp"

namespace mxproof::reference {

/// code * 2^(byte - 127). Always exact in double; NaN for byte 255.
double dequantize_value(uint8_t code, uint8_t scale_byte);

/// All values of a matrix, rounded to nearest even in the type asked for. Double is exact. f32 overflows to
/// Inf only for codes above 1.5 at byte 254 or 4 and 6 at byte 253, and is exact otherwise.
Matrix<double> dequantize_f64(const Mxfp4Matrix& matrix);
Matrix<float> dequantize_f32(const Mxfp4Matrix& matrix);
Matrix<Bf16> dequantize_bf16(const Mxfp4Matrix& matrix);
Matrix<Half> dequantize_f16(const Mxfp4Matrix& matrix);

}  // namespace mxproof::reference
