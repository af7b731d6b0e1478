#include <algorithm>

#include "common/format/e2m1.hpp"
#include "tools/explain/corpus/lab.hpp"

namespace mxproof::explain {
namespace {

/// The same matrix with every code fetched from elsewhere.
template <class From>
Mxfp4Matrix recode(const Mxfp4Matrix& m, From from) {
  Mxfp4Matrix out = m;
  for (int64_t row = 0; row < m.rows; ++row) {
    for (int64_t k = 0; k < m.cols; ++k) set_code(out, row, k, from(row, k));
  }
  return out;
}

/// Block bytes as GGML's packer writes them: element j low, element j+16 high.
Mxfp4Matrix pack_as_ggml(const Mxfp4Matrix& m) {
  Mxfp4Matrix out = m;
  for (int64_t row = 0; row < m.rows; ++row) {
    for (int64_t block = 0; block < m.cols / 32; ++block) {
      for (int64_t j = 0; j < 16; ++j) {
        out.code_row(row)[block * 16 + j] = static_cast<uint8_t>(get_code(m, row, block * 32 + j) |
                                                                 get_code(m, row, block * 32 + j + 16) << 4);
      }
    }
  }
  return out;
}

/// ... and as its unpacker reads bytes that were packed in pairs.
Mxfp4Matrix unpack_as_ggml(const Mxfp4Matrix& m) {
  Mxfp4Matrix out = m;
  for (int64_t row = 0; row < m.rows; ++row) {
    for (int64_t block = 0; block < m.cols / 32; ++block) {
      for (int64_t j = 0; j < 16; ++j) {
        const uint8_t byte = m.code_row(row)[block * 16 + j];
        set_code(out, row, block * 32 + j, byte & 15);
        set_code(out, row, block * 32 + j + 16, byte >> 4);
      }
    }
  }
  return out;
}

/// view(N/16, 16, Kb/32, 2, 16) permuted to (0, 2, 3, 1, 4), as the Python helper does it.
std::vector<uint8_t> shuffle_weight(const std::vector<uint8_t>& plain, int64_t rows, int64_t row_bytes) {
  std::vector<uint8_t> out(plain.size());
  size_t at = 0;
  for (int64_t n0 = 0; n0 < rows / 16; ++n0) {
    for (int64_t k0 = 0; k0 < row_bytes / 32; ++k0) {
      for (int64_t half = 0; half < 2; ++half) {
        for (int64_t n1 = 0; n1 < 16; ++n1) {
          for (int64_t byte = 0; byte < 16; ++byte) {
            out[at++] = plain[static_cast<size_t>((n0 * 16 + n1) * row_bytes + k0 * 32 + half * 16 + byte)];
          }
        }
      }
    }
  }
  return out;
}

/// The inverse.
std::vector<uint8_t> unshuffle_weight(const std::vector<uint8_t>& shuffled, int64_t rows, int64_t row_bytes) {
  std::vector<uint8_t> out(shuffled.size());
  size_t at = 0;
  for (int64_t n0 = 0; n0 < rows / 16; ++n0) {
    for (int64_t k0 = 0; k0 < row_bytes / 32; ++k0) {
      for (int64_t half = 0; half < 2; ++half) {
        for (int64_t n1 = 0; n1 < 16; ++n1) {
          for (int64_t byte = 0; byte < 16; ++byte) {
            out[static_cast<size_t>((n0 * 16 + n1) * row_bytes + k0 * 32 + half * 16 + byte)] =
                shuffled[at++];
          }
        }
      }
    }
  }
  return out;
}

/// Rows read `stride` bytes apart from a buffer whose rows are `row_bytes` apart; zeros past its end.
std::vector<uint8_t> reread(const std::vector<uint8_t>& buffer, int64_t rows, int64_t row_bytes,
                            int64_t stride) {
  std::vector<uint8_t> out(buffer.size());
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t byte = 0; byte < row_bytes; ++byte) {
      const auto from = static_cast<size_t>(row * stride + byte);
      out[static_cast<size_t>(row * row_bytes + byte)] = from < buffer.size() ? buffer[from] : uint8_t{0};
    }
  }
  return out;
}

/// The product of matrices that are decoded with a table of one's own.
Matrix<Bf16> product_by_table(const Lab& lab, const float (&magnitude)[8], bool for_a, bool for_b) {
  const auto decode = [&](const Mxfp4Matrix& m, bool wrong) {
    Matrix<float> values = values_of(m);
    if (!wrong) return values;
    for (int64_t row = 0; row < m.rows; ++row) {
      for (int64_t k = 0; k < m.cols; ++k) {
        const uint8_t code = get_code(m, row, k);
        const float scale = std::ldexp(1.0f, m.scale_row(row)[k / 32] - 127);
        values(row, k) = (code & 8 ? -magnitude[code & 7] : magnitude[code & 7]) * scale;
      }
    }
    return values;
  };
  const Matrix<float> a = decode(lab.a, for_a);
  const Matrix<float> b = decode(lab.b, for_b);
  Matrix<Bf16> out(lab.shape.m, lab.shape.n);
  for (int64_t row = 0; row < out.rows; ++row) {
    for (int64_t col = 0; col < out.cols; ++col) {
      float sum = 0;
      for (int64_t k = 0; k < lab.shape.k; ++k) sum += a(row, k) * b(col, k);
      out(row, col) = to_bf16(sum);
    }
  }
  return out;
}

}  // namespace

std::vector<Fault> faults_in_codes() {
  return {
      {"A nibbles swapped",
       {"nibble-order"},
       {},
       [](const Lab& l) { return l.output(Lab::product(swap_nibbles(l.a), l.b)); }},
      {"B nibbles swapped",
       {"nibble-order"},
       {},
       [](const Lab& l) { return l.output(Lab::product(l.a, swap_nibbles(l.b))); }},
      {"A packed as GGML",
       {"ggml-order"},
       {},
       [](const Lab& l) { return l.output(Lab::product(pack_as_ggml(l.a), l.b)); }},
      {"B packed as GGML",
       {"ggml-order"},
       {},
       [](const Lab& l) { return l.output(Lab::product(l.a, pack_as_ggml(l.b))); }},
      {"B unpacked as GGML",
       {"ggml-order"},
       {},
       [](const Lab& l) { return l.output(Lab::product(l.a, unpack_as_ggml(l.b))); }},
      {"B second of pair is zero",
       {"half-of-pair"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(l.a, recode(l.b, [&](int64_t r, int64_t k) {
                                        return k % 2 ? uint8_t{0} : get_code(l.b, r, k);
                                      })));
       }},
      {"A first of pair for both",
       {"half-of-pair"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             recode(l.a, [&](int64_t r, int64_t k) { return get_code(l.a, r, k / 2 * 2); }), l.b));
       }},
      {"B codes not preshuffled",
       {"code-layout"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.n % 16 != 0 || l.shape.k % 64 != 0) return std::nullopt;
         Mxfp4Matrix b = l.b;
         b.codes = unshuffle_weight(b.codes, b.rows, b.cols / 2);
         return l.output(Lab::product(l.a, b));
       }},
      {"B codes preshuffled, read plain",
       {"code-layout"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.n % 16 != 0 || l.shape.k % 64 != 0) return std::nullopt;
         Mxfp4Matrix b = l.b;
         b.codes = shuffle_weight(b.codes, b.rows, b.cols / 2);
         return l.output(Lab::product(l.a, b));
       }},
      {"B codes column-major",
       {"code-layout"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix b = l.b;
         const int64_t bytes = b.cols / 2;
         for (int64_t r = 0; r < b.rows; ++r) {
           for (int64_t c = 0; c < bytes; ++c)
             b.codes[static_cast<size_t>(c * b.rows + r)] = l.b.code_row(r)[c];
         }
         return l.output(Lab::product(l.a, b));
       }},
      {"B code rows read 16 bytes too far apart",
       {"row-stride"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix b = l.b;
         b.codes = reread(b.codes, b.rows, b.cols / 2, b.cols / 2 + 16);
         return l.output(Lab::product(l.a, b));
       }},
      {"A code rows read 8 bytes too close",
       {"row-stride"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix a = l.a;
         a.codes = reread(a.codes, a.rows, a.cols / 2, a.cols / 2 - 8);
         return l.output(Lab::product(a, l.b));
       }},
      {"A codes one block early",
       {"code-block-shift"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             recode(l.a,
                    [&](int64_t r, int64_t k) { return k < 32 ? uint8_t{0} : get_code(l.a, r, k - 32); }),
             l.b));
       }},
      {"A register 2 of 4 is zero",
       {"operand-register"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             recode(l.a,
                    [&](int64_t r, int64_t k) { return k % 32 / 8 == 2 ? uint8_t{0} : get_code(l.a, r, k); }),
             l.b));
       }},
      {"A lane of 16x16x128 is zero",
       {"operand-lane"},
       {},
       [](const Lab& l) {
         const int64_t lane = l.below(64);
         if (lane % 16 >= l.shape.m) return l.output(l.right);
         return l.output(Lab::product(recode(l.a,
                                             [&](int64_t r, int64_t k) {
                                               const bool hit =
                                                   r % 16 == lane % 16 && k / 32 % 4 == lane / 16;
                                               return hit ? uint8_t{0} : get_code(l.a, r, k);
                                             }),
                                      l.b));
       }},
      {"B lane of 32x32x64 is zero",
       {"operand-lane"},
       {},
       [](const Lab& l) {
         const int64_t lane = l.below(64);
         return l.output(Lab::product(l.a, recode(l.b, [&](int64_t r, int64_t k) {
                                        const bool hit = r % 32 == lane % 32 && k / 32 % 2 == lane / 32;
                                        return hit ? uint8_t{0} : get_code(l.b, r, k);
                                      })));
       }},
      {"0.0625 for code 1 in both",
       {"decoder-table"},
       {},
       [](const Lab& l) {
         return l.output(product_by_table(l, {0, 0.0625f, 1, 1.5f, 2, 3, 4, 6}, true, true));
       }},
      {"code 0 as 0.5, 1 as 0.75 in B",
       {"decoder-table"},
       {},
       [](const Lab& l) {
         return l.output(product_by_table(l, {0.5f, 0.75f, 1, 1.5f, 2, 3, 4, 6}, false, true));
       }},
      {"code 5 as 2.5 in A (no known table)",
       {"decoder-table"},
       {},
       [](const Lab& l) {
         return l.output(product_by_table(l, {0, 0.5f, 1, 1.5f, 2, 2.5f, 4, 6}, true, false));
       }},
      {"doubled table in B",
       {"constant-factor", "decoder-table", "e8m0-bias"},
       {},
       [](const Lab& l) { return l.output(product_by_table(l, {0, 1, 2, 3, 4, 6, 8, 12}, false, true)); }},
      {"low bit of A's codes lost",
       {"decoder-table"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             recode(l.a,
                    [&](int64_t r, int64_t k) { return static_cast<uint8_t>(get_code(l.a, r, k) & 0xe); }),
             l.b));
       }},
      {"sign bit of A ignored",
       {"decoder-table"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             recode(l.a, [&](int64_t r, int64_t k) { return static_cast<uint8_t>(get_code(l.a, r, k) & 7); }),
             l.b));
       }},
  };
}

}  // namespace mxproof::explain
