// The loop that everything else exists for.
#pragma once

namespace mxproof::emulator {

class GroupWatch;
struct Wave;

/// Runs the wave until it waits at a barrier, gives up its slice, ends or is stopped.
void run_wave(Wave& wave);

/// The same with every instruction shown to the watchers.
void run_wave(Wave& wave, GroupWatch& watch);

}  // namespace mxproof::emulator
