// Whole rows, columns or tiles of right numbers in the wrong place: found by looking their contents up.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>

#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"

namespace mxproof::explain {
namespace {

struct Tiling {
  Extent tile;   ///< Cells.
  Extent count;  ///< Tiles down and across, the last ones possibly cut off.
};

/// A tile's contents as a string of bits: up to 32 cells spread over its diagonal. Empty when it is too
/// small, or holds too few different numbers, to be recognised.
std::string signature(const Matrix<Bf16>& m, const Tiling& t, Coord tile, Extent size) {
  constexpr int64_t kCells = 32;
  const int64_t available = size.rows * size.cols;
  if (available < 8) return {};
  std::string bits;
  std::set<uint16_t> different;
  for (int64_t i = 0; i < std::min(kCells, available); ++i) {
    const int64_t row = tile.row * t.tile.rows + i * 7 % size.rows;
    const int64_t col = tile.col * t.tile.cols + i * 13 % size.cols;
    const uint16_t value = m(row, col).bits;
    different.insert(value);
    bits += static_cast<char>(value & 0xff);
    bits += static_cast<char>(value >> 8);
  }
  return different.size() < 4 ? std::string() : bits;
}

Extent size_of(const Tiling& t, Extent cells, Coord tile) {
  return {std::min(t.tile.rows, cells.rows - tile.row * t.tile.rows),
          std::min(t.tile.cols, cells.cols - tile.col * t.tile.cols)};
}

using Moves = std::vector<Coord>;  ///< For every tile, row by row, the tile whose contents it shows.

int64_t moved_count(const Moves& moves, const Tiling& t) {
  int64_t moved = 0;
  for (size_t i = 0; i < moves.size(); ++i) {
    moved +=
        moves[i] != Coord{static_cast<int64_t>(i) / t.count.cols, static_cast<int64_t>(i) % t.count.cols};
  }
  return moved;
}

/// "row 3", "(0,2)" for a tile
std::string name_of(const Tiling& t, Coord tile) {
  if (t.count.cols == 1 && t.tile.rows == 1) return fmt::format("row {}", tile.row);
  if (t.count.rows == 1 && t.tile.cols == 1) return fmt::format("column {}", tile.col);
  return fmt::format("({},{})", tile.row, tile.col);
}

/// "3 rows further down", "1 tile further up and 2 further left"
std::string in_words(const Tiling& t, int64_t down, int64_t across) {
  const char* noun = t.tile.rows == 1 ? "row" : t.tile.cols == 1 ? "column" : "tile";
  std::string text;
  const auto add = [&](int64_t by, const char* more, const char* less) {
    if (by == 0) return;
    const int64_t n = std::abs(by);
    text += text.empty() ? fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s") : fmt::format(" and {}", n);
    text += fmt::format(" further {}", by > 0 ? more : less);
  };
  add(down, "down", "up");
  add(across, "right", "left");
  return text;
}

/// A move that one rule describes, in words; otherwise the first few moves one by one.
std::string describe(const Moves& moves, const Tiling& t, std::string_view what) {
  std::map<std::pair<int64_t, int64_t>, int64_t> shifts;
  std::string list;
  int64_t moved = 0;
  bool exchanged = true;
  for (size_t i = 0; i < moves.size(); ++i) {
    const Coord at{static_cast<int64_t>(i) / t.count.cols, static_cast<int64_t>(i) % t.count.cols};
    const Coord from = moves[i];
    if (from == at) continue;
    ++moved;
    ++shifts[{from.row - at.row, from.col - at.col}];
    const auto back = static_cast<size_t>(from.row * t.count.cols + from.col);
    exchanged = exchanged && moves[back] == at;
    if (moved <= 3)
      list += fmt::format("{}{} shows {}", list.empty() ? "" : ", ", name_of(t, at), name_of(t, from));
  }
  if (shifts.size() == 1) {
    const auto [down, across] = shifts.begin()->first;
    const bool is_line = t.count.cols == 1 || t.count.rows == 1;
    if (moved == 1) return fmt::format("{}{}", is_line ? "" : fmt::format("of {}, ", what), list);
    return fmt::format("{} show what belongs {}", what, in_words(t, down, across));
  }
  return fmt::format("{} are in another order{}: {}{}", what, exchanged ? " (exchanged in pairs)" : "", list,
                     moved > 3 ? fmt::format(", ... ({} in all)", moved) : "");
}

void propose_moves(const Clues& clues, Extent tile, std::string_view what, std::vector<Candidate>& out) {
  const Evidence& e = clues.evidence;
  const Extent cells = e.cells();
  const Tiling t{tile, {ceil_div(cells.rows, tile.rows), ceil_div(cells.cols, tile.cols)}};
  if (t.count.size() < 2 || t.count.size() > 1 << 18) return;
  std::set<std::pair<int64_t, int64_t>> wrong_tiles;
  for (Coord c : clues.wrong) wrong_tiles.insert({c.row / tile.rows, c.col / tile.cols});

  std::unordered_map<std::string, Coord> where;
  for (int64_t i = 0; i < t.count.size(); ++i) {
    const Coord at{i / t.count.cols, i % t.count.cols};
    if (std::string s = signature(e.expected, t, at, size_of(t, cells, at)); !s.empty())
      where.emplace(std::move(s), at);
  }
  // A quick look at the tiles that are known to be wrong, before all of them are looked up.
  const auto source_of = [&](Coord at) -> std::optional<Coord> {
    const std::string s = signature(e.runs.front(), t, at, size_of(t, cells, at));
    const auto found = s.empty() ? where.end() : where.find(s);
    return found == where.end() ? std::nullopt : std::optional(found->second);
  };
  size_t found = 0;
  for (const auto& [row, col] : wrong_tiles) {
    const std::optional<Coord> from = source_of({row, col});
    found += from && *from != Coord{row, col};
  }
  // One tile that looks like another may do so by chance; a whole row or column does not.
  const bool whole_lines = tile.rows == cells.rows || tile.cols == cells.cols;
  const size_t fewest = whole_lines ? 1 : 2;
  if (found < fewest || found * 10 < wrong_tiles.size() * 8) return;

  const auto moves = std::make_shared<Moves>();
  for (int64_t i = 0; i < t.count.size(); ++i) {
    const Coord at{i / t.count.cols, i % t.count.cols};
    moves->push_back(source_of(at).value_or(at));
  }
  Candidate candidate = place_candidate(
      "moved-tiles", describe(*moves, t, what),
      [moves, t, cells](const std::function<Source(int64_t, int64_t)>& inner) {
        return [=](int64_t row, int64_t col) {
          const Coord from =
              (*moves)[static_cast<size_t>(row / t.tile.rows * t.count.cols + col / t.tile.cols)];
          const Coord source{from.row * t.tile.rows + row % t.tile.rows,
                             from.col * t.tile.cols + col % t.tile.cols};
          return source.row < cells.rows && source.col < cells.cols ? inner(source.row, source.col)
                                                                    : inner(row, col);
        };
      });
  // Every tile that moved could have come from any place.
  candidate.fitted_bits =
      static_cast<double>(moved_count(*moves, t)) * std::log2(static_cast<double>(t.count.size()));
  candidate.combines = false;
  out.push_back(std::move(candidate));
}

}  // namespace

void propose_moved_tiles(const Clues& clues, std::vector<Candidate>& out) {
  if (clues.evidence.subject != Subject::output) return;
  const Extent cells = clues.evidence.cells();
  for (int64_t rows : {256, 192, 128, 64, 32, 16}) {
    for (int64_t cols : {256, 128, 64, 32, 16}) {
      if (rows > cells.rows && rows != 256) continue;
      propose_moves(clues, {rows, cols}, fmt::format("tiles of {}x{} outputs", rows, cols), out);
    }
  }
  propose_moves(clues, {1, cells.cols}, "rows", out);
  propose_moves(clues, {cells.rows, 1}, "columns", out);
}

}  // namespace mxproof::explain
