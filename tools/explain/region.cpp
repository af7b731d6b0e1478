#include "tools/explain/region.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/layout/mfma_operands.hpp"

namespace mxproof::explain {
namespace {

std::string describe_residues(const AxisSet& axis) {
  const std::vector<int64_t> list(axis.residues.begin(), axis.residues.end());
  const bool run = list.back() - list.front() + 1 == static_cast<int64_t>(list.size()) && list.size() > 2;
  if (axis.period == axis.extent) {
    return list.size() > 8 ? fmt::format("({} of {})", list.size(), axis.extent)
                           : fmt::format("{}", fmt::join(list, ", "));
  }
  if (axis.period == 2) return list.front() == 0 ? "even" : "odd";
  if (run) return fmt::format("{}..{} of every {}", list.front(), list.back(), axis.period);
  if (list.size() > 8) return fmt::format("{} of every {}", list.size(), axis.period);
  return fmt::format("{} of every {}", fmt::join(list, ", "), axis.period);
}

/// True when the set is exactly the indices for which `is_in` holds.
template <class IsIn>
bool is_exactly(const AxisSet& axis, IsIn is_in) {
  for (int64_t i = 0; i < axis.extent; ++i) {
    if (axis.contains(i) != is_in(i)) return false;
  }
  return true;
}

int64_t first_of(const AxisSet& axis) {
  int64_t i = axis.first;
  while (i < axis.last && !axis.contains(i)) ++i;
  return i;
}

/// In how many tiles along an axis the set has the place of index i.
int64_t tiles_with(const AxisSet& axis, int64_t i, int64_t tile) {
  int64_t count = 0;
  for (int64_t at = i % tile; at < axis.extent; at += tile) count += axis.contains(at);
  return count;
}

/// Which lane or register of an MFMA result a region is, if it is one: the slot of its first cell is
/// computed, and the region must be all cells of that lane, of that register, or of both.
void name_result_slot(Region& region) {
  const auto row = static_cast<int>(first_of(region.rows));
  const auto col = static_cast<int>(first_of(region.cols));
  for (const MfmaShape& s : kMfmaShapes) {
    const ResultSlot slot = result_slot(s, row % s.m, col % s.n);
    const auto lane_group = [&](int64_t r) { return result_slot(s, static_cast<int>(r % s.m), 0).lane; };
    const auto vgpr = [&](int64_t r) { return result_slot(s, static_cast<int>(r % s.m), 0).vgpr; };
    const bool cols_of_lane = is_exactly(region.cols, [&](int64_t c) { return c % s.n == col % s.n; });
    const bool rows_of_lane =
        is_exactly(region.rows, [&](int64_t r) { return lane_group(r) == lane_group(row); });
    const bool rows_of_vgpr = is_exactly(region.rows, [&](int64_t r) { return vgpr(r) == slot.vgpr; });
    // What is seen in one tile alone is a row or a column as much as a slot.
    const bool repeats = tiles_with(region.rows, row, s.m) * tiles_with(region.cols, col, s.n) > 1;
    if (!repeats) continue;
    const bool one_row = is_exactly(region.rows, [&](int64_t r) { return r % s.m == row % s.m; });
    if (cols_of_lane && rows_of_lane) {
      region.name = "result-lane";
      region.text = fmt::format("lane {} of the {} result", slot.lane, s.name);
    } else if (region.cols.everything() && rows_of_vgpr && region.rows.size() > 1) {
      region.name = "result-register";
      region.text = fmt::format("register {} of the {} result", slot.vgpr, s.name);
    } else if (cols_of_lane && one_row) {
      region.name = "result-lane";
      region.text = fmt::format("register {} of lane {} of the {} result", slot.vgpr, slot.lane, s.name);
    } else {
      continue;
    }
    return;
  }
}

void name_box(Region& region, bool for_outputs) {
  const std::string rows = region.rows.describe("rows");
  const std::string cols = region.cols.describe("columns");
  region.text = rows + (rows.empty() || cols.empty() ? "" : ", ") + cols;
  const bool all_rows = region.rows.everything();
  const bool all_cols = region.cols.everything();
  region.name = all_cols   ? (region.rows.is_tail() ? "m-tail" : "rows")
                : all_rows ? (region.cols.is_tail() ? "n-tail" : "columns")
                           : "box";
  if (for_outputs) name_result_slot(region);
}

void count(Region& region, const WrongMap& map) {
  region.size = 0;
  int64_t wrong = 0;
  for (int64_t row = 0; row < map.cells.rows; ++row) {
    if (!region.rows.contains(row)) continue;
    for (int64_t col = 0; col < map.cells.cols; ++col) {
      if (!region.contains({row, col})) continue;
      ++region.size;
      wrong += map.at(row, col);
    }
  }
  region.density = region.size == 0 ? 0 : static_cast<double>(wrong) / static_cast<double>(region.size);
}

Region whole(Extent cells) {
  Region region;
  region.rows = {.first = 0, .last = cells.rows, .extent = cells.rows};
  region.cols = {.first = 0, .last = cells.cols, .extent = cells.cols};
  return region;
}

std::optional<Region> tiles_region(const WrongMap& map, Extent tile) {
  const Extent grid{ceil_div(map.cells.rows, tile.rows), ceil_div(map.cells.cols, tile.cols)};
  if (grid.size() < 4) return std::nullopt;
  std::vector<uint8_t> hit(static_cast<size_t>(grid.size()));
  for (int64_t row = 0; row < map.cells.rows; ++row) {
    uint8_t* tiles_of_row = hit.data() + row / tile.rows * grid.cols;
    for (int64_t col = 0; col < map.cells.cols; ++col) tiles_of_row[col / tile.cols] |= map.at(row, col);
  }
  if (2 * std::accumulate(hit.begin(), hit.end(), int64_t{0}) > grid.size()) return std::nullopt;
  Region region = whole(map.cells);
  region.tile = tile;
  for (int64_t i = 0; i < grid.size(); ++i) {
    if (hit[static_cast<size_t>(i)] != 0) region.tiles.insert({i / grid.cols, i % grid.cols});
  }
  const auto tiles = static_cast<int64_t>(region.tiles.size());
  count(region, map);
  // Scattered cells touch scattered tiles: that would describe anything.
  if (tiles > 4 && region.density < 0.5) return std::nullopt;
  region.name = "tiles";
  std::string list;
  for (const auto& [row, col] : region.tiles) {
    if (list.size() > 60) {
      list += ", ...";
      break;
    }
    list += fmt::format("{}({},{})", list.empty() ? "" : ", ", row, col);
  }
  region.text = fmt::format("{} of {} tiles of {}x{}: {}", tiles, grid.size(), tile.rows, tile.cols, list);
  return region;
}

}  // namespace

WrongMap::WrongMap(Extent extent, std::vector<uint8_t> flags) : cells(extent), wrong(std::move(flags)) {
  count = std::accumulate(wrong.begin(), wrong.end(), int64_t{0});
}

double choice_bits(int64_t whole, int64_t part) {
  const auto log_factorial = [](int64_t n) { return std::lgamma(static_cast<double>(n) + 1); };
  return (log_factorial(whole) - log_factorial(part) - log_factorial(whole - part)) / std::log(2.0);
}

int64_t AxisSet::size() const {
  int64_t n = 0;
  for (int64_t i = first; i < last; ++i) n += contains(i);
  return n;
}

std::string AxisSet::describe(const char* noun) const {
  if (everything()) return {};
  std::string text = noun;
  // One of them is not many.
  const auto one = [noun](int64_t i) {
    const std::string_view plural = noun;
    return fmt::format("{} {}", plural.substr(0, plural.size() - 1), i);
  };
  if (last - first == 1) return one(first);
  if (is_list() && residues.size() == 1) return one(*residues.begin());
  if (period > 1) text += " " + describe_residues(*this);
  if (first == 0 && last == extent) return text;
  if (last == extent) return fmt::format("{} from {} on", text, first);
  if (first == 0) return fmt::format("{} below {}", text, last);
  return fmt::format("{} {}..{}", text, first, last - 1);
}

AxisSet fit_axis(const std::vector<int64_t>& counts) {
  AxisSet axis{
      .first = 0, .last = static_cast<int64_t>(counts.size()), .extent = static_cast<int64_t>(counts.size())};
  std::vector<int64_t> hit;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 0) hit.push_back(static_cast<int64_t>(i));
  }
  if (hit.empty()) return axis;
  int64_t largest_gap = 1;
  for (size_t i = 1; i < hit.size(); ++i) largest_gap = std::max(largest_gap, hit[i] - hit[i - 1]);
  // Untouched ends mean something only when they are longer than the holes in between.
  const int64_t ends = largest_gap == 1 ? 1 : 3 * largest_gap;
  if (hit.front() >= ends) axis.first = hit.front();
  if (axis.extent - 1 - hit.back() >= ends) axis.last = hit.back() + 1;
  double best = 1;
  for (int64_t period : {2, 4, 8, 16, 32, 64, 128}) {
    if (axis.last - axis.first < 2 * period) break;
    std::set<int64_t> residues;
    for (int64_t i : hit) residues.insert(i % period);
    const double share = static_cast<double>(residues.size()) / static_cast<double>(period);
    // Twice as many hits as residues at least: otherwise there is no repetition to speak of.
    if (share >= best || hit.size() < 2 * residues.size()) continue;
    best = share;
    axis.period = period;
    axis.residues = residues;
  }
  // A few that no repetition describes as tightly are listed.
  const auto hits = static_cast<int64_t>(hit.size());
  const bool few = best == 1 ? 4 * hits <= axis.extent : hits <= 8 && hits < axis.size();
  if (few && hit.back() - hit.front() >= hits) {
    axis = {.first = 0,
            .last = axis.extent,
            .extent = axis.extent,
            .period = axis.extent,
            .residues = {hit.begin(), hit.end()}};
  }
  return axis;
}

std::optional<std::string> overflow_at(const Region& region, Extent cells, int64_t k) {
  if (!region.rows.is_tail() || region.tile.rows != 0) return std::nullopt;
  const int64_t row = region.rows.first;
  struct Stride {
    const char* what;
    int64_t per_row;
  };
  const Stride strides[] = {{"the row index", 1},
                            {"A's element offset (row * K)", k},
                            {"A's byte offset in bf16 (row * 2K)", 2 * k},
                            {"A's packed byte offset (row * K/2)", k / 2},
                            {"the output's element offset (row * N)", cells.cols},
                            {"the output's byte offset (row * 2N)", 2 * cells.cols}};
  for (int bits : {15, 16, 31, 32}) {
    const int64_t limit = int64_t{1} << bits;
    for (const Stride& s : strides) {
      // The first row that lies wholly or partly past the limit; few rows would make that a coincidence.
      if (s.per_row <= 0 || row < 1024) continue;
      const bool at_start = row * s.per_row >= limit && (row - 1) * s.per_row < limit;
      const bool within = (row + 1) * s.per_row > limit && row * s.per_row <= limit;
      if (at_start || within) return fmt::format("{} passes 2^{} there", s.what, bits);
    }
  }
  return std::nullopt;
}

std::vector<Region> fit_regions(const WrongMap& map, bool for_outputs) {
  std::vector<Region> regions;
  if (map.count == 0) return regions;
  std::vector<int64_t> rows(static_cast<size_t>(map.cells.rows));
  std::vector<int64_t> cols(static_cast<size_t>(map.cells.cols));
  for (int64_t row = 0; row < map.cells.rows; ++row) {
    for (int64_t col = 0; col < map.cells.cols; ++col) {
      rows[static_cast<size_t>(row)] += map.at(row, col);
      cols[static_cast<size_t>(col)] += map.at(row, col);
    }
  }
  Region box = whole(map.cells);
  box.rows = fit_axis(rows);
  box.cols = fit_axis(cols);
  if (!box.rows.everything() || !box.cols.everything()) {
    count(box, map);
    name_box(box, for_outputs);
    regions.push_back(box);
  }
  constexpr Extent kTiles[] = {{256, 256}, {192, 128}, {128, 256}, {128, 128}, {64, 128}, {64, 64}, {32, 128},
                               {32, 64},   {32, 32},   {16, 128},  {16, 64},   {16, 32},  {16, 16}};
  for (Extent tile : kTiles) {
    std::optional<Region> region = tiles_region(map, tile);
    // A box says the same in fewer words.
    if (region && (regions.empty() || region->size < regions.front().size))
      regions.push_back(std::move(*region));
  }
  // Tightest first; of equal ones the box, which was found first, stays in front.
  for (size_t i = 1; i < regions.size(); ++i) {
    for (size_t j = i; j > 0 && regions[j].size < regions[j - 1].size; --j)
      std::swap(regions[j], regions[j - 1]);
  }
  constexpr size_t kMost = 4;
  if (regions.size() > kMost) regions.resize(kMost);
  return regions;
}

}  // namespace mxproof::explain
