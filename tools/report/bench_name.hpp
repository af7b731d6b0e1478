// The name of a benchmark row: `path/MxNxK/cache/launch`.
//
//   staged/64x7168x2048/cold/graph
//   |      |            |    '- graph (replayed graph), eager (one launch call each) or host (runs on the
//   CPU) |      |            '------ cold (operands come from memory) or hot (they may sit in a cache) |
//   '------------------- the product's shape, or `any` for work that has none
//   '-------------------------- route, kernel, peer or floor
#pragma once

#include <string>
#include <string_view>

#include "common/shape.hpp"
#include "common/status.hpp"

namespace mxproof::report {

struct BenchName {
  std::string path;
  GemmShape shape;     ///< All zero for `any`.
  std::string cache;   ///< "cold" or "hot".
  std::string launch;  ///< "graph", "eager" or "host".

  /// "64x7168x2048", or "any".
  std::string shape_text() const;
  friend bool operator==(const BenchName&, const BenchName&) = default;
};

/// Parses a name. Suffixes that Google Benchmark adds (`/manual_time`, `/repeats:9` and the like) are
/// ignored. Anything else that does not fit is bad input.
Expected<BenchName> parse_bench_name(std::string_view text);

}  // namespace mxproof::report
