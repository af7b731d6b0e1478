#include "tools/explain/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/format/e2m1.hpp"
#include "common/layout/mfma_operands.hpp"
#include "tools/explain/part_weights.hpp"

namespace mxproof::explain {
namespace {

constexpr int64_t kMostBins = 64;  // of an axis: a line of text

/// Share of wrong cells by `bin(cell)`, which is below `bins`.
template <class Bin>
Pattern shares(std::string name, const WrongMap& map, int64_t bins, int64_t per_line, Bin bin) {
  std::vector<int64_t> wrong(static_cast<size_t>(bins));
  std::vector<int64_t> all(static_cast<size_t>(bins));
  for (int64_t row = 0; row < map.cells.rows; ++row) {
    for (int64_t col = 0; col < map.cells.cols; ++col) {
      const auto at = static_cast<size_t>(bin(row, col));
      ++all[at];
      wrong[at] += map.at(row, col);
    }
  }
  Pattern pattern{std::move(name), Pattern::Kind::share, per_line, {}};
  for (size_t i = 0; i < all.size(); ++i)
    pattern.values.push_back(all[i] == 0 ? std::nan("")
                                         : static_cast<double>(wrong[i]) / static_cast<double>(all[i]));
  return pattern;
}

std::string each(const char* what, int64_t size) {
  return size == 1 ? std::string(what) : fmt::format("{}, {} each", what, size);
}

void add_axes(const WrongMap& map, const char* columns, std::vector<Pattern>& out) {
  const int64_t rows = ceil_div(map.cells.rows, kMostBins);
  const int64_t cols = ceil_div(map.cells.cols, kMostBins);
  const int64_t row_bins = ceil_div(map.cells.rows, rows);
  const int64_t col_bins = ceil_div(map.cells.cols, cols);
  out.push_back(
      shares(each("rows", rows), map, row_bins, row_bins, [rows](int64_t r, int64_t) { return r / rows; }));
  out.push_back(
      shares(each(columns, cols), map, col_bins, col_bins, [cols](int64_t, int64_t c) { return c / cols; }));
}

/// The smallest tiles from 16x16 on of which there are no more than a screen shows.
void add_tiles(const WrongMap& map, std::vector<Pattern>& out) {
  constexpr int64_t kMostDown = 16;
  Extent tile{16, 16};
  while (ceil_div(map.cells.rows, tile.rows) > kMostDown) tile.rows *= 2;
  while (ceil_div(map.cells.cols, tile.cols) > kMostBins) tile.cols *= 2;
  const Extent grid{ceil_div(map.cells.rows, tile.rows), ceil_div(map.cells.cols, tile.cols)};
  if (grid.size() < 2) return;
  out.push_back(shares(fmt::format("tiles of {}x{}", tile.rows, tile.cols), map, grid.size(), grid.cols,
                       [=](int64_t r, int64_t c) { return r / tile.rows * grid.cols + c / tile.cols; }));
}

void add_results(const WrongMap& map, std::vector<Pattern>& out) {
  for (const MfmaShape& s : kMfmaShapes) {
    const auto slot = [&s](int64_t r, int64_t c) {
      return result_slot(s, static_cast<int>(r % s.m), static_cast<int>(c % s.n));
    };
    out.push_back(shares(fmt::format("lanes of a {} result", s.name), map, kWaveLanes, s.n,
                         [&](int64_t r, int64_t c) { return slot(r, c).lane; }));
    out.push_back(shares(fmt::format("registers of a {} result", s.name), map, s.result_registers(),
                         s.result_registers(), [&](int64_t r, int64_t c) { return slot(r, c).vgpr; }));
  }
}

/// About a thousand of the wrong cells, spread over them.
std::vector<Coord> some_wrong(const WrongMap& map) {
  constexpr int64_t kCells = 1200;
  const int64_t step = std::max<int64_t>(1, map.count / kCells);
  std::vector<Coord> cells;
  int64_t seen = 0;
  for (int64_t i = 0; i < map.cells.size(); ++i) {
    if (map.wrong[static_cast<size_t>(i)] != 0 && seen++ % step == 0)
      cells.push_back({i / map.cells.cols, i % map.cells.cols});
  }
  return cells;
}

void add_weights(const Evidence& e, const WrongMap& map, std::vector<Pattern>& out) {
  constexpr double kUseful = 0.15;  // standard error above which weights say nothing
  const std::vector<Coord> cells = some_wrong(map);
  const auto add = [&](const char* name, std::optional<PartWeights> weights) {
    if (!weights || weights->error > kUseful) return;
    out.push_back({name, Pattern::Kind::weight, 16, std::move(weights->values)});
  };
  add("weights of K's blocks in the wrong sums (1 right, 0 missing or replaced)",
      weights_of_blocks(e, cells));
  add("weights of the 32 places in a block", weights_of_places(e, cells));
}

/// Of the wrong blocks: at which places codes differ.
void add_places(const Evidence& e, const WrongMap& map, std::vector<Pattern>& out) {
  Pattern pattern{"places in a wrong block whose code differs", Pattern::Kind::share, kBlock,
                  std::vector<double>(static_cast<size_t>(kBlock))};
  for (int64_t row = 0; row < map.cells.rows; ++row) {
    for (int64_t col = 0; col < map.cells.cols; ++col) {
      if (!map.at(row, col)) continue;
      for (int64_t i = 0; i < kBlock; ++i) {
        const int64_t k = col * kBlock + i;
        pattern.values[static_cast<size_t>(i)] +=
            e2m1_code_at(e.wanted.code_row(row), k) != e2m1_code_at(e.got.code_row(row), k);
      }
    }
  }
  for (double& x : pattern.values) x /= static_cast<double>(map.count);
  out.push_back(std::move(pattern));
}

char digit(double share) {
  if (std::isnan(share)) return ' ';
  if (share == 0) return '.';
  if (share > 0.995) return '#';
  return static_cast<char>('0' + static_cast<int>(share * 10));
}

/// "0.5", and whole numbers without a point.
std::string weight(double x) {
  const double rounded = std::round(x * 10) / 10;
  return fmt::format("{:g}", rounded == 0 ? 0.0 : rounded);
}

}  // namespace

std::vector<Pattern> patterns_of(const Evidence& e, const WrongMap& map) {
  std::vector<Pattern> out;
  if (map.count == 0) return out;
  if (e.subject == Subject::output) {
    add_axes(map, "columns", out);
    add_tiles(map, out);
    add_results(map, out);
    add_weights(e, map, out);
  } else {
    add_axes(map, "blocks of a row", out);
    const MfmaShape s = kMfma16x16x128;
    out.push_back(shares(fmt::format("lanes of a {} operand", s.name), map, kWaveLanes, s.m,
                         [&s](int64_t r, int64_t b) {
                           return scale_lane(s, static_cast<int>(r % s.m), static_cast<int>(b % s.blocks()));
                         }));
    add_places(e, map, out);
  }
  return out;
}

std::vector<std::string> draw(const Pattern& pattern) {
  std::vector<std::string> lines;
  constexpr double kAlike = 0.05;
  const auto [low, high] = std::ranges::minmax_element(pattern.values);
  const bool known = std::ranges::none_of(pattern.values, [](double x) { return std::isnan(x); });
  if (known && pattern.kind == Pattern::Kind::share && *high - *low < kAlike) {
    const double middle = (*low + *high) / 2;
    return {fmt::format("all alike: {:.3g} %", 100 * middle)};
  }
  std::string line;
  for (size_t i = 0; i < pattern.values.size(); ++i) {
    if (pattern.kind == Pattern::Kind::share) {
      line += digit(pattern.values[i]);
    } else {
      line += (line.empty() ? "" : " ") + weight(pattern.values[i]);
    }
    if (static_cast<int64_t>(i + 1) % pattern.per_line == 0 || i + 1 == pattern.values.size()) {
      lines.push_back(line);
      line.clear();
    }
  }
  return lines;
}

}  // namespace mxproof::explain
