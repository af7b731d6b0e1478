// The right scales, fetched for the wrong block, row or operand.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"

namespace mxproof::explain {
namespace {

struct IndexRule {
  const char* text;  ///< "{}" stands for the operand.
  int64_t (*index)(int64_t i, int64_t count);
};

int64_t clamp_to(int64_t i, int64_t count) {
  return std::clamp<int64_t>(i, 0, count - 1);
}

constexpr IndexRule kBlockRules[] = {
    {"{}'s block takes the scale of the previous block",
     [](int64_t b, int64_t n) { return clamp_to(b - 1, n); }},
    {"{}'s block takes the scale of the next block", [](int64_t b, int64_t n) { return clamp_to(b + 1, n); }},
    {"{}'s scale of block 0 is used for all blocks", [](int64_t, int64_t) { return int64_t{0}; }},
    {"{}'s scale index counts blocks of 64", [](int64_t b, int64_t) { return b / 2; }},
    {"{}'s scale index counts blocks of 16", [](int64_t b, int64_t n) { return b * 2 % n; }},
    {"{}'s scales of odd and even blocks are exchanged",
     [](int64_t b, int64_t n) { return clamp_to(b ^ 1, n); }},
    {"{}'s scale of the first of two blocks is used for both",
     [](int64_t b, int64_t) { return b & ~int64_t{1}; }},
    {"{}'s scale of the first of four blocks (one MFMA of K=128) is used for all four",
     [](int64_t b, int64_t) { return b & ~int64_t{3}; }},
    {"{}'s scale byte is picked from the other half of the dword (blocks c and c+4 exchanged)",
     [](int64_t b, int64_t n) { return (b ^ 4) < n ? b ^ 4 : b; }},
    {"{}'s scale byte is always picked from the lower half of the dword (block c used for c+4)",
     [](int64_t b, int64_t) { return b & ~int64_t{4}; }},
    {"{}'s blocks take their scales in reverse order", [](int64_t b, int64_t n) { return n - 1 - b; }},
};

constexpr IndexRule kRowRules[] = {
    {"{}'s row takes the scales of the previous row",
     [](int64_t r, int64_t n) { return clamp_to(r - 1, n); }},
    {"{}'s row takes the scales of the next row", [](int64_t r, int64_t n) { return clamp_to(r + 1, n); }},
    {"{}'s scales of row 0 are used for all rows", [](int64_t, int64_t) { return int64_t{0}; }},
    {"{}'s rows r and r+16 have their scales exchanged (the dword's byte select)",
     [](int64_t r, int64_t n) { return (r ^ 16) < n ? r ^ 16 : r; }},
    {"{}'s row r+16 takes the scales of row r (the dword's byte select is stuck)",
     [](int64_t r, int64_t) { return r & ~int64_t{16}; }},
    {"{}'s scales of the first row of every 16 are used for all 16",
     [](int64_t r, int64_t) { return r & ~int64_t{15}; }},
    {"{}'s scales of the first row of every 32 are used for all 32",
     [](int64_t r, int64_t) { return r & ~int64_t{31}; }},
    {"{}'s scale rows start over every 16 rows (the tile's offset is missing)",
     [](int64_t r, int64_t) { return r % 16; }},
    {"{}'s scale rows start over every 32 rows (the tile's offset is missing)",
     [](int64_t r, int64_t) { return r % 32; }},
    {"{}'s scale rows start over every 64 rows (the tile's offset is missing)",
     [](int64_t r, int64_t) { return r % 64; }},
    {"{}'s scale rows start over every 128 rows (the tile's offset is missing)",
     [](int64_t r, int64_t) { return r % 128; }},
    {"{}'s rows take the scales of 16 rows further", [](int64_t r, int64_t n) { return (r + 16) % n; }},
    {"{}'s rows take the scales of 32 rows further", [](int64_t r, int64_t n) { return (r + 32) % n; }},
};

/// Several matrices stacked (experts, batches, gate and up), with padded rows in one buffer and not in the
/// other: from the second one on, the reader is too far on. Where that begins is seen in the output.
struct Stacked {
  int64_t rows = 0;
  int64_t padding = 0;

  /// The row that is read; rows past the end hold nothing.
  int64_t from(int64_t row) const { return row + row / rows * padding; }
};

Candidate stacked_candidate(OperandId id, const Stacked& s, bool codes, bool scales) {
  const char* what = codes && scales ? "rows" : codes ? "codes" : "scales";
  return {
      .cause = codes ? "batch-stride" : "scale-of-wrong-row",
      .text = fmt::format("{}'s {} are read as if every {} rows were padded to {} (batch or expert stride)",
                          name_of(id), what, s.rows, s.rows + s.padding),
      .stage = Stage::load,
      .apply =
          [id, s, codes, scales](ProductModel& model) {
            OperandModel& o = operand(model, id);
            const auto shift = [s, n = o.rows](const auto& inner) {
              return [inner, s, n](int64_t row, int64_t at) -> uint8_t {
                return s.from(row) < n ? inner(s.from(row), at) : uint8_t{0};
              };
            };
            if (codes) o.code = shift(o.code);
            if (scales) o.scale = shift(o.scale);
            model.product_changed = true;
          },
      .fitted_bits = std::log2(static_cast<double>(s.rows)),
      .guess_bits = kBitsOfZeroPadding,
      .confinable = false,
      .combines = false,
      .changes = part_of(id)};
}

void propose_batch_stride(const Clues& clues, OperandId id, std::vector<Candidate>& out) {
  if (!is_product(clues.evidence) || clues.wrong.empty()) return;
  int64_t first = INT64_MAX;
  for (Coord c : clues.wrong) first = std::min(first, id == OperandId::a ? c.row : c.col);
  // The sample may miss the first few rows: every multiple of 16 close below is tried.
  for (int64_t rows = first / 16 * 16; rows > 0 && rows + 64 > first; rows -= 16) {
    for (int64_t multiple : {32, 128, 256}) {
      const Stacked stacked{rows, round_up(rows, multiple) - rows};
      if (stacked.padding == 0) continue;
      out.push_back(stacked_candidate(id, stacked, false, true));
      out.push_back(stacked_candidate(id, stacked, true, false));
      out.push_back(stacked_candidate(id, stacked, true, true));
    }
  }
}

}  // namespace

void propose_scale_block(const Clues& clues, std::vector<Candidate>& out) {
  for (OperandId id : known_operands(clues.evidence)) {
    for (const IndexRule& rule : kBlockRules) {
      out.push_back(scale_candidate("scale-of-wrong-block", id,
                                    fmt::format(fmt::runtime(rule.text), name_of(id)), Stage::load,
                                    [index = rule.index](const ScaleAt& inner, const OperandModel& o) {
                                      return [inner, index, n = o.blocks()](int64_t row, int64_t block) {
                                        return inner(row, index(block, n));
                                      };
                                    }));
    }
  }
}

void propose_scale_row(const Clues& clues, std::vector<Candidate>& out) {
  for (OperandId id : known_operands(clues.evidence)) {
    for (const IndexRule& rule : kRowRules) {
      out.push_back(scale_candidate("scale-of-wrong-row", id,
                                    fmt::format(fmt::runtime(rule.text), name_of(id)), Stage::load,
                                    [index = rule.index](const ScaleAt& inner, const OperandModel& o) {
                                      return [inner, index, n = o.rows](int64_t row, int64_t block) {
                                        return inner(index(row, n), block);
                                      };
                                    }));
    }
    propose_batch_stride(clues, id, out);
  }
}

void propose_scale_operand(const Clues& clues, std::vector<Candidate>& out) {
  if (!is_product(clues.evidence)) return;
  for (OperandId id : {OperandId::a, OperandId::b}) {
    out.push_back(
        {.cause = "scale-of-wrong-operand",
         .text = fmt::format("{} was multiplied with the scales of {}", name_of(id), name_of(other(id))),
         .stage = Stage::load,
         .apply = [id](ProductModel& model) {
           const OperandModel& from = operand(model, other(id));
           operand(model, id).scale = [inner = from.scale, n = from.rows](int64_t row, int64_t block) {
             return inner(row % n, block);
           };
           model.product_changed = true;
         }});
  }
  out.push_back({.cause = "scale-of-wrong-operand",
                 .text = "the scales of A and B are exchanged",
                 .stage = Stage::load,
                 .apply = [](ProductModel& model) {
                   const ScaleAt of_a = model.a.scale;
                   const ScaleAt of_b = model.b.scale;
                   model.a.scale = [of_b, n = model.b.rows](int64_t row, int64_t block) {
                     return of_b(row % n, block);
                   };
                   model.b.scale = [of_a, n = model.a.rows](int64_t row, int64_t block) {
                     return of_a(row % n, block);
                   };
                   model.product_changed = true;
                 }});
}

}  // namespace mxproof::explain
