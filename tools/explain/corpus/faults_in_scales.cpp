#include <algorithm>
#include <cmath>

#include "tools/explain/corpus/lab.hpp"

namespace mxproof::explain {
namespace {

int64_t up_to(int64_t x, int64_t multiple) {
  return (x + multiple - 1) / multiple * multiple;
}

/// Scale buffers as their producers write them, by nested loops in storage order.
std::vector<uint8_t> shuffle_32x8(const std::vector<uint8_t>& plain, int64_t rows, int64_t cols,
                                  uint8_t fill) {
  const int64_t padded_rows = up_to(rows, 256);
  const int64_t padded_cols = up_to(cols, 8);
  std::vector<uint8_t> out;
  for (int64_t r0 = 0; r0 < padded_rows; r0 += 32) {
    for (int64_t c0 = 0; c0 < padded_cols; c0 += 8) {
      for (int64_t c = 0; c < 4; ++c) {
        for (int64_t r = 0; r < 16; ++r) {
          for (int64_t c4 = 0; c4 < 8; c4 += 4) {
            for (int64_t r16 = 0; r16 < 32; r16 += 16) {
              const int64_t row = r0 + r16 + r;
              const int64_t col = c0 + c4 + c;
              out.push_back(row < rows && col < cols ? plain[static_cast<size_t>(row * cols + col)] : fill);
            }
          }
        }
      }
    }
  }
  return out;
}

std::vector<uint8_t> swizzle_128x4(const std::vector<uint8_t>& plain, int64_t rows, int64_t cols,
                                   uint8_t fill, bool exchanged_factors = false) {
  std::vector<uint8_t> out;
  for (int64_t r0 = 0; r0 < up_to(rows, 128); r0 += 128) {
    for (int64_t c0 = 0; c0 < up_to(cols, 4); c0 += 4) {
      for (int64_t r = 0; r < 32; ++r) {
        for (int64_t quarter = 0; quarter < 4; ++quarter) {
          for (int64_t c = 0; c < 4; ++c) {
            const int64_t row = r0 + (exchanged_factors ? r * 4 + quarter : quarter * 32 + r);
            out.push_back(row < rows && c0 + c < cols ? plain[static_cast<size_t>(row * cols + c0 + c)]
                                                      : fill);
          }
        }
      }
    }
  }
  return out;
}

/// What a kernel that expects scale_32x8 reads out of `buffer`.
std::vector<uint8_t> read_32x8(const std::vector<uint8_t>& buffer, int64_t rows, int64_t cols,
                               uint8_t beyond) {
  std::vector<uint8_t> out;
  const int64_t padded = up_to(cols, 8);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) {
      const int64_t lane = c % 4 * 16 + r % 16;
      const int64_t byte = c % 8 / 4 * 2 + r % 32 / 16;
      const auto at = static_cast<size_t>((r / 32 * (padded / 8) + c / 8) * 256 + lane * 4 + byte);
      out.push_back(at < buffer.size() ? buffer[at] : beyond);
    }
  }
  return out;
}

std::vector<uint8_t> read_plain(const std::vector<uint8_t>& buffer, int64_t rows, int64_t cols,
                                int64_t stride, uint8_t beyond) {
  std::vector<uint8_t> out;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) {
      const auto at = static_cast<size_t>(r * stride + c);
      out.push_back(at < buffer.size() ? buffer[at] : beyond);
    }
  }
  return out;
}

using Rescale = std::vector<uint8_t>(const Mxfp4Matrix& m);

std::optional<Evidence> with_scales_of_a(const Lab& l, Rescale rescale) {
  Mxfp4Matrix a = l.a;
  a.scales = rescale(l.a);
  return l.output(Lab::product(a, l.b));
}
std::optional<Evidence> with_scales_of_b(const Lab& l, Rescale rescale) {
  Mxfp4Matrix b = l.b;
  b.scales = rescale(l.b);
  return l.output(Lab::product(l.a, b));
}

/// Scales fetched from another place of the same matrix.
template <class From>
Mxfp4Matrix rescale(const Mxfp4Matrix& m, From from) {
  Mxfp4Matrix out = m;
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t b = 0; b < m.cols / 32; ++b) out.scale_row(r)[b] = from(r, b);
  }
  return out;
}

/// Evidence of B with other scale bytes than the lab's, so that special bytes occur.
Evidence evidence_for(const Lab& l, const Mxfp4Matrix& b, Matrix<Bf16> actual) {
  Expected<Evidence> e = output_evidence(l.a_values, {}, b, std::move(actual));
  return std::move(*e);
}

}  // namespace

std::vector<Fault> faults_in_scales() {
  return {
      {"A scales not shuffled",
       {"scale-layout"},
       {},
       [](const Lab& l) {
         return with_scales_of_a(
             l, [](const Mxfp4Matrix& m) { return read_32x8(m.scales, m.rows, m.cols / 32, 0); });
       }},
      {"B scales not shuffled",
       {"scale-layout"},
       {},
       [](const Lab& l) {
         return with_scales_of_b(
             l, [](const Mxfp4Matrix& m) { return read_32x8(m.scales, m.rows, m.cols / 32, 0); });
       }},
      {"B scales shuffled, read plain",
       {"scale-layout"},
       {},
       [](const Lab& l) {
         return with_scales_of_b(l, [](const Mxfp4Matrix& m) {
           const int64_t c = m.cols / 32;
           return read_plain(shuffle_32x8(m.scales, m.rows, c, 0x7f), m.rows, c, c, 0);
         });
       }},
      {"B scales shuffled twice",
       {"scale-layout"},
       {},
       [](const Lab& l) {
         return with_scales_of_b(l, [](const Mxfp4Matrix& m) {
           const int64_t c = m.cols / 32;
           const std::vector<uint8_t> once = shuffle_32x8(m.scales, m.rows, c, 0);
           return read_32x8(shuffle_32x8(once, up_to(m.rows, 256), up_to(c, 8), 0), m.rows, c, 0);
         });
       }},
      {"A scales 128x4, read as 32x8",
       {"scale-layout"},
       {},
       [](const Lab& l) {
         return with_scales_of_a(l, [](const Mxfp4Matrix& m) {
           const int64_t c = m.cols / 32;
           return read_32x8(swizzle_128x4(m.scales, m.rows, c, 0), m.rows, c, 0);
         });
       }},
      {"B scales 128x4, read plain",
       {"scale-layout"},
       {},
       [](const Lab& l) {
         return with_scales_of_b(l, [](const Mxfp4Matrix& m) {
           const int64_t c = m.cols / 32;
           return read_plain(swizzle_128x4(m.scales, m.rows, c, 0xff), m.rows, c, c, 0);
         });
       }},
      {"B scales column-major",
       {"scale-layout"},
       {},
       [](const Lab& l) {
         return with_scales_of_b(l, [](const Mxfp4Matrix& m) {
           const int64_t c = m.cols / 32;
           std::vector<uint8_t> buffer(m.scales.size());
           for (int64_t r = 0; r < m.rows; ++r) {
             for (int64_t b = 0; b < c; ++b) buffer[static_cast<size_t>(b * m.rows + r)] = m.scale_row(r)[b];
           }
           return buffer;
         });
       }},
      {"B scales padded to 8, read tight",
       {"scale-layout", "row-stride"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.k / 32 % 8 == 0) return std::nullopt;
         return with_scales_of_b(l, [](const Mxfp4Matrix& m) {
           const int64_t c = m.cols / 32;
           std::vector<uint8_t> padded(static_cast<size_t>(m.rows * up_to(c, 8)), 0);
           for (int64_t r = 0; r < m.rows; ++r)
             std::copy_n(m.scale_row(r), c, padded.begin() + r * up_to(c, 8));
           return read_plain(padded, m.rows, c, c, 0);
         });
       }},
      {"A scales tight, read padded to 8",
       {"scale-layout", "row-stride"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.k / 32 % 8 == 0) return std::nullopt;
         return with_scales_of_a(l, [](const Mxfp4Matrix& m) {
           const int64_t c = m.cols / 32;
           return read_plain(m.scales, m.rows, c, up_to(c, 8), 0);
         });
       }},
      {"A scale of previous block",
       {"scale-of-wrong-block"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             rescale(l.a,
                     [&](int64_t r, int64_t b) { return l.a.scale_row(r)[std::max<int64_t>(0, b - 1)]; }),
             l.b));
       }},
      {"B scale of block 0 for all",
       {"scale-of-wrong-block"},
       {},
       [](const Lab& l) {
         return l.output(
             Lab::product(l.a, rescale(l.b, [&](int64_t r, int64_t) { return l.b.scale_row(r)[0]; })));
       }},
      {"A scale index counts 64 elements",
       {"scale-of-wrong-block"},
       {},
       [](const Lab& l) {
         return l.output(
             Lab::product(rescale(l.a, [&](int64_t r, int64_t b) { return l.a.scale_row(r)[b / 2]; }), l.b));
       }},
      {"A scales one low in odd blocks",
       {"k-blocks"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             rescale(l.a,
                     [&](int64_t r, int64_t b) { return static_cast<uint8_t>(l.a.scale_row(r)[b] - b % 2); }),
             l.b));
       }},
      {"B dword byte stuck along K",
       {"scale-of-wrong-block"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(l.a, rescale(l.b, [&](int64_t r, int64_t b) {
                                        return l.b.scale_row(r)[b - (b % 8 >= 4 ? 4 : 0)];
                                      })));
       }},
      {"B scale of next row",
       {"scale-of-wrong-row"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(l.a, rescale(l.b, [&](int64_t r, int64_t b) {
                                        return l.b.scale_row(std::min(r + 1, l.b.rows - 1))[b];
                                      })));
       }},
      {"B scale rows restart every 32",
       {"scale-of-wrong-row"},
       {},
       [](const Lab& l) {
         return l.output(
             Lab::product(l.a, rescale(l.b, [&](int64_t r, int64_t b) { return l.b.scale_row(r % 32)[b]; })));
       }},
      {"A scale rows exchanged by 16",
       {"scale-of-wrong-row"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.m < 32) return std::nullopt;
         return l.output(Lab::product(rescale(l.a,
                                              [&](int64_t r, int64_t b) {
                                                const int64_t from = r % 32 < 16 ? r + 16 : r - 16;
                                                return l.a.scale_row(from < l.a.rows ? from : r)[b];
                                              }),
                                      l.b));
       }},
      {"A takes scales of B",
       {"scale-of-wrong-operand"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             rescale(l.a, [&](int64_t r, int64_t b) { return l.b.scale_row(r % l.b.rows)[b]; }), l.b));
       }},
      {"B scales decoded with bias 126",
       {"constant-factor", "e8m0-bias", "decoder-table"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(l.a, rescale(l.b, [&](int64_t r, int64_t b) {
                                        return static_cast<uint8_t>(l.b.scale_row(r)[b] + 1);
                                      })));
       }},
      {"exponent offset applied twice to A",
       {"constant-factor", "e8m0-bias"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             rescale(l.a,
                     [&](int64_t r, int64_t b) { return static_cast<uint8_t>(l.a.scale_row(r)[b] - 2); }),
             l.b));
       }},
      {"B scales ignored",
       {"scale-ignored"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(l.a, rescale(l.b, [](int64_t, int64_t) { return uint8_t{127}; })));
       }},
      {"B scales through f16",
       {"e8m0-special"},
       {},
       [](const Lab& l) {
         // A third of the blocks is small enough for f16 to lose it.
         const Mxfp4Matrix b = rescale(l.b, [&](int64_t r, int64_t c) {
           return static_cast<uint8_t>((r + c) % 3 == 0 ? 98 + (r + c) % 12 : 104 + c % 3);
         });
         const Mxfp4Matrix lost = [&] {
           Mxfp4Matrix m = b;
           for (int64_t r = 0; r < m.rows; ++r) {
             for (int64_t k = 0; k < m.cols; ++k) {
               if (m.scale_row(r)[k / 32] < 103) set_code(m, r, k, 0);
             }
           }
           return m;
         }();
         return evidence_for(l, b, Lab::product(l.a, lost));
       }},
      {"byte 0 of B taken as zero",
       {"e8m0-special"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix b = rescale(l.b, [&](int64_t r, int64_t c) {
           return static_cast<uint8_t>((r + c) % 4 == 0 ? 0 : 1 + c % 2);
         });
         Mxfp4Matrix lost = b;
         for (int64_t r = 0; r < b.rows; ++r) {
           for (int64_t k = 0; k < b.cols; ++k) {
             if (b.scale_row(r)[k / 32] == 0) set_code(lost, r, k, 0);
           }
         }
         return evidence_for(l, b, Lab::product(l.a, lost));
       }},
      {"byte 255 of B taken as 2^128",
       {"e8m0-special"},
       {},
       [](const Lab& l) {
         // Small scales of A keep the wrong numbers finite: 2^-100 * 2^128.
         Mxfp4Matrix b = l.b;
         for (int64_t r = 0; r < b.rows; r += 3) b.scale_row(r)[r % (b.cols / 32)] = 255;
         const Matrix<float> a = values_of(l.a);
         Mxfp4Matrix shifted = b;
         for (uint8_t& s : shifted.scales) s = static_cast<uint8_t>(s - 64);
         const Matrix<float> small = values_of(shifted);
         Matrix<Bf16> out(l.shape.m, l.shape.n);
         for (int64_t r = 0; r < out.rows; ++r) {
           for (int64_t c = 0; c < out.cols; ++c) {
             double sum = 0;
             for (int64_t k = 0; k < l.shape.k; ++k) sum += static_cast<double>(a(r, k)) * small(c, k);
             out(r, c) = to_bf16(static_cast<float>(sum * 0x1p64));
           }
         }
         return evidence_for(l, b, std::move(out));
       }},
      {"factors of 128x4 exchanged, B",
       {"scale-layout"},
       {},
       [](const Lab& l) {
         return with_scales_of_b(l, [](const Mxfp4Matrix& m) {
           const int64_t c = m.cols / 32;
           const std::vector<uint8_t> buffer = swizzle_128x4(m.scales, m.rows, c, 0, true);
           std::vector<uint8_t> out;
           for (int64_t r = 0; r < m.rows; ++r) {
             for (int64_t b = 0; b < c; ++b) {
               out.push_back(buffer[static_cast<size_t>((r / 128 * (up_to(c, 4) / 4) + b / 4) * 512 +
                                                        r % 32 * 16 + r % 128 / 32 * 4 + b % 4)]);
             }
           }
           return out;
         });
       }},
  };
}

}  // namespace mxproof::explain
