#include <algorithm>
#include <bit>
#include <cmath>

#include "tools/explain/corpus/lab.hpp"

namespace mxproof::explain {
namespace {

/// A quantiser of the corpus' own: from amax to an exponent, and from |x|/2^e to a magnitude code.
struct Quantiser {
  std::function<int(float amax)> exponent;
  std::function<int(double magnitude, bool negative)> code;
  std::function<float(const float* block)> amax;
};

float full_amax(const float* v) {
  float amax = 0;
  for (int i = 0; i < 32; ++i) amax = std::max(amax, std::fabs(v[i]));
  return amax;
}

constexpr double kLevels[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

int nearest(double m, int (*at_tie)(int lower)) {
  if (m >= 6) return 7;
  int lower = 0;
  while (kLevels[lower + 1] <= m) ++lower;
  const double middle = (kLevels[lower] + kLevels[lower + 1]) / 2;
  if (m == middle) return at_tie(lower);
  return m < middle ? lower : lower + 1;
}
int to_even(double m, bool) {
  return nearest(m, [](int lower) { return lower % 2 == 0 ? lower : lower + 1; });
}

int mantissa_exponent(float amax, double up_from) {
  if (!(amax > 0)) return -127;
  int e = 0;
  const double mantissa = 2 * std::frexp(static_cast<double>(amax), &e);
  return e - 1 - 2 + (mantissa >= up_from ? 1 : 0);
}
int even_exponent(float amax) {
  return mantissa_exponent(amax, 1.75);
}

Mxfp4Matrix quantise(const Matrix<Bf16>& values, const Quantiser& q) {
  Mxfp4Matrix out(values.rows, values.cols);
  for (int64_t row = 0; row < values.rows; ++row) {
    for (int64_t b = 0; b < values.cols / 32; ++b) {
      float v[32];
      for (int64_t i = 0; i < 32; ++i) v[i] = values(row, b * 32 + i).to_float();
      const int e = std::clamp(q.exponent(q.amax(v)), -127, 127);
      out.scale_row(row)[b] = static_cast<uint8_t>(e + 127);
      for (int64_t i = 0; i < 32; ++i) {
        const bool negative = std::signbit(v[i]);
        const int code = q.code(std::ldexp(std::fabs(static_cast<double>(v[i])), -e), negative);
        set_code(out, row, b * 32 + i, static_cast<uint8_t>(code | (negative ? 8 : 0)));
      }
    }
  }
  return out;
}

Fault quantiser_fault(std::string_view name, std::string_view truth, const Quantiser& q) {
  return {
      name, {truth}, {}, [q](const Lab& l) { return l.output(Lab::product(quantise(l.a_values, q), l.b)); }};
}

int truncated(double m, bool) {
  int code = 0;
  while (code < 7 && kLevels[code + 1] <= m) ++code;
  return code;
}

int half_away(double m, bool) {
  return nearest(m, [](int lower) { return lower + 1; });
}
int half_down(double m, bool) {
  return nearest(m, [](int lower) { return lower; });
}

/// The product of the unquantised A with the quantised B, in f32 along K.
Matrix<Bf16> unquantised_product(const Lab& l) {
  const Matrix<float> b = values_of(l.b);
  Matrix<Bf16> out(l.shape.m, l.shape.n);
  for (int64_t r = 0; r < out.rows; ++r) {
    for (int64_t c = 0; c < out.cols; ++c) {
      float sum = 0;
      for (int64_t k = 0; k < l.shape.k; ++k) sum += l.a_values(r, k).to_float() * b(c, k);
      out(r, c) = to_bf16(sum);
    }
  }
  return out;
}

}  // namespace

std::vector<Fault> faults_in_quantiser() {
  return {
      quantiser_fault("scale rule floor", "scale-rule",
                      {[](float m) { return mantissa_exponent(m, 2); }, to_even, full_amax}),
      quantiser_fault(
          "scale rule rceil", "scale-rule",
          {[](float m) { return mantissa_exponent(m, std::nextafter(1.5, 2)); }, to_even, full_amax}),
      quantiser_fault(
          "scale rule ceil", "scale-rule",
          {[](float m) { return mantissa_exponent(m, std::nextafter(1.0, 2)); }, to_even, full_amax}),
      quantiser_fault("scale up from mantissa 1.5", "scale-rule",
                      {[](float m) { return mantissa_exponent(m, 1.5); }, to_even, full_amax}),
      quantiser_fault("scale byte one low", "scale-rule",
                      {[](float m) { return even_exponent(m) - 1; }, to_even, full_amax}),
      quantiser_fault("ties away from zero", "tie-rule", {even_exponent, half_away, full_amax}),
      quantiser_fault("ties toward zero", "tie-rule", {even_exponent, half_down, full_amax}),
      quantiser_fault("elements truncated", "tie-rule", {even_exponent, truncated, full_amax}),
      quantiser_fault("amax without lane 31", "block-maximum",
                      {even_exponent, to_even,
                       [](const float* v) {
                         float m = 0;
                         for (int i = 0; i < 31; ++i) m = std::max(m, std::fabs(v[i]));
                         return m;
                       }}),
      quantiser_fault("amax without absolute value", "block-maximum",
                      {even_exponent, to_even,
                       [](const float* v) { return std::max(0.0f, *std::max_element(v, v + 32)); }}),
      quantiser_fault("amax of half a block", "block-maximum",
                      {even_exponent, to_even,
                       [](const float* v) {
                         float m = 0;
                         for (int i = 0; i < 16; ++i) m = std::max(m, std::fabs(v[i]));
                         return m;
                       }}),
      {"A not quantised",
       {"not-quantised"},
       {},
       [](const Lab& l) { return l.output(unquantised_product(l)); }},
      {"scale rule floor in one tile of rows",
       {"scale-rule"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.m < 32) return std::nullopt;
         const Mxfp4Matrix other =
             quantise(l.a_values, {[](float m) { return mantissa_exponent(m, 2); }, to_even, full_amax});
         Matrix<Bf16> out = Lab::product(other, l.b);
         for (int64_t r = 16; r < l.shape.m; ++r) {
           for (int64_t c = 0; c < l.shape.n; ++c) out(r, c) = l.right(r, c);
         }
         return l.output(std::move(out));
       }},
  };
}

}  // namespace mxproof::explain
