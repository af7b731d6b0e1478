#include "reference/gemm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "reference/block_terms.hpp"
#include "reference/exact_product.hpp"
#include "reference/exact_sum.hpp"
#include "reference/exact_zone.hpp"
#include "reference/models.hpp"
#include "reference/round.hpp"
#include "reference/zone_map.hpp"

namespace mxproof::reference {
namespace {

struct NamedModel {
  AccumulationModel model;
  std::string name;
};

ExactSum exact_sum(const OutputTerms& terms) {
  ExactSum sum;
  for (const BlockTerm& t : terms.blocks) sum.add(t.quarters, t.exponent - 2);
  return sum;
}

/// Sum of |T_b|, never below the true one.
double absolute_sum(const OutputTerms& terms) {
  ExactSum sum;
  for (const BlockTerm& t : terms.blocks) sum.add(std::abs(t.quarters), t.exponent - 2);
  const double nearest = sum.to_f64();
  return nearest == 0 ? 0 : std::nextafter(nearest, std::numeric_limits<double>::infinity());
}

Bf16 to_bf16_through_f32(double x) {
  return round_to_bf16(round_to_f32(x));
}

/// |error| <= gamma_n * sum|T_b| + n * 2^-149, with gamma_n = n*u / (1 - n*u) and u = 2^-24 (Higham, Accuracy
/// and Stability of Numerical Algorithms, 2nd ed., section 3.1). n counts the f32 roundings: an instruction
/// of the truncating model loses up to one u of the largest term in each of its terms and in C and rounds
/// once, which for two blocks are four, so two a block cover every model; a split adds one each. The absolute
/// term covers roundings in the subnormal range.
std::optional<Bf16Interval> rounding_bound(const OutputTerms& terms, int64_t split_k) {
  if (terms.nan) return std::nullopt;
  const double u = 0x1p-24;
  const double n = 2.0 * static_cast<double>(terms.blocks.size()) + static_cast<double>(split_k);
  assert(n * u < 0.5);
  const double gamma = n * u / (1 - n * u);
  const double magnitude = absolute_sum(terms);
  const double exact = exact_sum(terms).to_f64();
  // The factor covers the roundings of this very computation.
  const double error = (gamma * magnitude + n * 0x1p-149 + std::fabs(exact) * 0x1p-52) * (1 + 0x1p-50);
  if (magnitude + error >= std::numeric_limits<float>::max()) return std::nullopt;
  return Bf16Interval{to_bf16_through_f32(exact - error), to_bf16_through_f32(exact + error)};
}

}  // namespace

struct GemmReference::State {
  Mxfp4Matrix a;
  Mxfp4Matrix b;
  GemmOptions options;
  Product product;
  double zone_share = -1;  ///< Computed when first asked for.
  std::vector<NamedModel> models;
};

GemmReference::GemmReference(std::unique_ptr<State> state) : state_(std::move(state)) {}
GemmReference::~GemmReference() = default;
GemmReference::GemmReference(GemmReference&&) noexcept = default;
GemmReference& GemmReference::operator=(GemmReference&&) noexcept = default;

std::string_view name_of(ValueClass value_class) {
  switch (value_class) {
    case ValueClass::nan:
      return "nan";
    case ValueClass::zero:
      return "zero";
    case ValueClass::normal:
      return "normal";
    case ValueClass::subnormal:
      return "subnormal";
    case ValueClass::overflow:
      return "overflow";
  }
  return "?";
}

MatrixView<const Bf16> GemmReference::values() const {
  return std::as_const(state_->product.bf16).view();
}
MatrixView<const float> GemmReference::f32() const {
  return std::as_const(state_->product.f32).view();
}
int64_t GemmReference::double_roundings() const {
  return state_->product.double_roundings;
}

bool GemmReference::in_exact_zone(int64_t row, int64_t col) const {
  const OutputTerms terms = output_terms(state_->a, row, state_->b, col);
  return terms.nan || reference::in_exact_zone(terms.blocks);
}

double GemmReference::exact_zone_share() const {
  if (state_->zone_share < 0) {
    // NaN and Inf are no evidence that anything was added rightly.
    const MatrixView<const Bf16> all = values();
    int64_t inside = count_in_exact_zone(state_->a, state_->b);
    int64_t finite = all.rows * all.cols;
    for (int64_t r = 0; r < all.rows; ++r) {
      for (int64_t c = 0; c < all.cols; ++c) {
        if (all(r, c).is_finite()) continue;
        --finite;
        inside -= in_exact_zone(r, c) ? 1 : 0;
      }
    }
    state_->zone_share = finite == 0 ? 0 : static_cast<double>(inside) / static_cast<double>(finite);
  }
  return state_->zone_share;
}

std::optional<Bf16Interval> GemmReference::derived_bound(int64_t row, int64_t col) const {
  if (state_->options.accumulation) return std::nullopt;
  return rounding_bound(output_terms(state_->a, row, state_->b, col), state_->options.split_k);
}

std::optional<std::string_view> GemmReference::matching_model(int64_t row, int64_t col, Bf16 actual) const {
  const OutputTerms terms = output_terms(state_->a, row, state_->b, col);
  if (terms.nan) return std::nullopt;
  for (const NamedModel& m : state_->models) {
    if (round_to_bf16(accumulate(m.model, terms.blocks)) == actual) return m.name;
  }
  return std::nullopt;
}

std::vector<ModelOutput> GemmReference::model_outputs(int64_t row, int64_t col) const {
  const OutputTerms terms = output_terms(state_->a, row, state_->b, col);
  std::vector<ModelOutput> outputs;
  if (terms.nan) return outputs;
  for (const NamedModel& m : state_->models) {
    const float value = accumulate(m.model, terms.blocks);
    outputs.push_back({m.name, value, round_to_bf16(value)});
  }
  return outputs;
}

ModelReport GemmReference::model_report(size_t max_examples) const {
  ModelReport report;
  const auto differ = [](const std::vector<ModelOutput>& outputs, auto bits) {
    return std::any_of(outputs.begin(), outputs.end(),
                       [&](const ModelOutput& o) { return bits(o) != bits(outputs.front()); });
  };
  for (int64_t r = 0; r < state_->a.rows; ++r) {
    for (int64_t c = 0; c < state_->b.rows; ++c) {
      if (in_exact_zone(r, c)) continue;
      ++report.outside_zone;
      std::vector<ModelOutput> outputs = model_outputs(r, c);
      if (!differ(outputs, [](const ModelOutput& o) { return std::bit_cast<uint32_t>(o.f32); })) continue;
      ++report.differ_in_f32;
      report.differ_in_bf16 += differ(outputs, [](const ModelOutput& o) { return o.bf16.bits; }) ? 1 : 0;
      if (report.examples.size() < max_examples) report.examples.push_back({r, c, std::move(outputs)});
    }
  }
  return report;
}

OutputFacts GemmReference::facts(int64_t row, int64_t col) const {
  const OutputTerms terms = output_terms(state_->a, row, state_->b, col);
  OutputFacts facts;
  facts.f32 = state_->product.f32(row, col);
  facts.bf16 = state_->product.bf16(row, col);
  facts.in_exact_zone = terms.nan || reference::in_exact_zone(terms.blocks);
  facts.bound = rounding_bound(terms, state_->options.split_k);
  if (terms.nan) {
    facts.value_class = ValueClass::nan;
    facts.bf16_single = facts.bf16;
    facts.f16 = round_to_f16(static_cast<double>(facts.f32));
    facts.absolute_sum = std::numeric_limits<double>::quiet_NaN();
    return facts;
  }
  const ExactSum sum = exact_sum(terms);
  facts.bf16_single = sum.to_bf16();
  facts.f16 = sum.to_f16();
  facts.absolute_sum = absolute_sum(terms);
  if (sum.is_zero()) {
    facts.value_class = ValueClass::zero;
  } else if (std::isinf(facts.f32)) {
    facts.value_class = ValueClass::overflow;
  } else {
    facts.value_class = std::isnormal(facts.f32) ? ValueClass::normal : ValueClass::subnormal;
  }
  return facts;
}

Expected<GemmReference> gemm(Mxfp4Matrix a, Mxfp4Matrix b, const GemmOptions& options) {
  if (a.rows < 1 || b.rows < 1 || a.cols < kBlock || a.cols % kBlock != 0 || a.cols != b.cols) {
    return Status::bad_input(fmt::format(
        "cannot multiply A {} x {} by the transpose of B {} x {}: rows must be positive and K equal and a "
        "positive multiple of {}",
        a.rows, a.cols, b.rows, b.cols, kBlock));
  }
  if (options.split_k < 1) {
    return Status::bad_input(fmt::format("split_k is {}, it must be at least 1", options.split_k));
  }
  auto state = std::make_unique<GemmReference::State>();
  state->product = exact_product(a, b, options.threads);
  state->a = std::move(a);
  state->b = std::move(b);
  state->options = options;
  for (const AccumulationModel& model : accumulation_models(options.split_k, options.accumulation)) {
    state->models.push_back({model, model.name()});
  }
  return GemmReference(std::move(state));
}

}  // namespace mxproof::reference
