// One memory instruction as the watchers of memory see it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "emulator/machine/wave.hpp"
#include "emulator/watch/operands.hpp"

namespace mxproof::emulator {

/// One address a lane. Instructions with two addresses a lane make two of these.
struct MemoryAccess {
  const Instruction* inst = nullptr;
  const OperandUse* operands = nullptr;
  uint32_t wave = 0;
  uint32_t bytes = 0;  ///< A lane moves so many.
  uint64_t lanes = 0;
  const uint64_t* address = nullptr;  ///< By lane: device address, or byte offset in LDS or scratch.
  bool reads = false;
  bool writes = false;
  bool is_scalar = false;    ///< One address for the wave, in address[0]; `lanes` is 1.
  bool consecutive = false;  ///< All lanes, and lane i at address[0] + i * bytes.
};

/// Calls `visit(lane)` for every lane in `lanes`.
template <class Visit>
void for_each_lane(uint64_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(std::countr_zero(lanes));
}

/// Per byte of what a lane moves: the lanes where it was never written.
using UndefinedLanes = std::array<uint64_t, 16>;

}  // namespace mxproof::emulator
