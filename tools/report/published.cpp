#include "tools/report/published.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "tools/report/bench_name.hpp"

namespace mxproof::report {
namespace {

constexpr std::string_view kHeader = "device,m,n,k,series,path,time_us";

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

/// A positive number that fills the whole cell, else 0.
double positive(const std::string& cell) {
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  return !cell.empty() && *end == '\0' && value > 0 ? value : 0;
}

}  // namespace

Expected<std::vector<PublishedFigure>> parse_published(std::string_view csv, const std::string& file) {
  std::vector<PublishedFigure> figures;
  std::istringstream in{std::string(csv)};
  bool header_seen = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (!header_seen) {
      if (line != kHeader) {
        return Status::bad_input(fmt::format("{}:{}: the header should be {}", file, number, kHeader));
      }
      header_seen = true;
      continue;
    }
    const auto cells = cells_of(line);
    if (cells.size() != 7) {
      return Status::bad_input(
          fmt::format("{}:{}: {} cells where {} are 7", file, number, cells.size(), kHeader));
    }
    PublishedFigure figure;
    figure.device = cells[0];
    figure.shape = {static_cast<int64_t>(positive(cells[1])), static_cast<int64_t>(positive(cells[2])),
                    static_cast<int64_t>(positive(cells[3]))};
    figure.series = cells[4];
    figure.path = cells[5];
    figure.time_us = positive(cells[6]);
    if (figure.shape.m < 1 || figure.shape.n < 1 || figure.shape.k < 1 || figure.time_us <= 0) {
      return Status::bad_input(
          fmt::format("{}:{}: m, n, k and time_us should be positive numbers", file, number));
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace mxproof::report
