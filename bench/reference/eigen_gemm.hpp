// The yardstick of the exact GEMM: Eigen's float GEMM, which rounds at every step and knows nothing of MXFP4.
#pragma once

#include "common/matrix.hpp"

namespace mxproof::bench {

/// C = A * B^T in f32, B split among `threads` threads. Eigen is faster with the result in one order or the
/// other, depending on the shape; `column_major` picks.
void eigen_gemm(const Matrix<float>& a, const Matrix<float>& b, unsigned threads, bool column_major,
                Matrix<float>& c);

}  // namespace mxproof::bench
