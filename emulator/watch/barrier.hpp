// Watchers `barrier` and `early-end`: what the waves of a work-group do when an s_barrier lets them go. The
// hardware counts waves: it lets those that wait go once every wave that has not ended has come to some
// s_barrier.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "emulator/machine/wave.hpp"
#include "emulator/watch/reporter.hpp"

namespace mxproof::emulator {

/// Called while the waves still wait.
void check_barrier(std::span<const std::unique_ptr<Wave>> waves, WatchSet watchers, const Reporter& reporter);

}  // namespace mxproof::emulator
