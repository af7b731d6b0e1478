// Indices and offsets that wrap because their type is too small for a large matrix.
#include <fmt/format.h>

#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"

namespace mxproof::explain {
namespace {

/// An offset of `per_row` units a row that is kept modulo 2^bits.
struct Wrap {
  const char* what;
  int64_t per_row;
  int bits;

  int64_t limit() const { return int64_t{1} << bits; }
  bool happens(int64_t rows) const { return per_row > 0 && rows * per_row > limit(); }
};

/// A is read at the wrapped place. Its elements keep their place in a block: 2^bits and K are multiples
/// of 32.
void propose_reading(const Wrap& wrap, std::vector<Candidate>& out) {
  out.push_back({.cause = "index-overflow",
                 .text = fmt::format("{} wraps at 2^{}: rows of A past that are read from the start again",
                                     wrap.what, wrap.bits),
                 .stage = Stage::load,
                 .apply =
                     [wrap](ProductModel& model) {
                       OperandModel& a = model.a;
                       const auto wrapped = [wrap, k_end = a.k](int64_t row, int64_t k) {
                         const int64_t unit = row * wrap.per_row + k * wrap.per_row / k_end;
                         const int64_t at = unit % wrap.limit();
                         // A byte of codes holds two elements.
                         return Coord{at / wrap.per_row,
                                      wrap.per_row == 1 ? k : at % wrap.per_row * k_end / wrap.per_row};
                       };
                       a.code = [inner = a.code, wrapped](int64_t row, int64_t k) {
                         const Coord c = wrapped(row, k);
                         return inner(c.row, c.col / 2 * 2 + k % 2);
                       };
                       a.scale = [inner = a.scale, wrapped](int64_t row, int64_t block) {
                         const Coord c = wrapped(row, block * kBlock);
                         return inner(c.row, c.col / kBlock);
                       };
                       model.product_changed = true;
                     },
                 .combines = false,
                 .changes = Part::a});
}

/// Outputs are stored at the wrapped place: what lies there was written last, and the end was never written.
void propose_writing(const Wrap& wrap, Extent cells, Bf16 fill, std::vector<Candidate>& out) {
  out.push_back(place_candidate(
      "index-overflow",
      fmt::format("{} wraps at 2^{}: later outputs overwrite the first ones", wrap.what, wrap.bits),
      [=](const std::function<Source(int64_t, int64_t)>& inner) {
        const int64_t per_cell = wrap.per_row / cells.cols;  // 0 when the index counts rows
        const int64_t last = (cells.rows - 1) * wrap.per_row + (cells.cols - 1) * per_cell;
        return [=](int64_t row, int64_t col) {
          const int64_t unit = row * wrap.per_row + col * per_cell;
          if (unit >= wrap.limit()) return Source{.at = {row, col}, .is_constant = true, .constant = fill};
          const int64_t from = unit + (last - unit) / wrap.limit() * wrap.limit();
          return inner(from / wrap.per_row, per_cell == 0 ? col : from % wrap.per_row / per_cell);
        };
      }));
  out.back().combines = false;
}

}  // namespace

void propose_index_overflow(const Clues& clues, std::vector<Candidate>& out) {
  const Evidence& e = clues.evidence;
  if (e.subject != Subject::output) return;
  const Extent cells = e.cells();
  const int64_t k = e.elements();
  if (is_product(e)) {
    for (const Wrap& wrap :
         {Wrap{"the row index", 1, 16}, Wrap{"A's element offset", k, 32},
          Wrap{"A's byte offset in bf16", 2 * k, 32}, Wrap{"A's packed byte offset", k / 2, 32}}) {
      if (wrap.happens(cells.rows)) propose_reading(wrap, out);
    }
  }
  for (const Wrap& wrap : {Wrap{"the row index", 1, 16}, Wrap{"the output's element offset", cells.cols, 32},
                           Wrap{"the output's byte offset", 2 * cells.cols, 32}}) {
    if (!wrap.happens(cells.rows)) continue;
    for (Bf16 fill : fills_seen(clues)) propose_writing(wrap, cells, fill, out);
  }
}

}  // namespace mxproof::explain
