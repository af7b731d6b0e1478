#include "common/compare/judge.hpp"

#include <fmt/format.h>

#include <cmath>

namespace mxproof {
namespace {

bool inside(Bf16Interval interval, Bf16 x) {
  // A bf16 that is not NaN orders as the float it stands for, Inf included.
  return interval.low.to_float() <= x.to_float() && x.to_float() <= interval.high.to_float();
}

/// Why a differing output passes; empty when it does not. Only reached for the classes a policy may forgive.
std::string_view accepted_by(const Acceptance& acceptance, const OutputExpectation& expected,
                             const OutputDifference& d) {
  if (d.difference == Difference::unwritten || d.difference == Difference::nan) return {};
  switch (acceptance.kind) {
    case AcceptanceKind::bit_equal:
      return {};
    case AcceptanceKind::exact_zone: {
      if (d.in_exact_zone) return {};
      if (const auto model = expected.matching_model(d.row, d.col, d.actual)) return *model;
      if (d.difference == Difference::sign_of_zero) return {};
      const auto bound = expected.derived_bound(d.row, d.col);
      return bound && inside(*bound, d.actual) ? "derived bound" : std::string_view{};
    }
    case AcceptanceKind::contest: {
      if (d.difference == Difference::inf) return {};
      const double e = d.expected.to_float();
      const double error = std::fabs(d.actual.to_float() - e);
      return error <= acceptance.atol + acceptance.rtol * std::fabs(e) ? "contest" : std::string_view{};
    }
    case AcceptanceKind::ulp:
      if (d.difference == Difference::inf) return {};
      return ulp_distance(d.expected, d.actual) <= acceptance.max_ulp ? "ulp" : std::string_view{};
  }
  return {};
}

std::string describe_mismatch(const Comparison& c, const OutputDifference& first) {
  std::string text =
      fmt::format("{} of {} outputs differ; first at ({}, {}): expected {} (0x{:04x}), got {} (0x{:04x}), {}",
                  c.mismatches, c.outputs, first.row, first.col, first.expected.to_float(),
                  first.expected.bits, first.actual.to_float(), first.actual.bits, name_of(first.difference));
  if (c.all_zero) text += "; every output is zero";
  return text;
}

/// Expected values without any accumulation behind them: everything is in the exact zone.
class PlainExpectation final : public OutputExpectation {
 public:
  explicit PlainExpectation(MatrixView<const Bf16> values) : values_(values) {}
  MatrixView<const Bf16> values() const override { return values_; }
  bool in_exact_zone(int64_t, int64_t) const override { return true; }
  double exact_zone_share() const override { return 1.0; }
  std::optional<Bf16Interval> derived_bound(int64_t, int64_t) const override { return std::nullopt; }
  std::optional<std::string_view> matching_model(int64_t, int64_t, Bf16) const override {
    return std::nullopt;
  }

 private:
  MatrixView<const Bf16> values_;
};

}  // namespace

Comparison judge(const Acceptance& acceptance, const OutputExpectation& expected,
                 MatrixView<const Bf16> actual, const JudgeOptions& options) {
  Comparison result;
  result.acceptance = acceptance;
  const MatrixView<const Bf16> right = expected.values();
  if (right.rows != actual.rows || right.cols != actual.cols) {
    result.message =
        fmt::format("the output is {}x{}, expected {}x{}", actual.rows, actual.cols, right.rows, right.cols);
    return result;
  }
  if (right.rows <= 0 || right.cols <= 0) {
    result.message = "nothing to compare: the output has no elements";
    return result;
  }

  result.outputs = right.rows * right.cols;
  result.exact_zone_share = expected.exact_zone_share();
  bool actual_all_zero = true;
  bool expected_all_zero = true;
  for (int64_t r = 0; r < right.rows; ++r) {
    for (int64_t c = 0; c < right.cols; ++c) {
      OutputDifference d{r, c, right(r, c), actual(r, c), Difference::none, false, false, {}};
      actual_all_zero = actual_all_zero && (d.actual.bits & 0x7fff) == 0;
      expected_all_zero = expected_all_zero && (d.expected.bits & 0x7fff) == 0;
      result.non_finite += d.expected.is_finite() ? 0 : 1;
      d.difference = classify(d.expected, d.actual, options.poison);
      ++result.by_difference[static_cast<int>(d.difference)];
      if (d.difference == Difference::none) {
        ++result.bit_equal;
        continue;
      }
      if (d.difference == Difference::value) {
        result.max_ulp = std::max(result.max_ulp, ulp_distance(d.expected, d.actual));
      }
      d.in_exact_zone = expected.in_exact_zone(r, c);
      d.accepted_by = accepted_by(acceptance, expected, d);
      d.accepted = !d.accepted_by.empty();
      ++(d.accepted ? result.accepted : result.mismatches);
      if (!result.first || (result.first->accepted && !d.accepted)) result.first = d;
      if (!d.accepted && result.examples.size() < options.max_examples) result.examples.push_back(d);
    }
  }
  result.all_zero = actual_all_zero && !expected_all_zero;
  if (result.mismatches > 0) {
    result.verdict = Verdict::mismatch;
    if (result.first) result.message = describe_mismatch(result, *result.first);
  } else {
    result.verdict = result.accepted > 0 ? Verdict::within_bound : Verdict::bit_equal;
  }
  return result;
}

Comparison compare_bits(MatrixView<const Bf16> expected, MatrixView<const Bf16> actual,
                        const JudgeOptions& options) {
  return judge(Acceptance::bit_equal(), PlainExpectation(expected), actual, options);
}

}  // namespace mxproof
