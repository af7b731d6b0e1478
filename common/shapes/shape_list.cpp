#include "common/shapes/shape_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <optional>
#include <utility>

#include "common/array/byte_source.hpp"

namespace mxproof {
namespace {

constexpr int64_t kMaxExtent = INT32_MAX;
constexpr int64_t kMaxElements = int64_t{1} << 40;
constexpr uint64_t kMaxFile = 1 << 20;

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t end = text.find(separator);
    parts.push_back(trim(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<int64_t> parse_extent(std::string_view text) {
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < 1 || value > kMaxExtent) return {};
  return value;
}

// A shape from the texts of its three dimensions; empty when one of them is no dimension or an operand too
// large.
std::optional<GemmShape> make_shape(std::string_view m, std::string_view n, std::string_view k) {
  GemmShape shape;
  for (const auto& [text, extent] :
       {std::pair(m, &shape.m), std::pair(n, &shape.n), std::pair(k, &shape.k)}) {
    const std::optional<int64_t> value = parse_extent(text);
    if (!value) return {};
    *extent = *value;
  }
  // Each extent is below 2^31, so no product overflows.
  if (std::max({shape.m * shape.k, shape.n * shape.k, shape.m * shape.n}) > kMaxElements) return {};
  return shape;
}

std::optional<GemmShape> shape_of(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, 'x');
  return parts.size() == 3 ? make_shape(parts[0], parts[1], parts[2]) : std::nullopt;
}

// Columns of m, n and k in a CSV header; empty when the line is none.
std::optional<std::array<size_t, 3>> csv_columns(std::string_view line) {
  const std::vector<std::string_view> names = split(line, ',');
  std::array<size_t, 3> columns{};
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto found = std::ranges::find_if(
        names, [&](std::string_view name) { return name.size() == 1 && (name[0] | 0x20) == "mnk"[i]; });
    if (found == names.end()) return {};
    columns[i] = static_cast<size_t>(found - names.begin());
  }
  return columns;
}

Expected<std::string> read_text(const std::string& path) {
  const Expected<std::shared_ptr<ByteSource>> source = open_file(path);
  if (!source) return source.status();
  if ((*source)->size() > kMaxFile)
    return Status::bad_input(
        fmt::format("{}: {} bytes; a shape file has at most {}", path, (*source)->size(), kMaxFile));
  std::string text((*source)->size(), '\0');
  if (Status status = (*source)->read(0, std::as_writable_bytes(std::span(text))); !status)
    return Status::bad_input(fmt::format("{}: {}", path, status.message()));
  return text;
}

const NamedShapes* find_set(std::string_view name) {
  for (const NamedShapes& set : named_shape_sets())
    if (set.name == name) return &set;
  return nullptr;
}

bool looks_like_shape(std::string_view text) {
  return text.find_first_not_of("0123456789xX*+- ") == text.npos;
}

Expected<std::vector<GemmShape>> parse_item(std::string_view item) {
  if (const std::optional<GemmShape> shape = shape_of(item)) return std::vector{*shape};
  if (const NamedShapes* set = find_set(item)) return parse_shape_file(set->csv, std::string(item));
  if (looks_like_shape(item)) return parse_shape(item).status();
  const Expected<std::string> text = read_text(std::string(item));
  if (!text)
    return Status::bad_input(
        fmt::format("'{}' is no shape MxNxK, no named set (benchmark, correctness) and no file: {}", item,
                    text.status().message()));
  return parse_shape_file(*text, std::string(item));
}

}  // namespace

std::string to_string(const GemmShape& shape) {
  return fmt::format("{}x{}x{}", shape.m, shape.n, shape.k);
}

Expected<GemmShape> parse_shape(std::string_view text) {
  if (const std::optional<GemmShape> shape = shape_of(text)) return *shape;
  return Status::bad_input(fmt::format(
      "'{}' is no shape: need MxNxK, such as 32x2880x512, each from 1 to 2^31-1 and no operand past 2^40 "
      "elements",
      text));
}

Expected<std::vector<GemmShape>> parse_shape_file(std::string_view text, const std::string& name) {
  std::vector<GemmShape> shapes;
  std::optional<std::array<size_t, 3>> columns;
  size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    if (!columns && shapes.empty()) {
      columns = csv_columns(line);
      if (columns) continue;
    }

    std::optional<GemmShape> shape;
    if (columns) {
      const std::vector<std::string_view> cells = split(line, ',');
      if (cells.size() > std::ranges::max(*columns))
        shape = make_shape(cells[(*columns)[0]], cells[(*columns)[1]], cells[(*columns)[2]]);
    } else {
      shape = shape_of(line);
    }
    if (!shape)
      return Status::bad_input(fmt::format("{}:{}: no shape; need {}, each from 1 to 2^31-1", name, number,
                                           columns ? "m, n and k in their columns" : "MxNxK"));
    shapes.push_back(*shape);
  }
  if (shapes.empty()) return Status::bad_input(fmt::format("{}: holds no shape", name));
  return shapes;
}

Expected<std::vector<GemmShape>> parse_shapes(std::string_view text) {
  std::vector<GemmShape> shapes;
  for (const std::string_view item : split(text, ',')) {
    if (item.empty()) return Status::bad_input("an empty item in the list of shapes");
    const Expected<std::vector<GemmShape>> more = parse_item(item);
    if (!more) return more.status();
    shapes.insert(shapes.end(), more->begin(), more->end());
  }
  return shapes;
}

std::vector<GemmShape> default_shapes() {
  const Expected<std::vector<GemmShape>> shapes = parse_shapes("benchmark,correctness");
  assert(shapes.ok() && "data/shapes is part of the program");
  return *shapes;
}

}  // namespace mxproof
