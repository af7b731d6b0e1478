// What tuning found, as text: a table for data/tuned, a list of everything measured, and lines for a reader.
#pragma once

#include <string>
#include <vector>

#include "bench/optimized/tuning.hpp"

namespace mxproof::bench {

/// Where the times come from.
struct TuningOrigin {
  std::string device;
  std::string driver;
  std::string commit;
  std::string date;       ///< 2026-11-30
  bool emulated = false;  ///< The times are modelled.
};

/// A table that Router::parse reads: for each shape the best row of every route, fastest first, each below
/// its time. `measurements` holds the shapes one after the other.
std::string tuned_table(const std::vector<std::vector<Measurement>>& measurements,
                        const TuningOrigin& origin);

/// Everything measured as CSV, wrong and refused ways included.
std::string measurements_table(const std::vector<std::vector<Measurement>>& measurements,
                               const TuningOrigin& origin);

/// "  direct       7.25 us  16x16 of 2 waves in 4 slices" for the best of each route.
std::string best_text(const std::vector<Measurement>& measurements, const TuningOrigin& origin);

/// "direct, 16x16 of 2 waves, K in 1: mismatch: ..." for every way that gave a wrong result or failed.
std::string faults_text(const std::vector<Measurement>& measurements);

}  // namespace mxproof::bench
