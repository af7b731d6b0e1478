// The environment variables that steer emulated launches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/status.hpp"
#include "emulator/loader/chip.hpp"
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
/// MXPROOF_EMU_CHIP=gfx950|gfx942   what the device says that it is, and whose code it runs
struct Environment {
  unsigned threads = 0;
  GroupOrder order = GroupOrder::ascending;
  uint64_t order_seed = 0;
  std::optional<uint64_t> budget;
  WatchSet watchers;
  std::string watch_file;   ///< Empty: none.
  std::string counts_file;  ///< Empty: none.
  Settings settings;
  const Chip* chip = &kGfx950;

  /// Reads the process's environment. Errors: bad_input for a value that is not understood, and for a
  /// variable MXPROOF_EMU_* that does not exist, so that a typing error is not silently ignored.
  static Expected<Environment> read();
};

/// What this process's environment asks for; a gfx950 when the environment is wrong, which every call on the
/// device reports.
const Chip& claimed_chip();

}  // namespace mxproof::emulator
