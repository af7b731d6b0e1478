#include "tools/explain/part_weights.hpp"

#include <cmath>
#include <unordered_map>

#include "tools/explain/least_squares.hpp"
#include "tools/explain/model.hpp"

namespace mxproof::explain {
namespace {

constexpr size_t kMostParts = 256;
constexpr size_t kSpareCells = 32;  // beyond one a part, to judge the fit by

class Rows {
 public:
  explicit Rows(const OperandModel& model) : model_(model) {}
  const std::vector<double>& get(int64_t row) {
    std::vector<double>& values = rows_[row];
    if (values.empty()) values = decode_row(model_, row);
    return values;
  }

 private:
  const OperandModel& model_;
  std::unordered_map<int64_t, std::vector<double>> rows_;
};

/// `part_of(k)` is below `parts`.
template <class PartOf>
std::optional<PartWeights> fit(const Evidence& e, std::span<const Coord> cells, size_t parts,
                               PartOf part_of) {
  if (e.subject != Subject::output || !e.a || !e.b || parts == 0 || parts > kMostParts) return std::nullopt;
  const ProductModel model = right_model(e);
  Rows a_rows(model.a);
  Rows b_rows(model.b);
  std::vector<double> coefficients;
  std::vector<double> got;
  for (Coord c : cells) {
    const double actual = e.runs.front()(c.row, c.col).to_float();
    if (!std::isfinite(actual)) continue;
    const std::vector<double>& a = a_rows.get(c.row);
    const std::vector<double>& b = b_rows.get(c.col);
    const size_t first = coefficients.size();
    coefficients.resize(first + parts);
    for (size_t k = 0; k < a.size(); ++k) coefficients[first + part_of(k)] += a[k] * b[k];
    got.push_back(actual);
  }
  if (got.size() < parts + kSpareCells) return std::nullopt;
  std::optional<std::vector<double>> weights = least_squares(coefficients, parts, got);
  if (!weights) return std::nullopt;
  double residual = 0;
  double squares = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    double predicted = 0;
    for (size_t p = 0; p < parts; ++p) predicted += coefficients[i * parts + p] * (*weights)[p];
    residual += (predicted - got[i]) * (predicted - got[i]);
  }
  for (double x : coefficients) squares += x * x;
  const double variance = residual / static_cast<double>(got.size() - parts);
  return PartWeights{std::move(*weights), std::sqrt(variance * static_cast<double>(parts) / squares)};
}

}  // namespace

std::optional<PartWeights> weights_of_blocks(const Evidence& e, std::span<const Coord> cells) {
  return fit(e, cells, static_cast<size_t>(e.elements() / kBlock), [](size_t k) { return k / kBlock; });
}

std::optional<PartWeights> weights_of_places(const Evidence& e, std::span<const Coord> cells) {
  return fit(e, cells, kBlock, [](size_t k) { return k % kBlock; });
}

}  // namespace mxproof::explain
