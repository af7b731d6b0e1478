#include "tools/explain/corpus/lab.hpp"

#include <cassert>
#include <cmath>

#include "common/format/e2m1.hpp"
#include "common/random/fill.hpp"
#include "reference/dequantize.hpp"
#include "reference/gemm.hpp"
#include "reference/quantize.hpp"
#include "reference/round.hpp"

namespace mxproof::explain {

Lab::Lab(GemmShape s, uint64_t with_seed) : shape(s), seed(with_seed), random(with_seed) {
  a_values = normal_matrix(s.m, s.k, seed, TensorId::a, 1);
  b_values = normal_matrix(s.n, s.k, seed, TensorId::b, 1);
  a = *reference::quantize(a_values.view());
  b = *reference::quantize(b_values.view());
  right = product(a, b);
}

Matrix<Bf16> Lab::product(const Mxfp4Matrix& a, const Mxfp4Matrix& b) {
  const Expected<reference::GemmReference> result = reference::gemm(a, b);
  assert(result && "the lab multiplies matching operands only");
  const MatrixView<const Bf16> values = result->values();
  Matrix<Bf16> out(values.rows, values.cols);
  for (int64_t row = 0; row < values.rows; ++row) {
    for (int64_t col = 0; col < values.cols; ++col) out(row, col) = values(row, col);
  }
  return out;
}

float Lab::sums(int64_t row, int64_t col) const {
  float sum = 0;
  for (int64_t k = 0; k < shape.k; ++k) {
    const float scale =
        std::ldexp(1.0f, a.scale_row(row)[k / 32] - 127) * std::ldexp(1.0f, b.scale_row(col)[k / 32] - 127);
    sum += scale * kE2m1Values[get_code(a, row, k)] * kE2m1Values[get_code(b, col, k)];
  }
  return sum;
}

Evidence Lab::output(Matrix<Bf16> actual) const {
  Expected<Evidence> evidence = output_evidence(a_values, {}, b, std::move(actual));
  assert(evidence && "lab evidence is well-formed");
  return std::move(*evidence);
}

Evidence Lab::quantised(Mxfp4Matrix got) const {
  Expected<Evidence> evidence = quantised_evidence(widen(a_values), {}, std::move(got));
  assert(evidence && "lab evidence is well-formed");
  return std::move(*evidence);
}

uint8_t get_code(const Mxfp4Matrix& m, int64_t row, int64_t k) {
  return e2m1_code_at(m.code_row(row), k);
}

void set_code(Mxfp4Matrix& m, int64_t row, int64_t k, uint8_t code) {
  uint8_t& byte = m.code_row(row)[k / 2];
  byte = static_cast<uint8_t>(k % 2 == 0 ? (byte & 0xf0) | code : (byte & 0x0f) | code << 4);
}

Mxfp4Matrix swap_nibbles(Mxfp4Matrix m) {
  for (uint8_t& byte : m.codes) byte = static_cast<uint8_t>(byte << 4 | byte >> 4);
  return m;
}

Matrix<float> values_of(const Mxfp4Matrix& m) {
  return reference::dequantize_f32(m);
}

Bf16 to_bf16(float x) {
  return reference::round_to_bf16(x);
}

}  // namespace mxproof::explain
