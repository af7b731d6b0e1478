// Outputs that are a multiple of the right ones, were never written, or are those of an earlier call.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"

namespace mxproof::explain {
namespace {

constexpr double kBitsOfASimpleFactor = 2;

Candidate factor_candidate(double factor, double fitted_error) {
  Candidate c{.cause = "constant-factor",
              .text = fmt::format("every output is {:.6g} times the right one", factor),
              .stage = Stage::place,
              .apply =
                  [factor, fitted_error](ProductModel& model) {
                    model.source = [inner = model.source, factor](int64_t row, int64_t col) {
                      Source s = inner(row, col);
                      s.factor *= factor;
                      return s;
                    };
                    model.fitted_error = std::max(model.fitted_error, fitted_error);
                  },
              .fitted_bits = kBitsOfANumber,
              .combines = false,
              .changes = Part::rest};
  if (fitted_error == 0) c.described_bits = kBitsOfASimpleFactor + std::abs(std::log2(std::abs(factor)));
  return c;
}

}  // namespace

void propose_factor(const Clues& clues, std::vector<Candidate>& out) {
  const Evidence& e = clues.evidence;
  if (e.subject != Subject::output) return;
  std::vector<double> ratios;
  for (Coord c : clues.wrong) {
    const double right = e.expected(c.row, c.col).to_float();
    const double ratio = e.runs.front()(c.row, c.col).to_float() / right;
    if (right != 0 && std::isfinite(ratio) && ratio != 0) ratios.push_back(ratio);
  }
  if (ratios.size() < 2 || ratios.size() * 2 < clues.wrong.size()) return;
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2),
                   ratios.end());
  const double median = ratios[ratios.size() / 2];
  // bf16 rounds both sides, so one ratio is known to about 2^-8; a factor that people write down lies close.
  constexpr double kRatioError = 0x1p-8;
  const double power = std::copysign(std::exp2(std::round(std::log2(std::abs(median)))), median);
  if (std::abs(median / power - 1) < kRatioError) {
    out.push_back(factor_candidate(power, 0));
    return;
  }
  for (double simple : {3.0, 5.0, 6.0, 1 / 3.0, 1 / 5.0, 1 / 6.0, 1.5, 2 / 3.0, 0.75, 1.25, 0.1, 10.0}) {
    for (double sign : {1.0, -1.0}) {
      if (std::abs(median / (sign * simple) - 1) < kRatioError)
        out.push_back(factor_candidate(sign * simple, 0));
    }
  }
  // A ratio near 1 is rounding noise, not a factor.
  if (std::abs(median - 1) > 4 * kRatioError) out.push_back(factor_candidate(median, kRatioError));
}

void propose_unwritten(const Clues& clues, std::vector<Candidate>& out) {
  const Evidence& e = clues.evidence;
  if (clues.wrong.empty()) return;
  if (e.subject == Subject::quantised) {
    for (uint8_t fill : {kPoisonByte, uint8_t{0x00}, uint8_t{0xff}}) {
      out.push_back(
          {.cause = "unwritten",
           .text = fmt::format("blocks still hold the fill 0x{:02x}: nothing was written there", fill),
           .stage = Stage::place,
           .apply =
               [fill](ProductModel& model) {
                 model.a.code = [fill](int64_t, int64_t k) {
                   return static_cast<uint8_t>(k % 2 ? fill >> 4 : fill & 15);
                 };
                 model.a.scale = [fill](int64_t, int64_t) { return fill; };
                 model.product_changed = true;
               },
           .combines = false,
           .changes = Part::rest});
    }
    return;
  }
  // The value that most wrong outputs share. A zero where zero belongs is wrong in its sign alone: somebody
  // wrote it.
  std::map<uint16_t, size_t> counts;
  for (Coord c : clues.wrong) {
    const Bf16 actual = e.runs.front()(c.row, c.col);
    if (actual.to_float() != 0 || e.expected(c.row, c.col).to_float() != 0) ++counts[actual.bits];
  }
  if (counts.empty()) return;
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](auto& x, auto& y) { return x.second < y.second; });
  if (most->second * 2 < clues.wrong.size()) return;
  const Bf16 value{most->first};
  std::string text;
  if (value == e.poison) {
    text = "outputs still hold the fill from before the run: nothing was written there";
  } else if (value.to_float() == 0) {
    text = "outputs are zero: nothing was summed or written there";
  } else if (value.is_nan()) {
    text = "outputs are NaN";
  } else {
    text = fmt::format("outputs all hold the same number {}", value.to_float());
  }
  Candidate c = place_candidate(value.is_nan() && value != e.poison ? "nan" : "unwritten", text,
                                [value](const std::function<Source(int64_t, int64_t)>&) {
                                  return [value](int64_t row, int64_t col) {
                                    return Source{.at = {row, col}, .is_constant = true, .constant = value};
                                  };
                                });
  // The usual fills are not taken from the output.
  const bool usual = value == e.poison || value.to_float() == 0 || value.is_nan();
  c.fitted_bits = usual ? 0 : kBitsOfANumber;
  c.combines = false;
  out.push_back(std::move(c));
}

void propose_stale(const Clues& clues, std::vector<Candidate>& out) {
  const Evidence& e = clues.evidence;
  if (e.subject != Subject::output || !e.previous) return;
  using SourceAt = std::function<Source(int64_t, int64_t)>;
  out.push_back(place_candidate(
      "stale", "outputs are those of the earlier call: nothing new was written there",
      [previous = &*e.previous](const SourceAt&) {
        return [previous](int64_t row, int64_t col) {
          return Source{.at = {row, col}, .is_constant = true, .constant = (*previous)(row, col)};
        };
      }));
  for (bool rounded_first : {false, true}) {
    out.push_back(place_candidate("stale",
                                  "the product was added to what the output held before: it was not cleared",
                                  [previous = &*e.previous, rounded_first](const SourceAt& inner) {
                                    return [inner, previous, rounded_first](int64_t row, int64_t col) {
                                      Source s = inner(row, col);
                                      s.added = (*previous)(row, col).to_float();
                                      s.rounded_first = rounded_first;
                                      return s;
                                    };
                                  }));
  }
}

}  // namespace mxproof::explain
