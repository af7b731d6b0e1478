// Region: a simple description of where the wrong cells are.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/layout/extent.hpp"

namespace mxproof::explain {

/// The wrong cells of one result.
struct WrongMap {
  Extent cells;
  std::vector<uint8_t> wrong;  ///< Row by row, 1 where wrong.
  int64_t count = 0;

  WrongMap(Extent extent, std::vector<uint8_t> flags);
  bool at(int64_t row, int64_t col) const { return wrong[static_cast<size_t>(row * cells.cols + col)] != 0; }
};

/// Rows or columns [first, last) whose index modulo `period` is one of `residues`.
struct AxisSet {
  int64_t first = 0;
  int64_t last = 0;
  int64_t extent = 0;  ///< Of the whole axis.
  int64_t period = 1;
  std::set<int64_t> residues = {0};

  bool contains(int64_t i) const { return i >= first && i < last && residues.count(i % period) != 0; }
  bool everything() const { return first == 0 && last == extent && period == 1; }
  bool is_tail() const { return first > 0 && last == extent && period == 1; }
  /// True for a few indices that follow no rule.
  bool is_list() const { return extent > 1 && period == extent; }
  int64_t size() const;
  /// "columns 4 of every 16 from 32 on"; empty for everything. `noun` is in the plural.
  std::string describe(const char* noun) const;
};

struct Region {
  std::string name;  ///< Short, for tables: "n-tail", "result-lane", "tile", "rows", ...
  std::string text;  ///< For people.
  AxisSet rows;
  AxisSet cols;
  Extent tile;  ///< When not 0x0: only these tiles.
  std::set<std::pair<int64_t, int64_t>> tiles;
  int64_t size = 0;    ///< Cells inside.
  double density = 0;  ///< Share of them that is wrong.

  bool contains(Coord c) const {
    return rows.contains(c.row) && cols.contains(c.col) &&
           (tile.rows == 0 || tiles.count({c.row / tile.rows, c.col / tile.cols}) != 0);
  }
};

/// log2 of the number of ways to choose `part` of `whole`.
double choice_bits(int64_t whole, int64_t part);

/// The smallest set of this form that holds every index with a non-zero count.
AxisSet fit_axis(const std::vector<int64_t>& counts);

/// Regions that hold every wrong cell and are smaller than the whole, tightest first. Empty when the wrong
/// cells are all over the place. `for_outputs`: also say which lane or register of an MFMA result that is.
std::vector<Region> fit_regions(const WrongMap& map, bool for_outputs);

/// When a region that begins at some row and runs to the end begins exactly where an index or an offset
/// passes 2^15, 2^16, 2^31 or 2^32: what passes what there. `k` is 0 when it is not known.
std::optional<std::string> overflow_at(const Region& region, Extent cells, int64_t k);

}  // namespace mxproof::explain
