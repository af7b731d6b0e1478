// One scale byte that is wrong: found from the block sums, which it multiplies by a power of two.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"

namespace mxproof::explain {
namespace {

constexpr int kBytes = 255;  // that are numbers
constexpr size_t kCells = 24;

/// The row of A, or of B, in which all wrong cells lie.
struct Line {
  OperandId id;
  int64_t row;
};

std::vector<Line> lines_of(const Clues& clues) {
  const Coord first = clues.wrong.front();
  bool one_row = true;
  bool one_col = true;
  for (Coord c : clues.wrong) {
    one_row = one_row && c.row == first.row;
    one_col = one_col && c.col == first.col;
  }
  std::vector<Line> lines;
  if (one_row) lines.push_back({OperandId::a, first.row});
  if (one_col) lines.push_back({OperandId::b, first.col});
  return lines;
}

struct Cell {
  std::vector<double> sums;  ///< Of blocks.
  double total = 0;
  Bf16 actual;
};

/// Bytes that, in place of `right`, turn what belongs in all of the cells into what is there.
std::vector<int> bytes_that_explain(const std::vector<Cell>& cells, size_t block, int right) {
  std::vector<int> bytes;
  for (int byte = 0; byte < kBytes; ++byte) {
    if (byte == right) continue;
    const double more = std::ldexp(1.0, byte - right) - 1;
    size_t misses = 0;
    for (const Cell& cell : cells) {
      misses += narrow(cell.total + more * cell.sums[block], Narrowing::nearest_even) != cell.actual;
      if (misses > cells.size() / 8) break;
    }
    if (misses <= cells.size() / 8) bytes.push_back(byte);
  }
  return bytes;
}

Candidate byte_candidate(const Line& line, int64_t block, int byte, std::string text) {
  Candidate c = scale_candidate(
      "scale-byte", line.id, std::move(text), Stage::load, [=](const ScaleAt& inner, const OperandModel&) {
        return [=](int64_t row, int64_t b) {
          return row == line.row && b == block ? static_cast<uint8_t>(byte) : inner(row, b);
        };
      });
  c.combines = false;
  return c;
}

double bits_of_place(const OperandModel& o) {
  return std::log2(static_cast<double>(o.rows)) + std::log2(static_cast<double>(o.blocks()));
}

}  // namespace

void propose_scale_byte(const Clues& clues, std::vector<Candidate>& out) {
  if (!is_product(clues.evidence) || clues.wrong.empty()) return;
  constexpr double kBitsOfAStep = 3;
  constexpr double kBitsOfAByte = 8;
  ProductModel model = right_model(clues.evidence);
  for (const Line& line : lines_of(clues)) {
    std::vector<Cell> cells;
    bool all_nan = true;
    for (size_t i = 0; i < clues.wrong.size() && i < kCells; ++i) {
      const Coord at = clues.wrong[i];
      cells.push_back({.sums = block_sums(model, at), .actual = clues.evidence.runs.front()(at.row, at.col)});
      for (double sum : cells.back().sums) cells.back().total += sum;
      all_nan = all_nan && cells.back().actual.is_nan();
    }
    const OperandModel& o = operand(model, line.id);
    if (all_nan) {
      out.push_back(byte_candidate(line, 0, kBytes,
                                   fmt::format("a scale byte of {}'s row {} was taken as 255, which is NaN",
                                               name_of(line.id), line.row)));
      out.back().fitted_bits = std::log2(static_cast<double>(o.rows)) + kBitsOfAByte;
      continue;
    }
    for (int64_t block = 0; block < o.blocks(); ++block) {
      const int right = o.scale(line.row, block);
      const std::vector<int> bytes = bytes_that_explain(cells, static_cast<size_t>(block), right);
      if (bytes.empty()) continue;
      // Blocks that are scaled down far enough are lost, however far.
      const bool lost = bytes.front() == 0;
      const int byte = !lost && bytes.back() < right ? bytes.back() : bytes.front();
      out.push_back(byte_candidate(
          line, block, byte,
          fmt::format("the scale byte of {}'s row {}, elements {}..{}, was taken as {}{} instead of {}",
                      name_of(line.id), line.row, block * kBlock, (block + 1) * kBlock - 1,
                      lost ? bytes.back() : byte, lost && bytes.size() > 1 ? " (or less)" : "", right)));
      out.back().fitted_bits = bits_of_place(o) + (std::abs(byte - right) <= 2 ? kBitsOfAStep : kBitsOfAByte);
    }
  }
}

}  // namespace mxproof::explain
