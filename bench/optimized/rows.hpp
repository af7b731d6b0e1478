// The rows of mxproof_bench: every route, kernel, peer and floor on every shape, cold and hot, as a graph and
// eager.
#pragma once

#include <optional>
#include <vector>

#include "bench/optimized/device_facts.hpp"
#include "bench/optimized/emulated_counts.hpp"
#include "common/shape.hpp"

namespace mxproof::bench {

struct RowsConfig {
  std::vector<GemmShape> shapes;
  uint64_t seed = 0;
  DeviceFacts facts;
  int compute_units = 1;
  /// Set on an emulated device: rows then carry its counts and no time. Must outlive the benchmarks.
  EmulatedCounts* counts = nullptr;
};

/// Registers them with Google Benchmark. Operands and work are made when a row runs first, outside of any
/// timing, and are shared by the rows that need them.
void register_rows(const RowsConfig& config);

}  // namespace mxproof::bench
