// What the files in this folder share: saying "for A and for B", and wrapping one part of the model.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tools/explain/cause.hpp"

namespace mxproof::explain {

inline OperandModel& operand(ProductModel& model, OperandId id) {
  return id == OperandId::a ? model.a : model.b;
}
inline OperandId other(OperandId id) {
  return id == OperandId::a ? OperandId::b : OperandId::a;
}

inline Part part_of(OperandId id) {
  return id == OperandId::a ? Part::a : Part::b;
}

/// What one freely fitted number, or pattern of 16 bits, is worth as information.
inline constexpr double kBitsOfANumber = 16;

/// What may lie where nothing was written: the fill that is known, zero or NaN, as far as the output has
/// them.
inline std::vector<Bf16> fills_seen(const Clues& clues) {
  std::vector<Bf16> fills;
  const Evidence& e = clues.evidence;
  for (Coord c : clues.wrong) {
    const Bf16 actual = e.runs.front()(c.row, c.col);
    if (actual != e.poison && actual.to_float() != 0 && !actual.is_nan()) continue;
    if (std::ranges::find(fills, actual) == fills.end()) fills.push_back(actual);
  }
  if (fills.empty()) fills.push_back(e.poison);
  return fills;
}

/// How improbable it is that memory past the end of a matrix, or between its rows, holds zeros.
inline constexpr double kBitsOfZeroPadding = 5;

/// The quantised matrix of an operand that is known; nullptr otherwise. Quantised data counts as A.
inline const Mxfp4Matrix* known_operand(const Evidence& e, OperandId id) {
  if (e.subject == Subject::quantised) return id == OperandId::a ? &e.wanted : nullptr;
  if (!e.a || !e.b) return nullptr;
  return id == OperandId::a ? &*e.a : &*e.b;
}
inline const Matrix<float>* known_values(const Evidence& e, OperandId id) {
  if (known_operand(e, id) == nullptr) return nullptr;
  const std::optional<Matrix<float>>& values = id == OperandId::a ? e.a_values : e.b_values;
  return values ? &*values : nullptr;
}

/// The operands that a cause can act on.
inline std::vector<OperandId> known_operands(const Evidence& e) {
  std::vector<OperandId> ids;
  for (OperandId id : {OperandId::a, OperandId::b}) {
    if (known_operand(e, id) != nullptr) ids.push_back(id);
  }
  return ids;
}
inline bool is_product(const Evidence& e) {
  return e.subject == Subject::output && e.a && e.b;
}

using CodeAt = std::function<uint8_t(int64_t row, int64_t k)>;
using ScaleAt = std::function<uint8_t(int64_t row, int64_t block)>;

/// Candidate that changes one operand: `change(operand)`.
template <class Change>
Candidate operand_candidate(std::string_view cause, OperandId id, const std::string& text, Stage stage,
                            const Change& change) {
  return {.cause = cause,
          .text = text,
          .stage = stage,
          .apply =
              [id, change](ProductModel& model) {
                change(operand(model, id));
                model.product_changed = true;
              },
          .changes = part_of(id)};
}

/// Candidate that wraps the codes of one operand: `wrap(inner, operand)` gives the new accessor.
template <class Wrap>
Candidate code_candidate(std::string_view cause, OperandId id, const std::string& text, Stage stage,
                         const Wrap& wrap) {
  return operand_candidate(cause, id, text, stage, [wrap](OperandModel& o) { o.code = wrap(o.code, o); });
}

/// The same for scales.
template <class Wrap>
Candidate scale_candidate(std::string_view cause, OperandId id, const std::string& text, Stage stage,
                          const Wrap& wrap) {
  return operand_candidate(cause, id, text, stage, [wrap](OperandModel& o) { o.scale = wrap(o.scale, o); });
}

/// Candidate that wraps where an output cell comes from.
template <class Wrap>
Candidate place_candidate(std::string_view cause, const std::string& text, const Wrap& wrap) {
  return {.cause = cause,
          .text = text,
          .stage = Stage::place,
          .apply = [wrap](ProductModel& model) { model.source = wrap(model.source); },
          .changes = Part::rest};
}

}  // namespace mxproof::explain
