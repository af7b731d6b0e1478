// How one row runs: make its work on first use, poison, time, verify, report.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bench/optimized/device_facts.hpp"
#include "bench/optimized/emulated_counts.hpp"
#include "bench/optimized/work.hpp"

namespace mxproof::bench {

/// A piece of work, of which up to four rows are made: cold and hot, as a graph and eager.
struct WorkSpec {
  std::string path;
  std::string shape;  ///< As in the row's name: "64x7168x2048" or "any".
  Kind kind = Kind::route;
  double bytes = 0;  ///< That one call has to move; 0 when that means nothing.
  double flop = 0;
  bool can_be_cold = true;  ///< Its sets of operands together exceed the cache.
  std::function<Expected<std::unique_ptr<Work>>()> make;
};

/// Registers the rows of `spec` with Google Benchmark. `counts` is null on a real device; on an emulated one
/// there is a single row with its counts, a modelled time (the roofline, unless the emulator gives a better
/// one) and no latency, and `counts` must outlive the run.
///
/// A row whose output is wrong, or that could not be run, becomes an error row without a time.
void register_work(const WorkSpec& spec, const DeviceFacts& facts, EmulatedCounts* counts);

}  // namespace mxproof::bench
