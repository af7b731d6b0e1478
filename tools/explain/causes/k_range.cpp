// A stretch of K that is left out, counted twice, or read past its end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"
#include "tools/explain/part_weights.hpp"
#include "tools/explain/region.hpp"

namespace mxproof::explain {
namespace {

struct Range {
  int64_t first = 0;  ///< Blocks.
  int64_t last = 0;   ///< One past the end.
  double weight = 0;  ///< 0: left out, 2: counted twice.
};

std::string describe(const Range& range, int64_t blocks) {
  const int64_t count = range.last - range.first;
  std::string text = fmt::format("elements {}..{} of K are {}", range.first * kBlock, range.last * kBlock - 1,
                                 range.weight == 0 ? "missing from every sum" : "counted twice");
  if (count == blocks)
    return range.weight == 0 ? "nothing was summed at all" : "every product is counted twice";
  if (blocks % count == 0 && range.first % count == 0) {
    text += fmt::format(" (part {} of {} of a split K)", range.first / count + 1, blocks / count);
  }
  if (blocks == 2 * count && range.first == count) text += " (K taken as bytes where elements are meant?)";
  for (int64_t step : {256, 128, 64}) {
    if (range.last == blocks && blocks * kBlock % step == count * kBlock) {
      text += fmt::format(" (the tail of K past the last whole {})", step);
      break;
    }
  }
  return text;
}

Candidate range_candidate(const Range& range, int64_t blocks, bool fitted) {
  Candidate c{.cause = range.weight == 0 ? "k-range-missing" : "k-range-doubled",
              .text = describe(range, blocks),
              .stage = Stage::product,
              .apply =
                  [range](ProductModel& model) {
                    model.weight = [range, inner = model.weight](int64_t row, int64_t col, int64_t block) {
                      const double weight = inner ? inner(row, col, block) : 1.0;
                      return block >= range.first && block < range.last ? weight * range.weight : weight;
                    };
                    model.product_changed = true;
                  },
              .changes = Part::rest};
  c.fitted_bits = fitted ? 2 * std::log2(static_cast<double>(blocks)) : 0;
  // A start or an end of K takes one number to say.
  if (range.first == 0 || range.last == blocks) c.described_bits = c.fitted_bits / 2;
  c.combines = !fitted;
  return c;
}

/// All ranges of blocks whose loss (or doubling) turns the right sum of `cell` into what was got.
std::vector<Range> ranges_that_explain(const Evidence& e, const ProductModel& model, Coord cell) {
  const std::vector<double> sums = block_sums(model, cell);
  const auto blocks = static_cast<int64_t>(sums.size());
  std::vector<double> prefix(sums.size() + 1, 0.0);
  for (size_t b = 0; b < sums.size(); ++b) prefix[b + 1] = prefix[b] + sums[b];
  const Bf16 actual = e.runs.front()(cell.row, cell.col);
  std::vector<Range> found;
  for (int64_t first = 0; first < blocks; ++first) {
    for (int64_t last = first + 1; last <= blocks; ++last) {
      const double part = prefix[static_cast<size_t>(last)] - prefix[static_cast<size_t>(first)];
      for (double weight : {0.0, 2.0}) {
        if (narrow(prefix.back() + (weight - 1) * part, model.narrowing) == actual)
          found.push_back({first, last, weight});
      }
    }
  }
  return found;
}

/// The simple number that a fitted weight stands for, if it stands for one.
std::optional<double> simple_weight(double fitted) {
  for (double simple : {1.0, 0.0, 2.0, 0.5, 4.0, 0.25, 8.0, 0.125, -1.0}) {
    if (std::abs(fitted - simple) <= 0.04 * std::max(1.0, std::abs(simple))) return simple;
  }
  return std::nullopt;
}

/// "odd", "0, 5 and 9", "0..3 of every 8"
std::string describe_blocks(const std::vector<double>& weights, double weight) {
  std::vector<int64_t> hits;
  for (double w : weights) hits.push_back(w == weight);
  return fit_axis(hits).describe("blocks");
}

}  // namespace

void propose_k_blocks(const Clues& clues, std::vector<Candidate>& out) {
  if (!is_product(clues.evidence)) return;
  const std::optional<PartWeights> fitted = weights_of_blocks(clues.evidence, clues.wrong);
  if (!fitted) return;
  const auto weights = std::make_shared<std::vector<double>>();
  std::set<double> unusual;
  for (double w : fitted->values) {
    const std::optional<double> simple = simple_weight(w);
    if (!simple) return;
    weights->push_back(*simple);
    if (*simple != 1) unusual.insert(*simple);
  }
  // All alike is a constant factor.
  if (unusual.empty() || std::equal(weights->begin() + 1, weights->end(), weights->begin())) return;
  std::string text;
  for (double w : unusual) {
    text += fmt::format("{}{} of K {}", text.empty() ? "" : ", ", describe_blocks(*weights, w),
                        w == 0 ? "are missing from the sums" : fmt::format("count {:g} times", w));
  }
  Candidate c{.cause = "k-blocks",
              .text = std::move(text),
              .stage = Stage::product,
              .apply =
                  [weights](ProductModel& model) {
                    model.weight = [weights, inner = model.weight](int64_t row, int64_t col, int64_t block) {
                      return (inner ? inner(row, col, block) : 1.0) * (*weights)[static_cast<size_t>(block)];
                    };
                    model.product_changed = true;
                  },
              .combines = false,
              .changes = Part::rest};
  c.fitted_bits = 3 * static_cast<double>(weights->size());
  out.push_back(std::move(c));
}

void propose_k_range(const Clues& clues, std::vector<Candidate>& out) {
  if (!is_product(clues.evidence) || clues.wrong.empty()) return;
  const ProductModel model = right_model(clues.evidence);
  const int64_t blocks = model.a.blocks();
  // Every cell allows some ranges by chance; the true one is allowed by nearly all.
  constexpr size_t kCells = 24;
  const size_t cells = std::min(kCells, clues.wrong.size());
  std::vector<int> votes(static_cast<size_t>(blocks * (blocks + 1) * 2), 0);
  const auto slot = [blocks](const Range& r) {
    return static_cast<size_t>((r.first * (blocks + 1) + r.last) * 2 + (r.weight == 0 ? 0 : 1));
  };
  std::vector<Range> seen;
  for (size_t i = 0; i < cells; ++i) {
    const Coord cell = clues.wrong[i * clues.wrong.size() / cells];
    for (const Range& range : ranges_that_explain(clues.evidence, model, cell)) {
      if (votes[slot(range)]++ == 0) seen.push_back(range);
    }
  }
  const int needed = static_cast<int>(cells) - static_cast<int>(cells) / 8;
  std::erase_if(seen, [&](const Range& r) { return votes[slot(r)] < needed; });
  std::sort(seen.begin(), seen.end(), [&](const Range& x, const Range& y) {
    return std::tuple(-votes[slot(x)], x.first, x.last, x.weight) <
           std::tuple(-votes[slot(y)], y.first, y.last, y.weight);
  });
  constexpr size_t kMost = 6;
  if (seen.size() > kMost) seen.resize(kMost);
  for (const Range& range : seen) out.push_back(range_candidate(range, blocks, true));
  // Usual splits, to be tried together with other causes.
  for (int64_t parts : {2, 4}) {
    if (blocks % parts != 0) continue;
    for (int64_t part = 0; part < parts; ++part) {
      const Range range{part * blocks / parts, (part + 1) * blocks / parts, 0};
      out.push_back(range_candidate(range, blocks, false));
    }
  }
}

// A kernel that steps through K in whole tiles and never masks the last one reads the start of the next row.
void propose_k_leak(const Clues& clues, std::vector<Candidate>& out) {
  if (!is_product(clues.evidence)) return;
  const int64_t k = clues.evidence.elements();
  for (int64_t step : {64, 128, 256}) {
    const int64_t reach = round_up(k, step);
    if (reach == k) continue;
    out.push_back(
        {.cause = "k-leak",
         .text = fmt::format(
             "sums run on to K = {} (whole steps of {}) and take in the start of the next row", reach, step),
         .stage = Stage::load,
         .apply = [k, reach](ProductModel& model) {
           for (OperandModel* o : {&model.a, &model.b}) {
             // Where rows are short, a step spans several.
             o->code = [inner = o->code, rows = o->rows, k](int64_t row, int64_t i) {
               return row + i / k < rows ? inner(row + i / k, i % k) : uint8_t{0};
             };
             o->scale = [inner = o->scale, rows = o->rows, n = k / kBlock](int64_t row, int64_t b) {
               return row + b / n < rows ? inner(row + b / n, b % n) : uint8_t{0};
             };
             o->k = reach;
           }
           model.product_changed = true;
         }});
  }
}

}  // namespace mxproof::explain
