// Wrong tables from codes to numbers: known ones, and one fitted to the output.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "common/format/e2m1.hpp"
#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"
#include "tools/explain/least_squares.hpp"

namespace mxproof::explain {
namespace {

using Magnitudes = std::array<double, 8>;

struct KnownTable {
  const char* text;
  Magnitudes magnitudes;
  bool keeps_sign = true;
};

constexpr KnownTable kKnownTables[] = {
    {"doubled values (GGML's table) without the halved scale", {0, 1, 2, 3, 4, 6, 8, 12}},
    {"0.0625 where 0.5 belongs", {0, 0.0625, 1, 1.5, 2, 3, 4, 6}},
    {"0.5 and 0.75 where 0 and 0.5 belong", {0.5, 0.75, 1, 1.5, 2, 3, 4, 6}},
    {"0 where 0.5 belongs (the subnormal code is flushed)", {0, 0, 1, 1.5, 2, 3, 4, 6}},
    {"no sign: bit 3 of a code is ignored", {0, 0.5, 1, 1.5, 2, 3, 4, 6}, false},
};

std::array<double, 16> signed_table(const KnownTable& known) {
  std::array<double, 16> table{};
  for (size_t code = 0; code < 8; ++code) {
    table[code] = known.magnitudes[code];
    table[code + 8] = known.keeps_sign ? -known.magnitudes[code] : known.magnitudes[code];
  }
  return table;
}

Candidate table_candidate(std::string text, std::vector<OperandId> ids, std::array<double, 16> table) {
  return {.cause = "decoder-table",
          .text = std::move(text),
          .stage = Stage::decode,
          .apply = [ids = std::move(ids), table](ProductModel& model) {
            for (OperandId id : ids) operand(model, id).code_value = table;
            model.product_changed = true;
          }};
}

/// With the other operand right, an output is linear in this operand's sixteen code values: least squares
/// over wrong cells gives the table. Codes that hardly occur stay as they are.
std::optional<std::array<double, 16>> fit_table(const Clues& clues, OperandId id) {
  const ProductModel model = right_model(clues.evidence);
  const OperandModel& fitted = id == OperandId::a ? model.a : model.b;
  const OperandModel& fixed = id == OperandId::a ? model.b : model.a;
  const size_t count = std::min<size_t>(clues.wrong.size(), 96);
  if (count < 32) return std::nullopt;
  std::vector<double> coefficients(count * 16);
  std::vector<double> actual;
  for (size_t i = 0; i < count; ++i) {
    const Coord cell = clues.wrong[i];
    const int64_t row = id == OperandId::a ? cell.row : cell.col;
    const int64_t fixed_row = id == OperandId::a ? cell.col : cell.row;
    actual.push_back(clues.evidence.runs.front()(cell.row, cell.col).to_float());
    for (int64_t k = 0; k < fitted.k; ++k) {
      const double scale = fitted.scale_value[fitted.scale(row, k / kBlock)] *
                           fixed.scale_value[fixed.scale(fixed_row, k / kBlock)];
      coefficients[i * 16 + fitted.code(row, k)] += scale * fixed.code_value[fixed.code(fixed_row, k)];
    }
  }
  const std::optional<std::vector<double>> solution = least_squares(coefficients, 16, actual);
  if (!solution) return std::nullopt;
  std::array<double, 16> table{};
  bool changed = false;
  for (size_t code = 0; code < 16; ++code) {
    // Tables hold multiples of 1/16; anything else is no table.
    const double value = std::round((*solution)[code] * 16) / 16;
    table[code] = std::isfinite(value) ? value : kE2m1Values[code];
    if (std::abs(table[code]) > 64) return std::nullopt;
    changed = changed || table[code] != static_cast<double>(kE2m1Values[code]);
  }
  return changed ? std::optional(table) : std::nullopt;
}

}  // namespace

void propose_decoder_table(const Clues& clues, std::vector<Candidate>& out) {
  if (!is_product(clues.evidence)) return;
  for (const KnownTable& known : kKnownTables) {
    const std::array<double, 16> table = signed_table(known);
    out.push_back(table_candidate(fmt::format("A and B were decoded with {}", known.text),
                                  {OperandId::a, OperandId::b}, table));
    for (OperandId id : {OperandId::a, OperandId::b}) {
      out.push_back(
          table_candidate(fmt::format("{} was decoded with {}", name_of(id), known.text), {id}, table));
    }
  }
}

void propose_fitted_decoder(const Clues& clues, std::vector<Candidate>& out) {
  if (!is_product(clues.evidence)) return;
  for (OperandId id : {OperandId::a, OperandId::b}) {
    const std::optional<std::array<double, 16>> table = fit_table(clues, id);
    if (!table) continue;
    std::string differences;
    for (size_t code = 0; code < 16; ++code) {
      if ((*table)[code] == static_cast<double>(kE2m1Values[code])) continue;
      differences += fmt::format("{}code {} as {}", differences.empty() ? "" : ", ", code, (*table)[code]);
    }
    Candidate candidate =
        table_candidate(fmt::format("{} was decoded with {}", name_of(id), differences), {id}, *table);
    candidate.fitted_bits = 16 * kBitsOfANumber;
    candidate.combines = false;
    out.push_back(std::move(candidate));
  }
}

void propose_half_of_pairs(const Clues& clues, std::vector<Candidate>& out) {
  for (OperandId id : known_operands(clues.evidence)) {
    for (int64_t lost : {1, 0}) {
      out.push_back(code_candidate("half-of-pair", id,
                                   fmt::format("the {} code of every byte of {} was taken as zero",
                                               lost == 1 ? "high" : "low", name_of(id)),
                                   Stage::load, [lost](const CodeAt& inner, const OperandModel&) {
                                     return [inner, lost](int64_t row, int64_t k) {
                                       return k % 2 == lost ? uint8_t{0} : inner(row, k);
                                     };
                                   }));
      out.push_back(code_candidate("half-of-pair", id,
                                   fmt::format("the {} code of every byte of {} was used for both elements",
                                               lost == 1 ? "low" : "high", name_of(id)),
                                   Stage::load, [lost](const CodeAt& inner, const OperandModel&) {
                                     return [inner, lost](int64_t row, int64_t k) {
                                       return inner(row, k / 2 * 2 + 1 - lost);
                                     };
                                   }));
    }
  }
}

}  // namespace mxproof::explain
