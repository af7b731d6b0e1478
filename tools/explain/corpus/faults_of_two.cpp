// Two faults at once. Each is made with the planted bytes of one and the product of the other.
#include <bit>

#include "tools/explain/corpus/lab.hpp"

namespace mxproof::explain {
namespace {

Mxfp4Matrix scale_of_block_0(Mxfp4Matrix m) {
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t b = 0; b < m.cols / 32; ++b) m.scale_row(r)[b] = m.scale_row(r)[0];
  }
  return m;
}
/// Plain scales read as scale_32x8; zeros past the end.
Mxfp4Matrix unshuffled_scales(const Mxfp4Matrix& m) {
  Mxfp4Matrix out = m;
  const int64_t cols = m.cols / 32;
  const int64_t padded = (cols + 7) / 8 * 8;
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) {
      const auto at = static_cast<size_t>(r / 32 * 32 * padded + c / 8 * 256 + c % 4 * 64 + r % 16 * 4 +
                                          c % 8 / 4 * 2 + r % 32 / 16);
      out.scale_row(r)[c] = at < m.scales.size() ? m.scales[at] : uint8_t{0};
    }
  }
  return out;
}
Matrix<Bf16> transposed_store(const Matrix<Bf16>& m) {
  Matrix<Bf16> out(m.rows, m.cols);
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t c = 0; c < m.cols; ++c) out.data[static_cast<size_t>(c * m.rows + r)] = m(r, c);
  }
  return out;
}
Matrix<Bf16> times(Matrix<Bf16> m, float factor) {
  for (Bf16& x : m.data) x = to_bf16(x.to_float() * factor);
  return m;
}
/// Elements [first, last) of both operands count nothing.
Mxfp4Matrix without(Mxfp4Matrix m, int64_t first, int64_t last) {
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t k = first; k < last; ++k) set_code(m, r, k, 0);
  }
  return m;
}

}  // namespace

std::vector<Fault> faults_of_two() {
  return {
      {"nibbles of B and scale of block 0 of A",
       {"nibble-order"},
       {"scale-of-wrong-block"},
       [](const Lab& l) { return l.output(Lab::product(scale_of_block_0(l.a), swap_nibbles(l.b))); }},
      {"both scales not shuffled",
       {"scale-layout"},
       {"scale-layout"},
       [](const Lab& l) { return l.output(Lab::product(unshuffled_scales(l.a), unshuffled_scales(l.b))); }},
      {"transposed and halved",
       {"transposed"},
       {"constant-factor", "e8m0-bias"},
       [](const Lab& l) { return l.output(times(transposed_store(l.right), 0.5f)); }},
      {"nibbles of A and a quarter",
       {"nibble-order"},
       {"constant-factor", "e8m0-bias"},
       [](const Lab& l) { return l.output(times(Lab::product(swap_nibbles(l.a), l.b), 0.25f)); }},
      {"scales of B not shuffled, nibbles of B",
       {"scale-layout"},
       {"nibble-order"},
       [](const Lab& l) { return l.output(Lab::product(l.a, swap_nibbles(unshuffled_scales(l.b)))); }},
      {"nibbles of B and half of K",
       {"nibble-order"},
       {"k-range-missing"},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.k % 64 != 0) return std::nullopt;
         return l.output(Lab::product(without(l.a, l.shape.k / 2, l.shape.k), swap_nibbles(l.b)));
       }},
      {"nibbles of B, and a tail of columns unwritten",
       {"nibble-order"},
       {"unwritten"},
       [](const Lab& l) {
         Matrix<Bf16> out = Lab::product(l.a, swap_nibbles(l.b));
         for (int64_t r = 0; r < out.rows; ++r) {
           for (int64_t c = out.cols - 16; c < out.cols; ++c) out(r, c) = kPoisonBf16;
         }
         return l.output(std::move(out));
       }},
      {"a tile doubled, and another one zero",
       {"constant-factor"},
       {"unwritten"},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.m < 16 || l.shape.n < 96) return std::nullopt;
         Matrix<Bf16> out = l.right;
         for (int64_t r = 0; r < 16; ++r) {
           for (int64_t c = 0; c < 32; ++c) {
             out(r, c) = to_bf16(out(r, c).to_float() * 2);
             out(r, c + 64) = Bf16{0};
           }
         }
         return l.output(std::move(out));
       }},
      {"scales of A not shuffled, transposed",
       {"scale-layout"},
       {"transposed"},
       [](const Lab& l) { return l.output(transposed_store(Lab::product(unshuffled_scales(l.a), l.b))); }},
  };
}

}  // namespace mxproof::explain
