#include <algorithm>
#include <cmath>

#include "common/compare/poison.hpp"
#include "reference/quantize.hpp"
#include "tools/explain/corpus/lab.hpp"

namespace mxproof::explain {
namespace {

/// Values with zeros, exact ties and negative zeros, which normal ones never have.
Evidence special_values(const Lab& l, const std::function<void(const Matrix<float>&, Mxfp4Matrix&)>& spoil) {
  Matrix<float> values = widen(l.a_values);
  for (int64_t r = 0; r < values.rows; ++r) {
    for (int64_t k = 0; k < values.cols; ++k) {
      if (k / 32 % 3 == 0 && r % 2 == 0) values(r, k) = k % 2 ? -0.0f : 0.0f;
      if (k / 32 % 3 == 1 && k % 4 == 0) values(r, k) = -1e-6f;
    }
  }
  Mxfp4Matrix got = *reference::quantize(values.view());
  spoil(values, got);
  Expected<Evidence> e = quantised_evidence(values, {}, std::move(got));
  return std::move(*e);
}

Mxfp4Matrix by_rule(const Lab& l, ScaleRule rule, TieRule tie) {
  QuantPolicy policy;
  policy.scale = rule;
  policy.tie = tie;
  return *reference::quantize(l.a_values.view(), policy);
}

}  // namespace

std::vector<Fault> faults_in_quantised_data() {
  return {
      {"data: scale rule rceil",
       {"scale-rule"},
       {},
       [](const Lab& l) { return l.quantised(by_rule(l, ScaleRule::rceil, TieRule::nearest_even)); }},
      {"data: scale rule floor",
       {"scale-rule"},
       {},
       [](const Lab& l) { return l.quantised(by_rule(l, ScaleRule::floor, TieRule::nearest_even)); }},
      {"data: ties away from zero",
       {"tie-rule"},
       {},
       [](const Lab& l) { return l.quantised(by_rule(l, ScaleRule::even, TieRule::half_away)); }},
      {"data: nibbles swapped",
       {"nibble-order"},
       {},
       [](const Lab& l) { return l.quantised(swap_nibbles(l.a)); }},
      {"data: scales column-major",
       {"scale-layout"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix got = l.a;
         for (int64_t r = 0; r < got.rows; ++r) {
           for (int64_t b = 0; b < got.cols / 32; ++b)
             got.scales[static_cast<size_t>(b * got.rows + r)] = l.a.scale_row(r)[b];
         }
         return l.quantised(std::move(got));
       }},
      {"data: exponent offset applied twice",
       {"e8m0-bias"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix got = l.a;
         for (uint8_t& s : got.scales) s = static_cast<uint8_t>(s - 2);
         return l.quantised(std::move(got));
       }},
      {"data: last rows unwritten",
       {"unwritten"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix got = l.a;
         for (int64_t r = std::max<int64_t>(0, got.rows - 3); r < got.rows; ++r) {
           std::fill_n(got.code_row(r), got.cols / 2, kPoisonByte);
           std::fill_n(got.scale_row(r), got.cols / 32, kPoisonByte);
         }
         return l.quantised(std::move(got));
       }},
      {"data: sign of zero lost",
       {"edge-policy"},
       {},
       [](const Lab& l) {
         return special_values(l, [](const Matrix<float>&, Mxfp4Matrix& got) {
           for (int64_t r = 0; r < got.rows; ++r) {
             for (int64_t k = 0; k < got.cols; ++k) {
               if (get_code(got, r, k) == 8) set_code(got, r, k, 0);
             }
           }
         });
       }},
      {"data: zero blocks get byte 127",
       {"edge-policy"},
       {},
       [](const Lab& l) {
         return special_values(l, [](const Matrix<float>& values, Mxfp4Matrix& got) {
           for (int64_t r = 0; r < got.rows; ++r) {
             for (int64_t b = 0; b < got.cols / 32; ++b) {
               bool zero = true;
               for (int64_t i = 0; i < 32; ++i) zero = zero && values(r, b * 32 + i) == 0;
               if (zero) got.scale_row(r)[b] = 127;
             }
           }
         });
       }},
      {"data: random codes",
       {"unknown"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix got = l.a;
         for (uint8_t& byte : got.codes) {
           if (l.below(8) == 0) byte = static_cast<uint8_t>(l.below(256));
         }
         return l.quantised(std::move(got));
       }},
      {"data: right", {"right"}, {}, [](const Lab& l) { return l.quantised(l.a); }},
  };
}

}  // namespace mxproof::explain
