// Faults that no cause was written for, on shapes of their own. "unknown" is nearly always the honest answer;
// the others say which cause describes the fault although nobody thought of it in these words. Those in
// outputs are here, those in operands and in quantised data in the file beside it.
#include <algorithm>
#include <cmath>

#include "tools/explain/corpus/lab.hpp"

namespace mxproof::explain {
namespace {

/// `right`, with `other`'s cells where `hit` holds.
template <class Hit>
Matrix<Bf16> mixed(const Lab& l, const Matrix<Bf16>& other, Hit hit) {
  return changed(l, [&](Bf16 x, int64_t r, int64_t c) { return hit(r, c) ? other(r, c) : x; });
}

std::vector<Fault> in_output() {
  return {
      {"ReLU left in the epilogue",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [](Bf16 x, int64_t, int64_t) { return x.to_float() < 0 ? Bf16{0} : x; }));
       }},
      {"outputs clamped to +-8",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(changed(
             l, [](Bf16 x, int64_t, int64_t) { return to_bf16(std::clamp(x.to_float(), -8.0f, 8.0f)); }));
       }},
      {"SiLU left in the epilogue",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [](Bf16 x, int64_t, int64_t) {
           return to_bf16(x.to_float() / (1 + std::exp(-x.to_float())));
         }));
       }},
      {"causal mask: zero to the right of the diagonal",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [](Bf16 x, int64_t r, int64_t c) { return c > r ? Bf16{0} : x; }));
       }},
      {"rows of every tile in reverse order",
       {"moved-tiles", "result-map"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [&](Bf16 x, int64_t r, int64_t c) {
           const int64_t from = r / 8 * 8 + 7 - r % 8;
           return from < l.shape.m ? l.right(from, c) : x;
         }));
       }},
      {"tiles of columns rotated by the row of tiles",
       {"moved-tiles", "unknown"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [&](Bf16, int64_t r, int64_t c) {
           return l.right(r, (c + 32 * (r / 16)) % (l.shape.n / 32 * 32));
         }));
       }},
      {"every third row holds earlier numbers, unknown ones",
       {"unknown", "rows"},
       {},
       [](const Lab& l) {
         const Lab other(l.shape, l.seed + 3);
         return l.output(mixed(l, other.right, [](int64_t r, int64_t) { return r % 3 == 2; }));
       }},
      {"half of another output added",
       {"unknown"},
       {},
       [](const Lab& l) {
         const Lab other(l.shape, l.seed + 4);
         return l.output(changed(l, [&](Bf16 x, int64_t r, int64_t c) {
           return to_bf16(x.to_float() + 0.5f * other.right(r, c).to_float());
         }));
       }},
      {"the row sum of A added, as for a zero point",
       {"unknown"},
       {},
       [](const Lab& l) {
         const Matrix<float> a = values_of(l.a);
         return l.output(changed(l, [&](Bf16 x, int64_t r, int64_t) {
           float sum = 0;
           for (int64_t k = 0; k < a.cols; ++k) sum += a(r, k);
           return to_bf16(x.to_float() + sum / 4);
         }));
       }},
      {"a scale of its own for every column",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [](Bf16 x, int64_t, int64_t c) {
           return to_bf16(x.to_float() * (1 + static_cast<float>(c % 7) / 8));
         }));
       }},
      {"gate and up columns interleaved",
       {"moved-tiles"},
       {},
       [](const Lab& l) {
         return l.output(changed(
             l, [&](Bf16, int64_t r, int64_t c) { return l.right(r, c / 2 + c % 2 * (l.shape.n / 2)); }));
       }},
      {"rows in the order of tokens, not of experts",
       {"moved-tiles"},
       {},
       [](const Lab& l) {
         std::vector<int64_t> order(static_cast<size_t>(l.shape.m));
         for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
         std::shuffle(order.begin(), order.end(), l.random);
         return l.output(changed(
             l, [&](Bf16, int64_t r, int64_t c) { return l.right(order[static_cast<size_t>(r)], c); }));
       }},
      {"one column shows its neighbour",
       {"unknown", "columns", "box", "moved-tiles"},
       {},
       [](const Lab& l) {
         return l.output(
             changed(l, [&](Bf16 x, int64_t r, int64_t c) { return c == 37 ? l.right(r, 36) : x; }));
       }},
      {"lower half of the rows from another batch",
       {"unknown", "m-tail", "rows"},
       {},
       [](const Lab& l) {
         const Lab other(l.shape, l.seed + 9);
         return l.output(mixed(l, other.right, [&](int64_t r, int64_t) { return r >= l.shape.m / 2; }));
       }},
      {"integers wrap at 64",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [](Bf16 x, int64_t, int64_t) {
           const float v = x.to_float();
           return to_bf16(v - 32 * std::floor((v + 16) / 32));
         }));
       }},
      {"six outputs of one row a step up",
       {"unknown", "box", "rows"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [](Bf16 x, int64_t r, int64_t c) {
           return r == 3 && c % 2 == 0 && c < 12 ? Bf16{static_cast<uint16_t>(x.bits + 1)} : x;
         }));
       }},
      {"five outputs of a column a step down",
       {"unknown", "box", "columns"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [](Bf16 x, int64_t r, int64_t c) {
           return c == 18 && r < 5 ? Bf16{static_cast<uint16_t>(x.bits - 1)} : x;
         }));
       }},
      {"tiles of a chequerboard doubled",
       {"constant-factor", "unknown"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [](Bf16 x, int64_t r, int64_t c) {
           return (r / 16 + c / 32) % 2 == 1 ? to_bf16(x.to_float() * 2) : x;
         }));
       }},
      {"the sum of two columns in each",
       {"unknown"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [&](Bf16 x, int64_t r, int64_t c) {
           return to_bf16(x.to_float() + l.right(r, (c + 64) % l.shape.n).to_float());
         }));
       }},
      {"outputs at odd places negated",
       {"unknown", "constant-factor"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [](Bf16 x, int64_t r, int64_t c) {
           return (r + c) % 2 == 1 ? Bf16{static_cast<uint16_t>(x.bits ^ 0x8000)} : x;
         }));
       }},
  };
}

}  // namespace

std::vector<Fault> faults_unforeseen() {
  std::vector<Fault> all = in_output();
  for (Fault& fault : faults_unforeseen_in_operands()) all.push_back(std::move(fault));
  return all;
}

}  // namespace mxproof::explain
