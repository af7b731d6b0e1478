#include "reference/dequantize.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "common/format/e8m0.hpp"
#include "common/shape.hpp"
#include "reference/round.hpp"

namespace mxproof::reference {
namespace {

/// Twice the value of each code; the shared table in common serves kernels too, so the reference has its own.
constexpr std::array<int, 8> kDoubled = {0, 1, 2, 3, 4, 6, 8, 12};

template <class T, class Round>
Matrix<T> dequantize(const Mxfp4Matrix& matrix, Round round) {
  Matrix<T> result(matrix.rows, matrix.cols);
  for (int64_t r = 0; r < matrix.rows; ++r) {
    for (int64_t k = 0; k < matrix.cols; ++k) {
      const uint8_t pair = matrix.code_row(r)[k / 2];
      const uint8_t code = k % 2 == 0 ? pair & 0xf : pair >> 4;
      result(r, k) = round(dequantize_value(code, matrix.scale_row(r)[k / kBlock]));
    }
  }
  return result;
}

}  // namespace

double dequantize_value(uint8_t code, uint8_t scale_byte) {
  if (e8m0_is_nan(scale_byte)) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = std::ldexp(kDoubled[code & 7], scale_byte - kE8m0Bias - 1);
  return (code & 8) != 0 ? -magnitude : magnitude;
}

Matrix<double> dequantize_f64(const Mxfp4Matrix& matrix) {
  return dequantize<double>(matrix, [](double x) { return x; });
}
Matrix<float> dequantize_f32(const Mxfp4Matrix& matrix) {
  return dequantize<float>(matrix, round_to_f32);
}
Matrix<Bf16> dequantize_bf16(const Mxfp4Matrix& matrix) {
  return dequantize<Bf16>(matrix, round_to_bf16);
}
Matrix<Half> dequantize_f16(const Mxfp4Matrix& matrix) {
  return dequantize<Half>(matrix, round_to_f16);
}

}  // namespace mxproof::reference
