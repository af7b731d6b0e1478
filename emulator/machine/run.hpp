// The loop that everything else exists for.
#pragma once

namespace mxproof::emulator {

struct Wave;

/// Runs the wave until it waits at a barrier, gives up its slice, ends or is stopped.
void run_wave(Wave& wave);

}  // namespace mxproof::emulator
