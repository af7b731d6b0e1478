// The environment variables that steer emulated launches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/status.hpp"
#include "emulator/machine/launch.hpp"

namespace mxproof::emulator {

/// MXPROOF_EMU_THREADS=N        host threads of a launch, 1 to 1024; unset: one per core
/// MXPROOF_EMU_ORDER=asc|desc|shuffled:SEED   the order in which work-groups start
/// MXPROOF_EMU_BUDGET=N         wave-instructions of one wave before its loop counts as endless
/// MXPROOF_EMU_WATCH=LIST       watchers: all, or names separated by commas
/// MXPROOF_EMU_WATCH_JSON=FILE  what they reported, written when the process ends
/// MXPROOF_EMU_COUNTS=FILE      appends what each launch did, a line of JSON
/// MXPROOF_SETTINGS=FILE        what the machine computes where public sources leave it open, see
///                              chip_settings.hpp
struct Environment {
  unsigned threads = 0;
  GroupOrder order = GroupOrder::ascending;
  uint64_t order_seed = 0;
  std::optional<uint64_t> budget;
  WatchSet watchers;
  std::string watch_file;   ///< Empty: none.
  std::string counts_file;  ///< Empty: none.
  Settings settings;

  /// Reads the process's environment. Errors: bad_input for a value that is not understood, and for a
  /// variable MXPROOF_EMU_* that does not exist, so that a typing error is not silently ignored.
  static Expected<Environment> read();
};

}  // namespace mxproof::emulator
