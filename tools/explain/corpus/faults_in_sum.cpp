#include <algorithm>
#include <bit>
#include <cmath>

#include "reference/round.hpp"
#include "tools/explain/corpus/lab.hpp"

namespace mxproof::explain {
namespace {

/// Plain loops in f32 over decoded values; `after(acc, k)` is called behind every element.
template <class After, class Store>
Matrix<Bf16> multiply(const Lab& l, After after, Store store) {
  const Matrix<float> a = values_of(l.a);
  const Matrix<float> b = values_of(l.b);
  Matrix<Bf16> out(l.shape.m, l.shape.n);
  for (int64_t r = 0; r < out.rows; ++r) {
    for (int64_t c = 0; c < out.cols; ++c) {
      float acc = 0;
      for (int64_t k = 0; k < l.shape.k; ++k) acc = after(acc + a(r, k) * b(c, k), k);
      out(r, c) = store(acc);
    }
  }
  return out;
}

float as_bf16(float x) {
  return to_bf16(x).to_float();
}

/// f32 sums of elements [first, last).
Matrix<float> partial(const Lab& l, int64_t first, int64_t last) {
  const Matrix<float> a = values_of(l.a);
  const Matrix<float> b = values_of(l.b);
  Matrix<float> out(l.shape.m, l.shape.n);
  for (int64_t r = 0; r < out.rows; ++r) {
    for (int64_t c = 0; c < out.cols; ++c) {
      for (int64_t k = first; k < last; ++k) out(r, c) += a(r, k) * b(c, k);
    }
  }
  return out;
}

Matrix<Bf16> rounded(const Matrix<float>& m) {
  Matrix<Bf16> out(m.rows, m.cols);
  for (size_t i = 0; i < m.data.size(); ++i) out.data[i] = to_bf16(m.data[i]);
  return out;
}

Matrix<float> plus(const Matrix<float>& x, const Matrix<float>& y, float factor) {
  Matrix<float> out = x;
  for (size_t i = 0; i < out.data.size(); ++i) out.data[i] += factor * y.data[i];
  return out;
}

int64_t some_split(const Lab& l) {
  for (int64_t parts : {4, 3, 5, 2}) {
    if (l.shape.k % (parts * 32) == 0) return parts;
  }
  return 1;
}

Matrix<Bf16> slice_weighted(const Lab& l, int64_t first, int64_t last, float factor) {
  return rounded(plus(partial(l, 0, l.shape.k), partial(l, first, last), factor));
}

}  // namespace

std::vector<Fault> faults_in_sum() {
  return {
      {"bf16 accumulator, every element",
       {"low-precision-sum"},
       {},
       [](const Lab& l) {
         return l.output(multiply(l, [](float acc, int64_t) { return as_bf16(acc); }, to_bf16));
       }},
      {"bf16 accumulator, every 32",
       {"low-precision-sum"},
       {},
       [](const Lab& l) {
         return l.output(
             multiply(l, [](float acc, int64_t k) { return k % 32 == 31 ? as_bf16(acc) : acc; }, to_bf16));
       }},
      {"bf16 accumulator, every 128",
       {"low-precision-sum"},
       {},
       [](const Lab& l) {
         return l.output(
             multiply(l, [](float acc, int64_t k) { return k % 128 == 127 ? as_bf16(acc) : acc; }, to_bf16));
       }},
      {"f16 accumulator, every 32",
       {"low-precision-sum"},
       {},
       [](const Lab& l) {
         return l.output(multiply(
             l,
             [](float acc, int64_t k) {
               return k % 32 == 31 ? reference::round_to_f16(acc).to_float() : acc;
             },
             to_bf16));
       }},
      {"split-K partials in bf16",
       {"low-precision-sum"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         const int64_t parts = some_split(l);
         if (parts == 1) return std::nullopt;
         Matrix<float> sum(l.shape.m, l.shape.n);
         for (int64_t p = 0; p < parts; ++p) {
           const Matrix<float> part = partial(l, p * l.shape.k / parts, (p + 1) * l.shape.k / parts);
           for (size_t i = 0; i < sum.data.size(); ++i)
             sum.data[i] = as_bf16(sum.data[i] + as_bf16(part.data[i]));
         }
         return l.output(rounded(sum));
       }},
      {"f32 cut to bf16",
       {"narrowing"},
       {},
       [](const Lab& l) {
         return l.output(multiply(
             l, [](float acc, int64_t) { return acc; },
             [](float x) { return Bf16{static_cast<uint16_t>(std::bit_cast<uint32_t>(x) >> 16)}; }));
       }},
      {"bf16 rounding half up",
       {"narrowing"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         Evidence e = l.output(multiply(
             l, [](float acc, int64_t) { return acc; },
             [](float x) {
               return Bf16{static_cast<uint16_t>((std::bit_cast<uint32_t>(x) + 0x8000u) >> 16)};
             }));
         // Exact ties are rare in small sums: without a few there is nothing to see.
         return e.wrong_cells().end() - std::find(e.wrong.begin(), e.wrong.end(), 1) > 0 &&
                        std::count(e.wrong.begin(), e.wrong.end(), 1) >= 4
                    ? std::optional(std::move(e))
                    : std::nullopt;
       }},
      {"split-K slice missing",
       {"k-range-missing"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         const int64_t parts = some_split(l);
         const int64_t p = l.below(parts);
         return l.output(slice_weighted(l, p * l.shape.k / parts, (p + 1) * l.shape.k / parts, -1));
       }},
      {"split-K slice added twice",
       {"k-range-doubled"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         const int64_t parts = some_split(l);
         const int64_t p = l.below(parts);
         return l.output(slice_weighted(l, p * l.shape.k / parts, (p + 1) * l.shape.k / parts, 1));
       }},
      {"K tail of one block dropped",
       {"k-range-missing"},
       {},
       [](const Lab& l) { return l.output(slice_weighted(l, l.shape.k - 32, l.shape.k, -1)); }},
      {"one block in the middle twice",
       {"k-range-doubled"},
       {},
       [](const Lab& l) {
         return l.output(slice_weighted(l, l.shape.k / 64 * 32, l.shape.k / 64 * 32 + 32, 1));
       }},
      {"two blocks of K lost, far apart",
       {"k-blocks"},
       {},
       [](const Lab& l) {
         const int64_t last = l.shape.k - 4 * 32;
         Matrix<float> sum = plus(partial(l, 0, l.shape.k), partial(l, 64, 96), -1);
         return l.output(rounded(plus(sum, partial(l, last, last + 32), -1)));
       }},
      {"slice missing in one tile of columns",
       {"k-range-missing"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.n < 128) return std::nullopt;
         const int64_t half = l.shape.k / 64 * 32;
         const Matrix<Bf16> wrong = slice_weighted(l, 0, half, -1);
         Matrix<Bf16> out = l.right;
         for (int64_t r = 0; r < out.rows; ++r) {
           for (int64_t c = 64; c < 128; ++c) out(r, c) = wrong(r, c);
         }
         return l.output(std::move(out));
       }},
      {"K runs on into the next row",
       {"k-leak"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         const int64_t reach = (l.shape.k + 255) / 256 * 256;
         if (reach == l.shape.k) return std::nullopt;
         const auto longer = [&](const Mxfp4Matrix& m) {
           Mxfp4Matrix out(m.rows, reach);
           for (int64_t r = 0; r < m.rows; ++r) {
             for (int64_t byte = 0; byte < reach / 2; ++byte) {
               const auto at = static_cast<size_t>(r * m.cols / 2 + byte);
               out.code_row(r)[byte] = at < m.codes.size() ? m.codes[at] : uint8_t{0};
             }
             for (int64_t b = 0; b < reach / 32; ++b) {
               const auto at = static_cast<size_t>(r * m.cols / 32 + b);
               out.scale_row(r)[b] = at < m.scales.size() ? m.scales[at] : uint8_t{0};
             }
           }
           return out;
         };
         return l.output(Lab::product(longer(l.a), longer(l.b)));
       }},
  };
}

}  // namespace mxproof::explain
