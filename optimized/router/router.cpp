#include "optimized/router/router.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "optimized/device/check.hpp"
#include "optimized/gemm/chunk_size.hpp"
#include "optimized/router/tuned_tables.hpp"

namespace mxproof {
namespace {

constexpr size_t kFields = 9;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<int64_t> number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Expected<Router::Row> parse_row(std::string_view line) {
  const auto fields = split(line, ',');
  if (fields.size() != kFields) {
    return Status::bad_input(
        fmt::format("{} fields instead of {} ({})", fields.size(), kFields, Router::kHeader));
  }
  constexpr size_t kRouteField = 3;
  int64_t values[kFields] = {};
  for (size_t i = 0; i < kFields; ++i) {
    if (i == kRouteField) continue;
    const auto value = number(fields[i]);
    if (!value || *value <= 0 || *value > INT32_MAX) {
      return Status::bad_input(
          fmt::format("{} is '{}', not a positive number", split(Router::kHeader, ',')[i], fields[i]));
    }
    values[i] = *value;
  }
  const auto route = find_route(fields[kRouteField]);
  if (!route) return Status::bad_input(fmt::format("there is no route '{}'", fields[kRouteField]));
  Router::Row row;
  row.shape = {values[0], values[1], values[2]};
  row.choice.route = *route;
  const auto integer = [&](size_t i) { return static_cast<int>(values[i]); };
  row.choice.tile = {integer(4), integer(5), integer(6), integer(7)};
  row.choice.splits = integer(8);
  MXPROOF_RETURN_IF_ERROR(validate(row.choice, row.shape));
  return row;
}

}  // namespace

Status validate(const Choice& choice, const GemmShape& shape) {
  if (choice.splits > 1 && choice.route != Route::fused) {
    return Status::refused(
        fmt::format("route {} does not split K; only fused does", route_name(choice.route)));
  }
  const int64_t chunks = ceil_div(shape.blocks(), gemm::kChunkBlocks);
  if (choice.splits < 1 || choice.splits > chunks) {
    return Status::refused(fmt::format("K = {} cannot be cut into {} pieces; 1 to {} are possible", shape.k,
                                       choice.splits, chunks));
  }
  const KernelId kernel = gemm_kernel(choice.route, choice.splits);
  const auto tiles = tile_variants(kernel);
  if (std::find(tiles.begin(), tiles.end(), choice.tile) == tiles.end()) {
    return Status::refused(
        fmt::format("{} was not compiled for tile {}", kernel_info(kernel).name, to_string(choice.tile)));
  }
  return {};
}

Choice default_choice(Route route, const GemmShape& shape) {
  return {route, default_tile(gemm_kernel(route, 1), shape), 1, "default"};
}

Expected<Router> Router::parse(std::string_view csv, std::string_view origin) {
  Router router;
  bool header = false;
  int line_number = 0;
  for (std::string_view line : split(csv, '\n')) {
    ++line_number;
    if (line.empty() || line.front() == '#') continue;
    const auto error = [&](const std::string& what) {
      return Status::bad_input(fmt::format("{} line {}: {}", origin, line_number, what));
    };
    if (!header) {
      if (line != Router::kHeader) return error(fmt::format("the header must be '{}'", Router::kHeader));
      header = true;
      continue;
    }
    auto row = parse_row(line);
    if (!row) return error(row.status().message());
    const auto same = [&](const Row& other) {
      return other.shape == row->shape && other.choice.route == row->choice.route;
    };
    if (std::any_of(router.rows_.begin(), router.rows_.end(), same)) {
      return error(fmt::format("shape {}x{}x{} has a row for {} already", row->shape.m, row->shape.n,
                               row->shape.k, route_name(row->choice.route)));
    }
    row->choice.reason = fmt::format("tuned: {} line {}", origin, line_number);
    router.rows_.push_back(std::move(*row));
  }
  if (!header) return Status::bad_input(fmt::format("{}: no header '{}'", origin, Router::kHeader));
  return router;
}

Expected<Router> Router::for_arch(std::string_view arch) {
  for (const TunedTable& table : tuned_tables()) {
    if (table.arch == arch) return parse(table.csv, fmt::format("data/tuned/{}.csv", arch));
  }
  return Router();
}

Choice Router::choose(const GemmShape& shape) const {
  for (const Row& row : rows_) {
    if (row.shape == shape) return row.choice;
  }
  constexpr int64_t kFewRows = 32;
  constexpr int64_t kShortK = 1024;
  if (shape.m > kFewRows) return default_choice(Route::staged, shape);
  return default_choice(shape.k <= kShortK ? Route::one_kernel : Route::fused, shape);
}

Choice Router::choose(const GemmShape& shape, Route route) const {
  for (const Row& row : rows_) {
    if (row.shape == shape && row.choice.route == route) return row.choice;
  }
  Choice choice = default_choice(route, shape);
  choice.reason = "requested route, default tile";
  return choice;
}

}  // namespace mxproof
