// Whether an address may be touched.
#pragma once

#include "emulator/machine/group.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {

/// Looks `address` up among the launch's allocations and remembers the hit in the wave. False when none holds
/// it.
bool find_range(Wave& wave, uint64_t address);

/// True when [address, address + bytes) lies in one allocation.
inline bool is_allocated(Wave& wave, uint64_t address, uint64_t bytes) {
  if (address < wave.last_base || address >= wave.last_end) {
    if (!find_range(wave, address)) return false;
  }
  return bytes <= wave.last_end - address;
}

/// Stops the wave for an access by `lane` (-1: scalar) outside all allocations.
void fault_address(Wave& wave, const Instruction& inst, int lane, uint64_t address, uint64_t bytes);
/// The same for LDS and scratch: `what` has `size` bytes.
void fault_offset(Wave& wave, const Instruction& inst, int lane, uint64_t offset, uint64_t bytes,
                  const char* what, uint64_t size);

}  // namespace mxproof::emulator
