// Faults that no cause describes: the only right answers are "unknown" and, where there is a shape,
// "located".
#include <algorithm>

#include "tools/explain/corpus/lab.hpp"

namespace mxproof::explain {

std::vector<Fault> faults_unknown() {
  return {
      {"random bits flipped in 2 % of B's bytes",
       {"unknown"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix b = l.b;
         for (uint8_t& byte : b.codes) {
           if (l.below(50) == 0) byte ^= static_cast<uint8_t>(1 << l.below(8));
         }
         return l.output(Lab::product(l.a, b));
       }},
      {"5 % of A's scales off by one at random",
       {"unknown"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix a = l.a;
         for (uint8_t& s : a.scales) {
           if (l.below(20) == 0) s = static_cast<uint8_t>(s + (l.below(2) ? 1 : -1));
         }
         return l.output(Lab::product(a, l.b));
       }},
      {"outputs a step off at random",
       {"unknown"},
       {},
       [](const Lab& l) {
         Matrix<Bf16> out = l.right;
         for (Bf16& x : out.data) {
           if (l.below(3) == 0) x.bits = static_cast<uint16_t>(x.bits + 1);
         }
         return l.output(std::move(out));
       }},
      {"B's elements in random order in every block",
       {"unknown"},
       {},
       [](const Lab& l) {
         std::vector<int64_t> order(32);
         for (size_t i = 0; i < 32; ++i) order[i] = static_cast<int64_t>(i);
         std::shuffle(order.begin(), order.end(), l.random);
         Mxfp4Matrix b = l.b;
         for (int64_t r = 0; r < b.rows; ++r) {
           for (int64_t k = 0; k < b.cols; ++k)
             set_code(b, r, k, get_code(l.b, r, k / 32 * 32 + order[static_cast<size_t>(k % 32)]));
         }
         return l.output(Lab::product(l.a, b));
       }},
      {"rows times random factors",
       {"unknown"},
       {},
       [](const Lab& l) {
         Matrix<Bf16> out = l.right;
         for (int64_t r = 0; r < out.rows; ++r) {
           const float factor = 0.5f + static_cast<float>(l.below(1000)) / 500;
           for (int64_t c = 0; c < out.cols; ++c) out(r, c) = to_bf16(out(r, c).to_float() * factor);
         }
         return l.output(std::move(out));
       }},
      {"a bias added to every column",
       {"unknown"},
       {},
       [](const Lab& l) {
         Matrix<Bf16> out = l.right;
         for (int64_t c = 0; c < out.cols; ++c) {
           const float bias = static_cast<float>(l.below(100)) * 0.31f;
           for (int64_t r = 0; r < out.rows; ++r) out(r, c) = to_bf16(out(r, c).to_float() + bias);
         }
         return l.output(std::move(out));
       }},
      {"scales of B permuted at random",
       {"unknown"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix b = l.b;
         std::shuffle(b.scales.begin(), b.scales.end(), l.random);
         return l.output(Lab::product(l.a, b));
       }},
      {"codes of B xor a pattern",
       {"unknown"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix b = l.b;
         for (size_t i = 0; i < b.codes.size(); ++i)
           b.codes[i] ^= static_cast<uint8_t>(i % 5 == 0 ? 0x24 : 0);
         return l.output(Lab::product(l.a, b));
       }},
      {"every third code of A one step up",
       {"unknown"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix a = l.a;
         for (int64_t r = 0; r < a.rows; ++r) {
           for (int64_t k = 0; k < a.cols; k += 3) {
             const uint8_t code = get_code(a, r, k);
             if ((code & 7) != 7) set_code(a, r, k, static_cast<uint8_t>(code + 1));
           }
         }
         return l.output(Lab::product(a, l.b));
       }},
      {"three single outputs wrong",
       {"unknown", "box", "rows", "columns", "tiles"},
       {},
       [](const Lab& l) {
         Matrix<Bf16> out = l.right;
         for (int i = 0; i < 3; ++i) {
           Bf16& x = out(l.below(out.rows), l.below(out.cols));
           x = to_bf16(x.to_float() * 1.3f + 1);
         }
         return l.output(std::move(out));
       }},
      {"another matrix's output",
       {"unknown"},
       {},
       [](const Lab& l) { return l.output(Lab(l.shape, l.seed + 77).right); }},
  };
}

}  // namespace mxproof::explain
