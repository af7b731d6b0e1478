// The environment variables that steer emulated launches.
#pragma once

#include <cstdint>
#include <string>

#include "common/status.hpp"
#include "emulator/machine/launch.hpp"

namespace mxproof::emulator {

/// MXPROOF_EMU_THREADS=N        host threads of a launch, 1 to 1024; unset: one per core
/// MXPROOF_EMU_ORDER=ascending|descending|shuffled:SEED   the order in which work-groups start
/// MXPROOF_EMU_STATS=FILE       appends one JSON line per launch
struct Environment {
  unsigned threads = 0;
  GroupOrder order = GroupOrder::ascending;
  uint64_t order_seed = 0;
  std::string stats_file;  ///< Empty: none.

  /// Reads the process's environment. Errors: bad_input for a value that is not understood, and for a
  /// variable MXPROOF_EMU_* that does not exist, so that a typing error is not silently ignored.
  static Expected<Environment> read();
};

}  // namespace mxproof::emulator
