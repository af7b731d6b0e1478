// Runs the registered benchmarks and writes plain Google Benchmark JSON with the context that makes a time
// worth keeping: commit, build id, compiler, device, driver, clocks, seed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/status.hpp"

namespace mxproof::bench {

/// Where the work runs, and what a reader must know about the circumstances.
struct RunContext {
  std::string device;     ///< "gfx950 (emulated)", "NVIDIA H200", or the processor's name for host work.
  bool emulated = false;  ///< Rows carry counts and no latency.
  std::string driver;
  uint64_t seed = 0;
  std::string inputs;                  ///< What the operands are filled with: it changes speed.
  std::function<std::string()> state;  ///< Clocks, power, temperature; asked before and after.
};

/// Flags of ours, taken out of the command line before Google Benchmark sees it.
struct RunOptions {
  std::string out;         ///< --out=FILE: the run as JSON.
  std::string store;       ///< --store=DIR: the same under a new name DATE-COMMIT-DEVICE.json.
  size_t repetitions = 9;  ///< --benchmark_repetitions overrides it.
};

/// Removes --out and --store from the arguments. Bad input: one without a value, or both.
Expected<RunOptions> take_options(std::vector<std::string>& arguments);

/// Runs everything that --benchmark_filter selects, in random order with repetitions interleaved, so that
/// slow drift of the machine spreads over all rows. Prints one line a row. Never overwrites a file. Destroys
/// the rows, and with them what they own on a device. Returns the exit code: 0, 1 when a row failed
/// verification or nothing ran, 2 for bad input.
int run_benchmarks(const RunContext& context, const RunOptions& options, std::vector<std::string> arguments);

/// The name of the processor as the kernel gives it, for work on the host.
std::string processor_name();

}  // namespace mxproof::bench
