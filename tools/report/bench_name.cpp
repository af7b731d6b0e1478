#include "tools/report/bench_name.hpp"

#include <fmt/format.h>

#include <vector>

#include "common/shapes/shape_list.hpp"

namespace mxproof::report {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t start = 0;;) {
    const size_t end = text.find(separator, start);
    parts.push_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

/// Suffixes that Google Benchmark appends to the names it was given.
bool is_library_suffix(std::string_view part) {
  return part == "manual_time" || part == "real_time" || part == "process_time" ||
         part.find(':') != std::string_view::npos;
}

}  // namespace

std::string BenchName::shape_text() const {
  return shape == GemmShape{} ? "any" : to_string(shape);
}

Expected<BenchName> parse_bench_name(std::string_view text) {
  auto parts = split(text, '/');
  while (parts.size() > 1 && is_library_suffix(parts.back())) parts.pop_back();
  const auto wrong = [&] {
    return Status::bad_input(
        fmt::format("benchmark name '{}' is not path/MxNxK/cold|hot/graph|eager|host", text));
  };
  if (parts.size() != 4 || parts[0].empty()) return wrong();
  GemmShape shape;
  if (parts[1] != "any") {
    const auto parsed = parse_shape(parts[1]);
    if (!parsed) return wrong();
    shape = *parsed;
  }
  if (parts[2] != "cold" && parts[2] != "hot") return wrong();
  if (parts[3] != "graph" && parts[3] != "eager" && parts[3] != "host") return wrong();
  return BenchName{std::string(parts[0]), shape, std::string(parts[2]), std::string(parts[3])};
}

}  // namespace mxproof::report
