#include <algorithm>
#include <bit>

#include "reference/round.hpp"
#include "tools/explain/corpus/lab.hpp"

namespace mxproof::explain {
namespace {

/// The right output with the cells for which `hit` holds replaced.
template <class Hit, class Value>
Matrix<Bf16> replace(const Lab& l, Hit hit, Value value) {
  Matrix<Bf16> out = l.right;
  for (int64_t r = 0; r < out.rows; ++r) {
    for (int64_t c = 0; c < out.cols; ++c) {
      if (hit(r, c)) out(r, c) = value(r, c);
    }
  }
  return out;
}

Bf16 scaled(Bf16 x, float factor) {
  return to_bf16(x.to_float() * factor);
}
/// Numbers that no cause makes: random, of the size of outputs.
Bf16 garbage(const Lab& l) {
  return to_bf16(static_cast<float>(l.below(2001) - 1000) * 0.037f);
}

/// Tiles of the right output in the order that `from` gives.
template <class From>
Matrix<Bf16> tiles(const Lab& l, int64_t rows, int64_t cols, From from) {
  const int64_t down = l.shape.m / rows;
  const int64_t across = l.shape.n / cols;
  return replace(
      l, [&](int64_t r, int64_t c) { return r < down * rows && c < across * cols; },
      [&](int64_t r, int64_t c) {
        const auto [tr, tc] = from(r / rows, c / cols, down, across);
        return l.right(tr * rows + r % rows, tc * cols + c % cols);
      });
}

}  // namespace

std::vector<Fault> faults_in_output() {
  using Tile = std::pair<int64_t, int64_t>;
  return {
      {"output transposed",
       {"transposed"},
       {},
       [](const Lab& l) {
         return l.output(stored(l, [&](int64_t r, int64_t c) { return c * l.shape.m + r; }));
       }},
      {"output rows 16 too far apart",
       {"output-stride"},
       {},
       [](const Lab& l) {
         return l.output(stored(l, [&](int64_t r, int64_t c) { return r * (l.shape.n + 16) + c; }));
       }},
      {"output rows 4 too close",
       {"output-stride"},
       {},
       [](const Lab& l) {
         return l.output(stored(l, [&](int64_t r, int64_t c) { return r * (l.shape.n - 4) + c; }));
       }},
      {"16x16 result stored by lane as row",
       {"result-map"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.m < 16) return std::nullopt;
         return l.output(replace(
             l, [&](int64_t r, int64_t c) { return r < l.shape.m / 16 * 16 && c < l.shape.n / 16 * 16; },
             [&](int64_t r, int64_t c) { return l.right(r / 16 * 16 + c % 16, c / 16 * 16 + r % 16); }));
       }},
      {"16x16 result, registers as lane groups",
       {"result-map"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.m < 16) return std::nullopt;
         return l.output(replace(
             l, [&](int64_t r, int64_t) { return r < l.shape.m / 16 * 16; },
             [&](int64_t r, int64_t c) { return l.right(r / 16 * 16 + r % 4 * 4 + r % 16 / 4, c); }));
       }},
      {"32x32 result as 16 rows a half wave",
       {"result-map"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.m < 32) return std::nullopt;
         return l.output(replace(
             l, [&](int64_t r, int64_t c) { return r < l.shape.m / 32 * 32 && c < l.shape.n / 32 * 32; },
             [&](int64_t r, int64_t c) {
               const int64_t half = r % 32 / 16;
               const int64_t vgpr = r % 16;
               return l.right(r / 32 * 32 + 8 * (vgpr / 4) + 4 * half + vgpr % 4, c);
             }));
       }},
      {"tiles in reverse order",
       {"moved-tiles"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.n < 64 || l.shape.m < 16) return std::nullopt;
         return l.output(tiles(l, 16, 32, [](int64_t tr, int64_t tc, int64_t down, int64_t across) {
           return Tile{down - 1 - tr, across - 1 - tc};
         }));
       }},
      {"two tiles of columns exchanged",
       {"moved-tiles"},
       {},
       [](const Lab& l) {
         return l.output(tiles(l, l.shape.m, 32, [](int64_t tr, int64_t tc, int64_t, int64_t) {
           return Tile{tr, tc < 2 ? 1 - tc : tc};
         }));
       }},
      {"columns shifted by one row of B",
       {"moved-tiles"},
       {},
       [](const Lab& l) {
         return l.output(replace(
             l, [&](int64_t, int64_t c) { return c + 1 < l.shape.n; },
             [&](int64_t r, int64_t c) { return l.right(r, c + 1); }));
       }},
      {"rows rotated by 16",
       {"moved-tiles"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.m < 32) return std::nullopt;
         return l.output(replace(
             l, [](int64_t, int64_t) { return true; },
             [&](int64_t r, int64_t c) { return l.right((r + 16) % l.shape.m, c); }));
       }},
      {"every output a quarter",
       {"constant-factor", "e8m0-bias"},
       {},
       [](const Lab& l) {
         return l.output(replace(
             l, [](int64_t, int64_t) { return true; },
             [&](int64_t r, int64_t c) { return scaled(l.right(r, c), 0.25f); }));
       }},
      {"every output negated",
       {"constant-factor"},
       {},
       [](const Lab& l) {
         return l.output(replace(
             l, [](int64_t, int64_t) { return true; },
             [&](int64_t r, int64_t c) { return scaled(l.right(r, c), -1); }));
       }},
      {"alpha=2 lost beyond the first tile",
       {"constant-factor"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.n <= 128) return std::nullopt;
         return l.output(replace(
             l, [](int64_t, int64_t c) { return c >= 128; },
             [&](int64_t r, int64_t c) { return scaled(l.right(r, c), 0.5f); }));
       }},
      {"factor 1/3",
       {"constant-factor"},
       {},
       [](const Lab& l) {
         return l.output(replace(
             l, [](int64_t, int64_t) { return true; },
             [&](int64_t r, int64_t c) { return scaled(l.right(r, c), 1.0f / 3); }));
       }},
      {"N tail unwritten",
       {"unwritten"},
       {},
       [](const Lab& l) {
         const int64_t from = (l.shape.n - 1) / 32 * 32;
         return l.output(replace(
             l, [&](int64_t, int64_t c) { return c >= from; }, [](int64_t, int64_t) { return kPoisonBf16; }));
       }},
      {"M tail unwritten",
       {"unwritten"},
       {},
       [](const Lab& l) {
         return l.output(replace(
             l, [&](int64_t r, int64_t) { return r >= l.shape.m - 2; },
             [](int64_t, int64_t) { return kPoisonBf16; }));
       }},
      {"nothing written at all",
       {"unwritten"},
       {},
       [](const Lab& l) { return l.output(Matrix<Bf16>(l.shape.m, l.shape.n, kPoisonBf16)); }},
      {"one tile zero",
       {"unwritten"},
       {},
       [](const Lab& l) {
         return l.output(replace(
             l, [&](int64_t r, int64_t c) { return r < 16 && c >= 32 && c < 64; },
             [](int64_t, int64_t) { return Bf16{0}; }));
       }},
      {"padding's NaN in a tail of columns",
       {"nan", "unwritten"},
       {},
       [](const Lab& l) {
         return l.output(replace(
             l, [&](int64_t, int64_t c) { return c >= l.shape.n - 16; },
             [](int64_t, int64_t) { return Bf16{0x7fc0}; }));
       }},
      {"one tile of an earlier call",
       {"stale"},
       {},
       [](const Lab& l) {
         const Lab earlier(l.shape, l.seed + 1);
         Evidence e = l.output(replace(
             l, [&](int64_t r, int64_t c) { return r < 16 && c < 32; },
             [&](int64_t r, int64_t c) { return earlier.right(r, c); }));
         e.previous = earlier.right;
         return e;
       }},
      {"one result lane wrong",
       {"result-lane"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.m < 16) return std::nullopt;
         const int64_t lane = l.below(64);
         return l.output(replace(
             l, [&](int64_t r, int64_t c) { return c % 16 == lane % 16 && r % 16 / 4 == lane / 16; },
             [&](int64_t, int64_t) { return garbage(l); }));
       }},
      {"one result register wrong",
       {"result-register"},
       {},
       [](const Lab& l) {
         const int64_t vgpr = l.below(4);
         return l.output(replace(
             l, [&](int64_t r, int64_t) { return r % 4 == vgpr; },
             [&](int64_t, int64_t) { return garbage(l); }));
       }},
      {"M tail garbage",
       {"m-tail", "rows"},
       {},
       [](const Lab& l) {
         return l.output(replace(
             l, [&](int64_t r, int64_t) { return r >= l.shape.m - 5; },
             [&](int64_t, int64_t) { return garbage(l); }));
       }},
      {"N tail garbage",
       {"n-tail", "columns"},
       {},
       [](const Lab& l) {
         return l.output(replace(
             l, [&](int64_t, int64_t c) { return c >= l.shape.n - 16; },
             [&](int64_t, int64_t) { return garbage(l); }));
       }},
      {"two tiles garbage",
       {"tiles", "box"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.m < 32) return std::nullopt;
         return l.output(replace(
             l,
             [&](int64_t r, int64_t c) {
               return (r < 16 && c < 32) || (r >= 16 && r < 32 && c >= 64 && c < 96);
             },
             [&](int64_t, int64_t) { return garbage(l); }));
       }},
      {"runs differ in one tile",
       {"unstable"},
       {},
       [](const Lab& l) {
         const auto tile = [](int64_t r, int64_t c) { return r < 16 && c < 32; };
         Evidence e = l.output(replace(l, tile, [&](int64_t, int64_t) { return garbage(l); }));
         e.runs.push_back(replace(l, tile, [&](int64_t, int64_t) { return garbage(l); }));
         e.runs.push_back(l.right);
         return e;
       }},
      {"runs differ by a step",
       {"unstable"},
       {},
       [](const Lab& l) {
         const auto noisy = [&] {
           return replace(
               l, [&](int64_t, int64_t) { return l.below(10) == 0; },
               [&](int64_t r, int64_t c) { return Bf16{static_cast<uint16_t>(l.right(r, c).bits ^ 1)}; });
         };
         Evidence e = l.output(noisy());
         e.runs.push_back(noisy());
         return e;
       }},
      {"f16 bits where bf16 belongs",
       {"output-format"},
       {},
       [](const Lab& l) {
         return l.output(replace(
             l, [](int64_t, int64_t) { return true; },
             [&](int64_t r, int64_t c) { return Bf16{reference::round_to_f16(l.sums(r, c)).bits}; }));
       }},
      {"f32 words in a bf16 buffer",
       {"output-format"},
       {},
       [](const Lab& l) {
         Matrix<Bf16> out = l.right;
         for (int64_t i = 0; i < out.rows * out.cols; ++i) {
           const auto word = std::bit_cast<uint32_t>(l.sums(i / 2 / out.cols, i / 2 % out.cols));
           out.data[static_cast<size_t>(i)].bits = static_cast<uint16_t>(i % 2 == 0 ? word : word >> 16);
         }
         return l.output(std::move(out));
       }},
      {"nothing wrong", {"right"}, {}, [](const Lab& l) { return l.output(l.right); }},
  };
}

}  // namespace mxproof::explain
