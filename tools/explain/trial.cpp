#include "tools/explain/trial.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/compare/comparison.hpp"
#include "common/format/e2m1.hpp"

namespace mxproof::explain {
namespace {

constexpr uint64_t kFnvBasis = 0xcbf29ce484222325ull;
constexpr uint64_t kFnvPrime = 0x100000001b3ull;

uint64_t mix(uint64_t hash, uint64_t value) {
  return (hash ^ value) * kFnvPrime;
}

/// One pattern for all NaN.
uint64_t bits_of(Bf16 value) {
  return value.is_nan() ? 0x7fc0 : value.bits;
}

uint64_t hash_block(const OperandModel& model, Coord block) {
  uint64_t hash = mix(kFnvBasis, model.scale(block.row, block.col));
  for (int64_t k = block.col * kBlock; k < (block.col + 1) * kBlock; ++k)
    hash = mix(hash, model.code(block.row, k));
  return hash;
}

/// log2 of the number of values at least as near to the right one as `actual` is; a prediction that allows
/// several says as much less. Two steps of bf16 off are five values.
double information(Bf16 right, Bf16 actual, Bf16 poison, const Prediction& p) {
  constexpr double kFill = 12;    // a NaN with these very bits
  constexpr double kSpecial = 3;  // zero, NaN and Inf have many causes
  constexpr double kMost = 8;
  if (actual.to_float() == 0 && right.to_float() == 0) return 0;  // any zero says as little about a cause
  if (actual == poison) return kFill;
  const float x = actual.to_float();
  if (!std::isfinite(x) || !std::isfinite(right.to_float()) || x == 0) return kSpecial;
  const double distance = static_cast<double>(ulp_distance(right, actual));
  const double allowed = p.low == p.high ? 0 : static_cast<double>(ulp_distance(p.low, p.high));
  return std::max(0.0, std::min(kMost, std::log2(2 * distance + 1)) - std::log2(allowed + 1));
}

/// The same for a block: a bit and a half for a code that differs, three for the scale.
double information(const Evidence& e, Coord block) {
  constexpr double kMost = 8;
  double bits = e.wanted.scale_row(block.row)[block.col] != e.got.scale_row(block.row)[block.col] ? 3 : 0;
  for (int64_t k = block.col * kBlock; k < (block.col + 1) * kBlock && bits < kMost; ++k) {
    bits +=
        e2m1_code_at(e.wanted.code_row(block.row), k) != e2m1_code_at(e.got.code_row(block.row), k) ? 1.5 : 0;
  }
  return std::min(bits, kMost);
}

void try_cells(const Evidence& e, const ProductModel& model, const std::vector<Coord>& cells, bool right,
               std::vector<uint8_t>& agrees, std::vector<uint64_t>& values, std::vector<float>* bits) {
  agrees.reserve(cells.size());
  values.reserve(cells.size());
  if (e.subject == Subject::quantised) {
    for (Coord c : cells) {
      agrees.push_back(block_agrees(e, model.a, c));
      values.push_back(hash_block(model.a, c));
      if (bits != nullptr) bits->push_back(static_cast<float>(information(e, c)));
    }
    return;
  }
  const std::vector<Prediction> predictions = predict_outputs(e, model, cells);
  for (size_t i = 0; i < cells.size(); ++i) {
    const Prediction& p = predictions[i];
    const Bf16 actual = e.runs.front()(cells[i].row, cells[i].col);
    const Bf16 expected = e.expected(cells[i].row, cells[i].col);
    if (bits != nullptr) bits->push_back(static_cast<float>(information(expected, actual, e.poison, p)));
    // A right cell may differ from the expected bits within the bound; then either is fine. A wrong cell is
    // not explained by predicting what is expected and pointing at the bound.
    // Nor does a NaN that was computed explain the fill, which is another NaN.
    if (actual == e.poison && p.value != e.poison) {
      agrees.push_back(right && p.value == expected);
      values.push_back(bits_of(p.value));
      continue;
    }
    const bool fits = right ? p.agrees(actual) || p.value == expected
                            : p.agrees(actual) && (p.value == actual || p.value != expected);
    agrees.push_back(fits);
    values.push_back(bits_of(p.value));
  }
}

uint64_t right_value(const Evidence& e, const OperandModel& right, Coord c) {
  if (e.subject == Subject::quantised) return hash_block(right, c);
  const Bf16 value = e.expected(c.row, c.col);
  return bits_of(value);
}

}  // namespace

int64_t Trial::explained() const {
  return std::accumulate(wrong_agrees.begin(), wrong_agrees.end(), int64_t{0});
}

Trial try_model(const Evidence& evidence, const ProductModel& model, const Sample& sample) {
  Trial trial;
  try_cells(evidence, model, sample.wrong, false, trial.wrong_agrees, trial.wrong_value, &trial.wrong_bits);
  try_cells(evidence, model, sample.right, true, trial.right_agrees, trial.right_value, nullptr);
  return trial;
}

Score score_of(const Trial& trial, const Sample& sample, const Region* region) {
  Score score{.wrong = static_cast<int64_t>(sample.wrong.size()),
              .right = static_cast<int64_t>(sample.right.size())};
  int64_t wrong_inside = 0;
  for (size_t i = 0; i < sample.wrong.size(); ++i) {
    if (region != nullptr && !region->contains(sample.wrong[i])) continue;
    ++wrong_inside;
    score.explained += trial.wrong_agrees[i] != 0;
    score.bits += trial.wrong_agrees[i] != 0 ? static_cast<double>(trial.wrong_bits[i]) : 0.0;
  }
  int64_t inside = wrong_inside;
  for (size_t i = 0; i < sample.right.size(); ++i) {
    if (region != nullptr && !region->contains(sample.right[i])) continue;
    ++inside;
    score.broken += trial.right_agrees[i] == 0;
  }
  score.bits += choice_bits(inside, wrong_inside);
  return score;
}

uint64_t fingerprint_of(const Evidence& evidence, const Trial& trial, const Sample& sample,
                        const Region* region) {
  const ProductModel right = right_model(evidence);
  uint64_t hash = kFnvBasis;
  const auto add = [&](const std::vector<Coord>& cells, const std::vector<uint64_t>& values) {
    for (size_t i = 0; i < cells.size(); ++i) {
      const bool inside = region == nullptr || region->contains(cells[i]);
      hash = mix(hash, inside ? values[i] : right_value(evidence, right.a, cells[i]));
    }
  };
  add(sample.wrong, trial.wrong_value);
  add(sample.right, trial.right_value);
  return hash;
}

double common_factor(const Evidence& evidence, const ProductModel& model, const std::vector<Coord>& cells) {
  double common = 0;
  int64_t known = 0;
  const std::vector<Prediction> predictions = predict_outputs(evidence, model, cells);
  bool changes = false;
  for (size_t i = 0; i < cells.size(); ++i) {
    const Bf16 expected = evidence.expected(cells[i].row, cells[i].col);
    changes = changes || predictions[i].value != expected;
    const double predicted = predictions[i].value.to_float();
    const double actual = evidence.runs.front()(cells[i].row, cells[i].col).to_float();
    if (predicted == 0 && actual == 0) continue;
    const double ratio = actual / predicted;
    int exponent = 0;
    if (!std::isfinite(ratio) || std::abs(std::frexp(ratio, &exponent)) != 0.5) return 1;
    if (known != 0 && ratio != common) return 1;
    common = ratio;
    ++known;
  }
  // A hypothesis that changes nothing has no part in it.
  constexpr double kLargest = 0x1p16;  // beyond that a scale is wrong, not the output's factor
  const bool sane = std::abs(common) <= kLargest && std::abs(common) >= 1 / kLargest;
  return known >= 4 && changes && sane ? common : 1;
}

}  // namespace mxproof::explain
