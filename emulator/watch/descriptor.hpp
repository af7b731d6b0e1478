// Watcher `descriptor`: buffer accesses outside their descriptor's range. The hardware defines them (reads
// give 0, stores are dropped) and kernels use that for tails, so this one has to be asked for by name.
#pragma once

#include "emulator/machine/wave.hpp"
#include "emulator/watch/reporter.hpp"

namespace mxproof::emulator {

void check_descriptor(const VectorAccess& access, uint32_t bytes, const Wave& wave, const Reporter& reporter);

}  // namespace mxproof::emulator
