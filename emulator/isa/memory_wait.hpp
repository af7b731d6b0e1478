// When memory operations take effect: as late as the wait counters allow.
//
//   vmcnt    global, buffer, scratch, flat; loads and stores; complete in order
//   lgkmcnt  LDS in order; scalar loads in any order, so that only lgkmcnt(0) is sure of them; flat
//
// A load's destination keeps its old value, and memory keeps what a store replaces, until a wait covers the
// operation, a counter is full, or the wave ends.
#pragma once

#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {

inline constexpr uint32_t kMaxVmCount = 63;
inline constexpr uint32_t kMaxLgkmCount = 15;

/// Completes vector memory operations until at most `count` are outstanding.
void wait_vm(Wave& wave, uint32_t count);

/// Completes what must be complete when at most `count` LDS, scalar and flat operations are outstanding.
void wait_lgkm(Wave& wave, uint32_t count);

/// Completes everything: the end of the wave.
void finish_all_accesses(Wave& wave);

/// A slot for a new operation. A full counter makes the oldest operation complete first.
VectorAccess& begin_vector_access(Wave& wave);
LdsAccess& begin_lds_access(Wave& wave);

}  // namespace mxproof::emulator
