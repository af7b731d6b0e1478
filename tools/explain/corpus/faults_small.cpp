// Faults of small results: decode shapes of a few rows, with tails in every direction. Few rows and few
// blocks leave much room for other causes that predict the same; the plain one must win or be named.
#include "tools/explain/corpus/lab.hpp"

namespace mxproof::explain {
namespace {

constexpr Bf16 kZero{0};
constexpr Bf16 kNan{0x7fc0};

/// The right output with one value where `hit` holds; nothing when that is nowhere or everywhere.
template <class Hit>
std::optional<Evidence> filled(const Lab& l, Bf16 value, Hit hit) {
  int64_t count = 0;
  Matrix<Bf16> out = changed(l, [&](Bf16 x, int64_t r, int64_t c) {
    count += hit(r, c);
    return hit(r, c) ? value : x;
  });
  if (count == 0 || count == l.shape.m * l.shape.n) return std::nullopt;
  return l.output(std::move(out));
}

/// Rows of `other` where `hit` holds, rows of `m` elsewhere.
template <class Hit>
Mxfp4Matrix some_rows(const Mxfp4Matrix& m, const Mxfp4Matrix& other, Hit hit) {
  Mxfp4Matrix out = m;
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t k = 0; k < m.cols; ++k) set_code(out, r, k, get_code(hit(r) ? other : m, r, k));
    for (int64_t b = 0; b < m.cols / 32; ++b) out.scale_row(r)[b] = (hit(r) ? other : m).scale_row(r)[b];
  }
  return out;
}

Mxfp4Matrix unscaled(const Mxfp4Matrix& m, uint8_t byte = 127) {
  Mxfp4Matrix out = m;
  for (uint8_t& scale : out.scales) scale = byte;
  return out;
}

/// Elements of K from `from` on are not summed.
Evidence only_below(const Lab& l, int64_t from) {
  Mxfp4Matrix a = l.a;
  for (int64_t r = 0; r < a.rows; ++r) {
    for (int64_t k = from; k < a.cols; ++k) set_code(a, r, k, 0);
  }
  return l.output(Lab::product(a, l.b));
}

/// Rows stored `stride` apart in a buffer that held `fill`.
std::optional<Evidence> stored_apart(const Lab& l, int64_t stride, Bf16 fill) {
  if (l.shape.m < 3) return std::nullopt;
  return l.output(stored(l, [&](int64_t r, int64_t c) { return r * stride + c; }, fill));
}

Mxfp4Matrix one_byte_changed(const Lab& l, const Mxfp4Matrix& m, int by) {
  Mxfp4Matrix out = m;
  uint8_t& scale = out.scale_row(l.below(m.rows))[l.below(m.cols / 32)];
  scale = static_cast<uint8_t>(scale + by);
  return out;
}

bool in_m_tail(const Lab& l, int64_t r) {
  return l.shape.m > 16 && r >= l.shape.m / 16 * 16;
}
bool in_n_tail(const Lab& l, int64_t c) {
  return c >= l.shape.n - 16;
}

std::vector<Fault> unwritten_parts() {
  return {
      {"small: last columns zero",
       {"unwritten"},
       {},
       [](const Lab& l) { return filled(l, kZero, [&](int64_t, int64_t c) { return in_n_tail(l, c); }); }},
      {"small: last columns NaN",
       {"nan", "unwritten"},
       {},
       [](const Lab& l) { return filled(l, kNan, [&](int64_t, int64_t c) { return in_n_tail(l, c); }); }},
      {"small: rows past the last whole tile zero",
       {"unwritten"},
       {},
       [](const Lab& l) { return filled(l, kZero, [&](int64_t r, int64_t) { return in_m_tail(l, r); }); }},
      {"small: rows past the last whole tile NaN",
       {"nan", "unwritten"},
       {},
       [](const Lab& l) { return filled(l, kNan, [&](int64_t r, int64_t) { return in_m_tail(l, r); }); }},
      {"small: last row zero",
       {"unwritten"},
       {},
       [](const Lab& l) { return filled(l, kZero, [&](int64_t r, int64_t) { return r == l.shape.m - 1; }); }},
      {"small: last row NaN",
       {"nan", "unwritten"},
       {},
       [](const Lab& l) { return filled(l, kNan, [&](int64_t r, int64_t) { return r == l.shape.m - 1; }); }},
      {"small: odd rows zero",
       {"unwritten"},
       {},
       [](const Lab& l) { return filled(l, kZero, [](int64_t r, int64_t) { return r % 2 == 1; }); }},
      {"small: zeros of the wrong sign",
       {"unknown", "rows", "box", "m-tail"},
       {},
       [](const Lab& l) {
         Lab zero = l;
         for (uint8_t& byte : zero.a.codes) byte = 0;
         Evidence e = *output_evidence(zero.a, zero.b, Lab::product(zero.a, zero.b));
         for (int64_t c = 0; c < l.shape.n; ++c) e.runs.front()(0, c) = Bf16{0x8000};
         e.wrong.clear();
         return e;
       }},
      {"small: rows twice as far apart, zeros between",
       {"output-stride"},
       {},
       [](const Lab& l) { return stored_apart(l, 2 * l.shape.n, kZero); }},
      {"small: rows twice as far apart, NaN between",
       {"output-stride"},
       {},
       [](const Lab& l) { return stored_apart(l, 2 * l.shape.n, kNan); }},
      {"small: rows 16 too far apart, zeros between",
       {"output-stride"},
       {},
       [](const Lab& l) { return stored_apart(l, l.shape.n + 16, kZero); }},
      {"small: rows 16 too far apart, NaN between",
       {"output-stride"},
       {},
       [](const Lab& l) { return stored_apart(l, l.shape.n + 16, kNan); }},
      {"small: row 1 shows row 0",
       {"moved-tiles"},
       {},
       [](const Lab& l) -> std::optional<Evidence> {
         if (l.shape.m < 3) return std::nullopt;
         return l.output(
             changed(l, [&](Bf16 x, int64_t r, int64_t c) { return r == 1 ? l.right(0, c) : x; }));
       }},
      {"small: alpha of two in half of the columns",
       {"constant-factor"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [&](Bf16 x, int64_t, int64_t c) {
           return c >= l.shape.n / 2 ? to_bf16(2 * x.to_float()) : x;
         }));
       }},
      {"small: alpha of two in half of the rows",
       {"constant-factor"},
       {},
       [](const Lab& l) {
         return l.output(changed(l, [&](Bf16 x, int64_t r, int64_t) {
           return r >= l.shape.m / 2 ? to_bf16(2 * x.to_float()) : x;
         }));
       }},
  };
}

std::vector<Fault> of_operands() {
  return {
      {"small: second half of K missing",
       {"k-range-missing"},
       {},
       [](const Lab& l) { return only_below(l, l.shape.k / 2); }},
      {"small: last block of K missing",
       {"k-range-missing"},
       {},
       [](const Lab& l) { return only_below(l, l.shape.k - 32); }},
      {"small: only a quarter of K summed",
       {"k-range-missing"},
       {},
       [](const Lab& l) { return only_below(l, l.shape.k / 4 / 32 * 32); }},
      {"small: A's scales not applied",
       {"scale-ignored"},
       {},
       [](const Lab& l) { return l.output(Lab::product(unscaled(l.a), l.b)); }},
      {"small: B's scales not applied",
       {"scale-ignored"},
       {},
       [](const Lab& l) { return l.output(Lab::product(l.a, unscaled(l.b))); }},
      {"small: B's scales not applied in the last columns",
       {"scale-ignored"},
       {},
       [](const Lab& l) {
         return l.output(
             Lab::product(l.a, some_rows(l.b, unscaled(l.b), [&](int64_t c) { return in_n_tail(l, c); })));
       }},
      {"small: A's scales not applied past the last whole tile",
       {"scale-ignored"},
       {},
       [](const Lab& l) {
         return l.output(
             Lab::product(some_rows(l.a, unscaled(l.a), [&](int64_t r) { return in_m_tail(l, r); }), l.b));
       }},
      {"small: B's scale bytes zero in the last columns",
       {"scale-ignored"},
       {},
       [](const Lab& l) {
         return l.output(
             Lab::product(l.a, some_rows(l.b, unscaled(l.b, 0), [&](int64_t c) { return in_n_tail(l, c); })));
       }},
      {"small: A's nibbles in rows past the last whole tile",
       {"nibble-order"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             some_rows(l.a, swap_nibbles(l.a), [&](int64_t r) { return in_m_tail(l, r); }), l.b));
       }},
      {"small: A's nibbles in odd rows",
       {"nibble-order"},
       {},
       [](const Lab& l) {
         return l.output(
             Lab::product(some_rows(l.a, swap_nibbles(l.a), [](int64_t r) { return r % 2 == 1; }), l.b));
       }},
      {"small: B's nibbles in the last columns",
       {"nibble-order"},
       {},
       [](const Lab& l) {
         return l.output(Lab::product(
             l.a, some_rows(l.b, swap_nibbles(l.b), [&](int64_t c) { return in_n_tail(l, c); })));
       }},
      {"small: one scale byte of B too large by one",
       {"scale-byte", "columns", "n-tail", "box", "unknown"},
       {},
       [](const Lab& l) { return l.output(Lab::product(l.a, one_byte_changed(l, l.b, 1))); }},
      {"small: one scale byte of B too small by two",
       {"scale-byte", "columns", "n-tail", "box", "unknown"},
       {},
       [](const Lab& l) { return l.output(Lab::product(l.a, one_byte_changed(l, l.b, -2))); }},
      {"small: one scale byte of A too large by one",
       {"scale-byte"},
       {},
       [](const Lab& l) { return l.output(Lab::product(one_byte_changed(l, l.a, 1), l.b)); }},
      {"small: one code of B wrong",
       {"columns", "n-tail", "box", "unknown"},
       {},
       [](const Lab& l) {
         Mxfp4Matrix b = l.b;
         const int64_t row = l.below(b.rows);
         const int64_t k = l.below(b.cols);
         set_code(b, row, k, get_code(b, row, k) ^ 3);
         return l.output(Lab::product(l.a, b));
       }},
  };
}

}  // namespace

std::vector<Fault> faults_small() {
  std::vector<Fault> all = unwritten_parts();
  for (Fault& fault : of_operands()) all.push_back(std::move(fault));
  return all;
}

}  // namespace mxproof::explain
