#include "tools/explain/observations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "common/compare/comparison.hpp"
#include "tools/explain/block_report.hpp"

namespace mxproof::explain {
namespace {

double percent(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// ", all in ..." for the wrong outputs of one kind; empty when they are all over the place.
std::string where_of_kind(const Evidence& e, const WrongMap& map, Difference kind) {
  std::vector<uint8_t> flags(map.wrong.size());
  for (size_t i = 0; i < flags.size(); ++i) {
    flags[i] = map.wrong[i] != 0 && classify(e.expected.data[i], e.runs.front().data[i], e.poison) == kind;
  }
  const std::vector<Region> regions = fit_regions(WrongMap(map.cells, std::move(flags)), true);
  if (regions.empty()) return {};
  return fmt::format(", all in {} ({:.3g} % of it)", regions.front().text, 100 * regions.front().density);
}

void observe_values(const Evidence& e, const WrongMap& map, std::vector<std::string>& out) {
  std::array<int64_t, kDifferenceCount> kinds{};
  std::vector<double> ratios;
  std::array<int64_t, 4> ulps{};
  int64_t larger = 0;
  int64_t negated = 0;
  for (int64_t i = 0; i < map.cells.size(); ++i) {
    const Coord c{i / map.cells.cols, i % map.cells.cols};
    if (!map.at(c.row, c.col)) continue;
    const Bf16 right = e.expected(c.row, c.col);
    const Bf16 actual = e.runs.front()(c.row, c.col);
    const Difference kind = classify(right, actual, e.poison);
    ++kinds[static_cast<size_t>(kind)];
    if (kind != Difference::value) continue;
    ++ulps[static_cast<size_t>(std::min<int64_t>(ulp_distance(right, actual), 3))];
    if (right.to_float() == 0) continue;
    const double ratio = actual.to_float() / right.to_float();
    ratios.push_back(ratio);
    larger += std::abs(ratio) > 1;
    negated += ratio < 0;
  }
  int64_t several = 0;
  for (int64_t count : kinds) several += count != 0;
  for (size_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds[kind] == 0) continue;
    // Kinds can have causes of their own: then each has a place of its own.
    const std::string where = several > 1 ? where_of_kind(e, map, static_cast<Difference>(kind)) : "";
    out.push_back(fmt::format("{} wrong outputs ({:.3g} % of all) are of kind '{}'{}", kinds[kind],
                              percent(kinds[kind], map.cells.size()), name_of(static_cast<Difference>(kind)),
                              where));
  }
  if (ratios.size() < 8) return;
  const auto quantile = [&](double q) {
    const auto at = ratios.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(ratios.size() - 1));
    std::nth_element(ratios.begin(), at, ratios.end());
    return *at;
  };
  const auto count = static_cast<int64_t>(ratios.size());
  const double low = quantile(0.1);
  const double middle = quantile(0.5);
  const double high = quantile(0.9);
  out.push_back(fmt::format(
      "actual / expected: median {:.4g}, from {:.4g} to {:.4g} for the middle 80 %; {:.3g} % have the "
      "other sign, {:.3g} % are larger in magnitude",
      middle, low, high, percent(negated, count), percent(larger, count)));
  out.push_back(fmt::format("{:.3g} % are 1 bf16 step off, {:.3g} % 2 steps, {:.3g} % more",
                            percent(ulps[1], count), percent(ulps[2], count), percent(ulps[3], count)));
}

/// One line for a histogram that is far from flat.
void observe_histogram(const std::vector<int64_t>& wrong, const std::vector<int64_t>& all,
                       const std::string& what, std::vector<std::string>& out) {
  double highest = 0;
  double lowest = 1;
  size_t at_highest = 0;
  size_t at_lowest = 0;
  for (size_t i = 0; i < wrong.size(); ++i) {
    if (all[i] < 16) return;
    const double rate = static_cast<double>(wrong[i]) / static_cast<double>(all[i]);
    if (rate > highest) highest = rate, at_highest = i;
    if (rate < lowest) lowest = rate, at_lowest = i;
  }
  // Three times the rate, and not by chance: 16 or more cells lie behind every entry.
  if (wrong.size() < 2 || highest < 3 * lowest || highest < 0.02) return;
  out.push_back(fmt::format("{}: {:.3g} % wrong at {}, {:.3g} % at {}", what, 100 * highest, at_highest,
                            100 * lowest, at_lowest));
}

void observe_places(const WrongMap& map, std::vector<std::string>& out) {
  struct Axis {
    std::string what;
    size_t bins;
    int64_t (*bin)(Coord c, Extent cells);
  };
  const Axis axes[] = {
      {"row modulo 16", 16, [](Coord c, Extent) { return c.row % 16; }},
      {"row modulo 32", 32, [](Coord c, Extent) { return c.row % 32; }},
      {"column modulo 16", 16, [](Coord c, Extent) { return c.col % 16; }},
      {"column modulo 32", 32, [](Coord c, Extent) { return c.col % 32; }},
      {"lane of a 16x16x128 result", 64, [](Coord c, Extent) { return c.col % 16 + 16 * (c.row % 16 / 4); }},
      {"register of a 16x16x128 result", 4, [](Coord c, Extent) { return c.row % 4; }},
      {"eighths of the rows, top to bottom", 8, [](Coord c, Extent e) { return c.row * 8 / e.rows; }},
      {"eighths of the columns, left to right", 8, [](Coord c, Extent e) { return c.col * 8 / e.cols; }},
  };
  for (const Axis& axis : axes) {
    std::vector<int64_t> wrong(axis.bins);
    std::vector<int64_t> all(axis.bins);
    for (int64_t row = 0; row < map.cells.rows; ++row) {
      for (int64_t col = 0; col < map.cells.cols; ++col) {
        const auto bin = static_cast<size_t>(axis.bin({row, col}, map.cells));
        ++all[bin];
        wrong[bin] += map.at(row, col);
      }
    }
    // Results smaller than the period leave bins empty.
    while (!all.empty() && all.back() == 0) all.pop_back(), wrong.pop_back();
    observe_histogram(wrong, all, axis.what, out);
  }
}

}  // namespace

std::vector<std::string> observe(const Evidence& e, const WrongMap& map, const std::vector<Region>& regions) {
  std::vector<std::string> out;
  if (map.count == 0) return out;
  if (e.subject == Subject::output) observe_values(e, map, out);
  if (!regions.empty()) {
    out.push_back(fmt::format("all wrong ones lie in {}, where {:.3g} % are wrong", regions.front().text,
                              100 * regions.front().density));
  }
  observe_places(map, out);
  if (e.subject == Subject::quantised) {
    for (std::string& line : describe(report_blocks(e))) out.push_back(std::move(line));
  }
  return out;
}

WrongMap unstable_cells(const Evidence& e) {
  std::vector<uint8_t> flags(static_cast<size_t>(e.cells().size()));
  for (size_t run = 1; run < e.runs.size(); ++run) {
    for (size_t i = 0; i < flags.size(); ++i) flags[i] |= e.runs[run].data[i] != e.runs[0].data[i];
  }
  return {e.cells(), std::move(flags)};
}

std::optional<std::string> differing_runs(const Evidence& e) {
  if (e.subject != Subject::output || e.runs.size() < 2) return std::nullopt;
  const WrongMap map = unstable_cells(e);
  if (map.count == 0) return std::nullopt;
  std::set<std::vector<uint16_t>> distinct;
  int64_t largest = 0;
  bool finite = true;
  for (const Matrix<Bf16>& run : e.runs) {
    std::vector<uint16_t> varying;
    for (size_t i = 0; i < map.wrong.size(); ++i) {
      if (map.wrong[i] == 0) continue;
      varying.push_back(run.data[i].bits);
      const bool both = std::isfinite(run.data[i].to_float()) && std::isfinite(e.runs[0].data[i].to_float());
      finite = finite && both;
      if (both) largest = std::max(largest, ulp_distance(run.data[i], e.runs[0].data[i]));
    }
    distinct.insert(std::move(varying));
  }
  std::string where;
  for (const Region& region : fit_regions(map, true)) {
    where = ", all in " + region.text;
    break;
  }
  return fmt::format(
      "{} distinct outputs in {} runs of the same call; {} of {} outputs vary{}, by up to {} bf16 steps{}: "
      "{}",
      distinct.size(), e.runs.size(), map.count, map.cells.size(), where, largest,
      finite ? "" : " and between numbers and NaN or Inf",
      finite && largest <= 8 ? "small differences, as sums in a varying order (atomic adds) make"
                             : "large differences, as a race (a missing barrier or wait) makes");
}

}  // namespace mxproof::explain
