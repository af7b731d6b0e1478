#include "tools/explain/sample.hpp"

#include <algorithm>
#include <random>

namespace mxproof::explain {
namespace {

constexpr uint64_t kSeed = 20240229;  // fixed: the same evidence gives the same answer

/// `count` of `items`, evenly spaced, first and last among them.
template <class T>
std::vector<T> spread(const std::vector<T>& items, size_t count) {
  if (items.size() <= count) return items;
  std::vector<T> out;
  for (size_t i = 0; i < count; ++i)
    out.push_back(items[i * (items.size() - 1) / std::max<size_t>(1, count - 1)]);
  return out;
}

std::vector<int64_t> rows_where(const WrongMap& map, bool wrong) {
  std::vector<int64_t> rows;
  for (int64_t row = 0; row < map.cells.rows; ++row) {
    for (int64_t col = 0; col < map.cells.cols; ++col) {
      if (map.at(row, col) == wrong) {
        rows.push_back(row);
        break;
      }
    }
  }
  return rows;
}

std::vector<int64_t> columns_of(const WrongMap& map, int64_t row, bool wrong) {
  std::vector<int64_t> cols;
  for (int64_t col = 0; col < map.cells.cols; ++col) {
    if (map.at(row, col) == wrong) cols.push_back(col);
  }
  return cols;
}

/// Up to `rows` rows with `per_row` random cells each.
std::vector<Coord> pick(const WrongMap& map, bool wrong, size_t rows, size_t per_row,
                        std::mt19937_64& random) {
  std::vector<Coord> cells;
  const std::vector<int64_t> chosen = spread(rows_where(map, wrong), rows);
  // Few rows: more cells of each.
  if (!chosen.empty()) per_row = std::max(per_row, rows * per_row / chosen.size());
  for (int64_t row : chosen) {
    std::vector<int64_t> cols = columns_of(map, row, wrong);
    std::shuffle(cols.begin(), cols.end(), random);
    if (cols.size() > per_row) cols.resize(per_row);
    for (int64_t col : cols) cells.push_back({row, col});
  }
  std::shuffle(cells.begin(), cells.end(), random);
  return cells;
}

}  // namespace

Sample screening_sample(const WrongMap& map) {
  std::mt19937_64 random(kSeed);  // NOLINT(bugprone-random-generator-seed): fixed on purpose
  Sample sample;
  sample.wrong = pick(map, true, 24, 8, random);
  sample.right = pick(map, false, 24, 8, random);
  return sample;
}

Sample probe_sample(const WrongMap& map) {
  std::mt19937_64 random(kSeed + 1);  // NOLINT(bugprone-random-generator-seed): fixed on purpose
  Sample sample;
  sample.wrong = pick(map, true, 3, 3, random);
  return sample;
}

Sample full_sample(const WrongMap& map, int64_t k) {
  constexpr int64_t kMostCells = int64_t{1} << 18;
  constexpr int64_t kMostDecoded = int64_t{32} << 20;  // doubles: 256 MB
  std::vector<int64_t> rows(static_cast<size_t>(map.cells.rows));
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int64_t>(i);
  std::vector<int64_t> cols(static_cast<size_t>(map.cells.cols));
  for (size_t i = 0; i < cols.size(); ++i) cols[i] = static_cast<int64_t>(i);
  cols = spread(cols, static_cast<size_t>(std::max<int64_t>(16, kMostDecoded / std::max<int64_t>(1, k))));
  rows =
      spread(rows, static_cast<size_t>(std::max<int64_t>(4, kMostCells / static_cast<int64_t>(cols.size()))));
  // Rows that are wrong must not fall through the holes: a few are always in.
  for (int64_t row : spread(rows_where(map, true), 4)) rows.push_back(row);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  Sample sample;
  for (int64_t row : rows) {
    for (int64_t col : cols) (map.at(row, col) ? sample.wrong : sample.right).push_back({row, col});
  }
  return sample;
}

}  // namespace mxproof::explain
