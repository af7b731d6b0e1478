// Finds the fastest way to carry out each route for a shape: every tile that was compiled and every split of
// K, each measured and each output verified.
#pragma once

#include <functional>
#include <vector>

#include "bench/optimized/device_facts.hpp"
#include "bench/optimized/emulated_counts.hpp"
#include "bench/run/row_label.hpp"
#include "optimized/router/router.hpp"

namespace mxproof::bench {

/// One way, and what came of it.
struct Measurement {
  GemmShape shape;
  Choice choice;
  Check check;    ///< Of the very output that was timed.
  double us = 0;  ///< Cold, in a replayed graph; `modelled` on an emulated device. Of a wrong output: 0.
};

/// Every way to carry out `route` for `shape` that the router would accept.
std::vector<Choice> tuning_candidates(Route route, const GemmShape& shape);

struct TuningConfig {
  std::vector<Route> routes;
  uint64_t seed = 0;
  DeviceFacts facts;
  EmulatedCounts* counts = nullptr;  ///< Set on an emulated device.
};

/// Measures all candidates of all routes for `shape`, calling `progress` after each; on a real device then
/// measures the best few again and keeps the medians. Candidates that are refused or wrong stay in the list
/// with their verdict.
Expected<std::vector<Measurement>> tune_shape(const GemmShape& shape, const TuningConfig& config,
                                              const std::function<void(const Measurement&)>& progress);

/// The fastest right measurement of each route, the fastest route first.
std::vector<Measurement> best_of_routes(const std::vector<Measurement>& measurements);

}  // namespace mxproof::bench
