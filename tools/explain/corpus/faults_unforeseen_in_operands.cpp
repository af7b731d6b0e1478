// Unforeseen faults in operands and in quantised data; see faults_unforeseen.cpp.
#include <algorithm>
#include <cmath>

#include "reference/quantize.hpp"
#include "reference/round.hpp"
#include "tools/explain/corpus/lab.hpp"

namespace mxproof::explain {
namespace {

template <class From>
Mxfp4Matrix codes_from(const Mxfp4Matrix& m, From from) {
  Mxfp4Matrix out = m;
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t k = 0; k < m.cols; ++k) {
      const auto [row, at] = from(r, k);
      set_code(out, r, k, get_code(m, row, at));
    }
  }
  return out;
}

template <class Scale>
Mxfp4Matrix scales_from(const Mxfp4Matrix& m, Scale scale) {
  Mxfp4Matrix out = m;
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t b = 0; b < m.cols / 32; ++b) out.scale_row(r)[b] = scale(r, b);
  }
  return out;
}

/// Elements for which `lost` holds count nothing.
template <class Lost>
Mxfp4Matrix without(const Mxfp4Matrix& m, Lost lost) {
  Mxfp4Matrix out = m;
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t k = 0; k < m.cols; ++k) {
      if (lost(r, k)) set_code(out, r, k, 0);
    }
  }
  return out;
}

/// f32 product of decoded values, B transposed.
Matrix<float> multiply(const Matrix<float>& a, const Matrix<float>& b) {
  Matrix<float> out(a.rows, b.rows);
  for (int64_t r = 0; r < a.rows; ++r) {
    for (int64_t c = 0; c < b.rows; ++c) {
      for (int64_t k = 0; k < a.cols; ++k) out(r, c) += a(r, k) * b(c, k);
    }
  }
  return out;
}

Matrix<Bf16> narrowed(const Matrix<float>& m) {
  Matrix<Bf16> out(m.rows, m.cols);
  for (size_t i = 0; i < m.data.size(); ++i) out.data[i] = to_bf16(m.data[i]);
  return out;
}

/// A as its quantiser gets it after `change`, quantised.
template <class Change>
Mxfp4Matrix quantised_after(const Lab& l, Change change) {
  Matrix<float> values = widen(l.a_values);
  change(values);
  return *reference::quantize(values.view());
}

/// Rounds to three bits of mantissa, as fp8 e4m3 has them.
float three_bits(float x) {
  if (x == 0) return x;
  const float step = std::ldexp(1.0f, std::ilogb(x) - 3);
  return std::nearbyint(x / step) * step;
}

using At = std::pair<int64_t, int64_t>;

std::vector<Fault> in_operands() {
  return {
      {"halves of A's blocks exchanged",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(
             Lab::product(codes_from(l.a, [](int64_t r, int64_t k) { return At{r, k ^ 16}; }), l.b));
       }},
      {"every fourth block of A from the next row",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             codes_from(
                 l.a, [&](int64_t r, int64_t k) { return At{k / 32 % 4 == 3 ? (r + 1) % l.shape.m : r, k}; }),
             l.b));
       }},
      {"the last block of B takes the scale of the first",
       {"unknown", "scale-of-wrong-block", "columns"},
       {},
       [](const Lab& l) {
         const int64_t last = l.shape.k / 32 - 1;
         return l.output(Lab::product(l.a, scales_from(l.b, [&](int64_t r, int64_t b) {
                                        return l.b.scale_row(r)[b == last ? 0 : b];
                                      })));
       }},
      {"A's scales clipped at one",
       {"unknown", "rows"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             scales_from(l.a,
                         [&](int64_t r, int64_t b) { return std::min<uint8_t>(l.a.scale_row(r)[b], 126); }),
             l.b));
       }},
      {"A quantised, read back and quantised by another rule",
       {"unknown", "scale-rule"},
       {},
       [](const Lab& l) {
         QuantPolicy policy;
         policy.scale = ScaleRule::ceil;
         const Matrix<float> once = values_of(l.a);
         return l.output(Lab::product(*reference::quantize(once.view(), policy), l.b));
       }},
      {"one element of every block of A lost, another for each row",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             without(l.a, [](int64_t r, int64_t k) { return k % 32 == (7 * r + 3) % 32; }), l.b));
       }},
      {"bytes of A's dwords reversed",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(
             Lab::product(codes_from(l.a, [](int64_t r, int64_t k) { return At{r, k ^ 6}; }), l.b));
       }},
      {"B's scale rows counted in halves",
       {"unknown", "scale-of-wrong-row"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             l.a, scales_from(l.b, [&](int64_t r, int64_t b) { return l.b.scale_row(r / 2)[b]; })));
       }},
      {"scales of B's odd and even rows exchanged",
       {"unknown", "scale-of-wrong-row"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             l.a, scales_from(l.b, [&](int64_t r, int64_t b) { return l.b.scale_row(r ^ 1)[b]; })));
       }},
      {"A's pieces of 32 swizzled by the row",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(codes_from(l.a,
                                                 [&](int64_t r, int64_t k) {
                                                   const int64_t block = (k / 32) ^ (r % 4);
                                                   return At{
                                                       r, block < l.shape.k / 32 ? block * 32 + k % 32 : k};
                                                 }),
                                      l.b));
       }},
      {"A's rows r and r^8 exchanged in odd blocks",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(codes_from(l.a,
                                                 [&](int64_t r, int64_t k) {
                                                   const int64_t from =
                                                       k / 32 % 2 && (r ^ 8) < l.shape.m ? r ^ 8 : r;
                                                   return At{from, k};
                                                 }),
                                      l.b));
       }},
      {"A's codes with the sign in the lowest bit",
       {"unknown", "decoder-table"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix a = l.a;
         for (int64_t r = 0; r < a.rows; ++r) {
           for (int64_t k = 0; k < a.cols; ++k) {
             const uint8_t code = get_code(l.a, r, k);
             set_code(a, r, k, static_cast<uint8_t>((code & 1) << 3 | code >> 1));
           }
         }
         return l.output(Lab::product(a, l.b));
       }},
      {"A's code 7 saturates at 4",
       {"unknown", "decoder-table", "tie-rule"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix a = l.a;
         for (int64_t r = 0; r < a.rows; ++r) {
           for (int64_t k = 0; k < a.cols; ++k) {
             if ((get_code(a, r, k) & 7) == 7) set_code(a, r, k, static_cast<uint8_t>(get_code(a, r, k) - 1));
           }
         }
         return l.output(Lab::product(a, l.b));
       }},
      {"a Hadamard rotation of A alone",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(quantised_after(l,
                                                      [](Matrix<float>& m) {
                                                        for (size_t i = 0; i < m.data.size(); i += 32) {
                                                          float* v = m.data.data() + i;
                                                          for (size_t h = 1; h < 32; h *= 2) {
                                                            for (size_t j = 0; j < 32; ++j) {
                                                              if (j & h) continue;
                                                              const float x = v[j];
                                                              const float y = v[j | h];
                                                              v[j] = (x + y) * 0.70710678f;
                                                              v[j | h] = (x - y) * 0.70710678f;
                                                            }
                                                          }
                                                        }
                                                      }),
                                      l.b));
       }},
      {"A rounded at random",
       {"unknown"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix a = l.a;
         for (int64_t r = 0; r < a.rows; ++r) {
           for (int64_t k = 0; k < a.cols; ++k) {
             const uint8_t code = get_code(a, r, k);
             if (l.below(4) == 0 && (code & 7) < 7) set_code(a, r, k, static_cast<uint8_t>(code + 1));
           }
         }
         return l.output(Lab::product(a, l.b));
       }},
      {"A went through fp8 first",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(quantised_after(l,
                                                      [](Matrix<float>& m) {
                                                        for (float& x : m.data) x = three_bits(x);
                                                      }),
                                      l.b));
       }},
      {"A's scales are amax/6 and no powers of two",
       {"unknown"},
       {},
       [](const Lab& l) {
         Matrix<float> a = widen(l.a_values);
         for (size_t i = 0; i < a.data.size(); i += 32) {
           float amax = 0;
           for (size_t j = 0; j < 32; ++j) amax = std::max(amax, std::fabs(a.data[i + j]));
           const float scale = amax / 6;
           for (size_t j = 0; j < 32; ++j) {
             a.data[i + j] =
                 scale * reference::round_to_bf16(std::nearbyint(2 * a.data[i + j] / scale) / 2).to_float();
           }
         }
         return l.output(narrowed(multiply(a, values_of(l.b))));
       }},
      {"the accumulator is cleared in the middle",
       {"k-range-missing"},
       {},
       [](const Lab& l) {
         const int64_t middle = l.shape.k / 64 * 32;
         return l.output(Lab::product(without(l.a, [&](int64_t, int64_t k) { return k < middle; }), l.b));
       }},
      {"one wave misses its last step of K",
       {"k-range-missing"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             without(l.a, [&](int64_t r, int64_t k) { return r / 16 % 2 == 1 && k >= l.shape.k - 64; }),
             l.b));
       }},
      {"the first row of every tile misses a block",
       {"k-range-missing"},
       {},
       [](const Lab& l) {
         return l.output(
             Lab::product(without(l.a, [](int64_t r, int64_t k) { return r % 16 == 0 && k < 32; }), l.b));
       }},
      {"atomic adds are lost now and then",
       {"unknown"},
       {},
       [](const Lab& l) {
         std::vector<Matrix<Bf16>> without_part;
         const int64_t part = l.shape.k / 128 * 32;
         for (int64_t p = 0; p < 4; ++p) {
           without_part.push_back(Lab::product(
               without(l.a,
                       [&](int64_t, int64_t k) { return k >= p * part && (p == 3 || k < (p + 1) * part); }),
               l.b));
         }
         return l.output(changed(l, [&](Bf16 x, int64_t r, int64_t c) {
           return l.below(20) == 0 ? without_part[static_cast<size_t>(l.below(4))](r, c) : x;
         }));
       }},
      {"scales of A for the wrong half of K in odd rows",
       {"unknown", "rows"},
       {},
       [](const Lab& l) {
         const int64_t blocks = l.shape.k / 32;
         return l.output(Lab::product(scales_from(l.a,
                                                  [&](int64_t r, int64_t b) {
                                                    return l.a.scale_row(
                                                        r)[r % 2 ? (b + blocks / 2) % blocks : b];
                                                  }),
                                      l.b));
       }},
      {"nibbles swapped in the second half of K",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(l.a, codes_from(l.b, [&](int64_t r, int64_t k) {
                                        return At{r, k < l.shape.k / 2 ? k : k ^ 1};
                                      })));
       }},
      {"three faults: nibbles, scale rows, transposed",
       {"unknown"},
       {},
       [](const Lab& l) {
         const Mxfp4Matrix b = codes_from(l.b, [](int64_t r, int64_t k) { return At{r, k ^ 1}; });
         const Mxfp4Matrix a = scales_from(
             l.a, [&](int64_t r, int64_t c) { return l.a.scale_row(std::max<int64_t>(r - 1, 0))[c]; });
         const Matrix<Bf16> product = Lab::product(a, b);
         Matrix<Bf16> out = l.right;
         for (int64_t r = 0; r < out.rows; ++r) {
           for (int64_t c = 0; c < out.cols; ++c)
             out.data[static_cast<size_t>(c * out.rows + r)] = product(r, c);
         }
         return l.output(std::move(out));
       }},
  };
}

std::vector<Fault> in_quantised_data() {
  return {
      {"data: codes of neighbouring rows exchanged in one tile",
       {"unknown", "box", "rows", "tiles"},
       {},
       [](const Lab& l) {
         return l.quantised(
             codes_from(l.a, [](int64_t r, int64_t k) { return At{r < 16 && k < 128 ? r ^ 1 : r, k}; }));
       }},
      {"data: a scale for every 16 elements",
       {"unknown"},
       {},
       [](const Lab& l) {
         // The second half of each block is rounded to a scale of its own, which is then lost.
         Mxfp4Matrix got = l.a;
         for (int64_t r = 0; r < got.rows; ++r) {
           for (int64_t b = 0; b < got.cols / 32; ++b) {
             float v[32] = {};
             for (int64_t i = 16; i < 32; ++i) v[i] = l.a_values(r, b * 32 + i).to_float();
             uint8_t packed[16];
             reference::quantize_block(v, {}, packed);
             std::copy_n(packed + 8, 8, got.code_row(r) + b * 16 + 8);
           }
         }
         return l.quantised(std::move(got));
       }},
      {"data: codes of odd rows an element late",
       {"unknown", "rows"},
       {},
       [](const Lab& l) {
         return l.quantised(codes_from(
             l.a, [](int64_t r, int64_t k) { return At{r, r % 2 ? std::max<int64_t>(0, k - 1) : k}; }));
       }},
      {"data: the largest scale of a row with codes of each block's own",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.quantised(scales_from(l.a, [&](int64_t r, int64_t) {
           return *std::max_element(l.a.scale_row(r), l.a.scale_row(r) + l.a.cols / 32);
         }));
       }},
      {"data: scales off by one at random",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.quantised(scales_from(l.a, [&](int64_t r, int64_t b) {
           return static_cast<uint8_t>(l.a.scale_row(r)[b] + l.below(3) - 1);
         }));
       }},
      {"data: bytes of every dword reversed",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.quantised(codes_from(l.a, [](int64_t r, int64_t k) { return At{r, k ^ 6}; }));
       }},
      {"data: A went through fp8 first",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.quantised(quantised_after(l, [](Matrix<float>& m) {
           for (float& x : m.data) x = three_bits(x);
         }));
       }},
      {"data: another matrix",
       {"unknown"},
       {},
       [](const Lab& l) { return l.quantised(Lab(l.shape, l.seed + 5).a); }},
  };
}

}  // namespace

std::vector<Fault> faults_unforeseen_in_operands() {
  std::vector<Fault> all = in_operands();
  for (Fault& fault : in_quantised_data()) all.push_back(std::move(fault));
  return all;
}

}  // namespace mxproof::explain
