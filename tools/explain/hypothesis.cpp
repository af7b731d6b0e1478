#include "tools/explain/hypothesis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace mxproof::explain {
namespace {

constexpr double kFactorBits = 3;      // besides its exponent
constexpr double kAxisBits = 2;        // which form of set an axis has
constexpr double kAcrossBits = 6;      // a fault of an operand in a part of the outputs of its rows
constexpr int64_t kFewestLines = 8;    // rows of an operand that are too many to be misread alike by chance
constexpr int64_t kMostRowsRead = 64;  // when counting what changes

double description_bits(const AxisSet& axis) {
  if (axis.everything()) return 0;
  double bits = kAxisBits;
  if (axis.first > 0) bits += std::log2(static_cast<double>(axis.extent));
  if (axis.last < axis.extent) bits += std::log2(static_cast<double>(axis.extent));
  if (axis.period > 1) bits += choice_bits(axis.period, static_cast<int64_t>(axis.residues.size()));
  return bits;
}

/// How much of a row the hypothesis changes: elements, and blocks that change by one factor only.
int64_t changes(const std::vector<double>& right, const std::vector<double>& other) {
  const size_t k = std::min(right.size(), other.size());
  int64_t count = 0;
  for (size_t begin = 0; begin < k; begin += kBlock) {
    int64_t elements = 0;
    double factor = 0;
    bool one_factor = true;
    for (size_t i = begin; i < std::min(k, begin + kBlock); ++i) {
      if (right[i] == 0 && other[i] == 0) continue;
      elements += right[i] != other[i];
      const double ratio = other[i] / right[i];
      one_factor = one_factor && std::isfinite(ratio) && (factor == 0 || ratio == factor);
      factor = ratio;
    }
    count += one_factor ? std::min<int64_t>(elements, 1) : elements;
  }
  return count;
}

bool is_likely(const OperandModel& right, const OperandModel& other, const AxisSet& rows, double bits) {
  if (rows.everything() || (!rows.is_list() && rows.size() >= kFewestLines)) return true;
  if (!right.present()) return false;
  const double needed = bits + description_bits(rows);
  int64_t count = 0;
  int64_t read = 0;
  for (int64_t row = rows.first; row < rows.last && read < kMostRowsRead; ++row) {
    if (!rows.contains(row)) continue;
    ++read;
    count += changes(decode_row(right, row), decode_row(other, row));
    if (static_cast<double>(count) >= needed) return true;
  }
  return false;
}

/// A power of two: the farther from 1 the less likely.
double bits_of_factor(double factor) {
  return factor == 1 ? 0 : kFactorBits + std::abs(std::log2(std::abs(factor)));
}

/// True for a list that is not the same place of several tiles.
bool is_scattered(const AxisSet& axis) {
  constexpr int64_t kTile = 16;
  const int64_t place = *axis.residues.begin() % kTile;
  return axis.is_list() && std::ranges::any_of(axis.residues, [&](int64_t i) { return i % kTile != place; });
}

bool acts_on(const Candidate& part, Part operand) {
  return part.changes == operand || part.changes == Part::all;
}

}  // namespace

double Hypothesis::fitted_bits() const {
  double bits = bits_of_factor(factor);
  for (const Candidate* part : parts) bits += part->fitted_bits;
  return bits;
}

double Hypothesis::description_bits() const {
  double bits = bits_of_factor(factor);
  for (const Candidate* part : parts)
    bits += part->name_bits + part->described_bits.value_or(part->fitted_bits) + part->guess_bits;
  return bits;
}

std::string Hypothesis::kind() const {
  std::string kind;
  for (const Candidate* part : parts)
    kind += fmt::format("{}/{} ", part->cause, static_cast<int>(part->changes));
  return factor == 1 ? kind : kind + "factor";
}

std::vector<std::string> Hypothesis::causes() const {
  std::vector<std::string> names;
  for (const Candidate* part : parts) names.emplace_back(part->cause);
  if (factor != 1) names.emplace_back("constant-factor");
  return names;
}

std::string Hypothesis::text() const {
  std::string text;
  for (const Candidate* part : parts) text += (text.empty() ? "" : "; and ") + part->text;
  if (factor != 1) text += fmt::format("; and every output is {:.6g} times that", factor);
  return text;
}

ProductModel model_of(const ProductModel& right, const Hypothesis& h) {
  ProductModel model = right;
  std::vector<const Candidate*> parts = h.parts;
  if (parts.size() == 2 && parts[1]->stage < parts[0]->stage) std::swap(parts[0], parts[1]);
  for (const Candidate* part : parts) part->apply(model);
  if (h.factor != 1) {
    model.source = [inner = model.source, factor = h.factor](int64_t row, int64_t col) {
      Source s = inner(row, col);
      s.factor *= factor;
      return s;
    };
  }
  return model;
}

double description_bits(const Hypothesis& h, const Region& region) {
  double bits = description_bits(region.rows) + description_bits(region.cols);
  if (region.tile.rows != 0) {
    const int64_t tiles =
        ceil_div(region.rows.extent, region.tile.rows) * ceil_div(region.cols.extent, region.tile.cols);
    bits += kAxisBits + choice_bits(tiles, static_cast<int64_t>(region.tiles.size()));
  }
  const bool cuts_rows = !region.rows.everything() || region.tile.rows != 0;
  const bool cuts_cols = !region.cols.everything() || region.tile.rows != 0;
  for (const Candidate* part : h.parts) {
    if ((part->changes == Part::a && cuts_cols) || (part->changes == Part::b && cuts_rows))
      bits += kAcrossBits;
  }
  return bits;
}

bool may_act_in(const ProductModel& right, const Hypothesis& h, const Region& region, double bits) {
  // A step of K is lost by waves and tiles, not by outputs here and there.
  const bool scattered = is_scattered(region.rows) || is_scattered(region.cols);
  if (scattered &&
      std::ranges::any_of(h.parts, [](const Candidate* p) { return p->stage == Stage::product; }))
    return false;
  const ProductModel model = model_of(right, h);
  return std::ranges::all_of(h.parts, [&](const Candidate* part) {
    return (!acts_on(*part, Part::a) || is_likely(right.a, model.a, region.rows, bits)) &&
           (!acts_on(*part, Part::b) || is_likely(right.b, model.b, region.cols, bits));
  });
}

}  // namespace mxproof::explain
