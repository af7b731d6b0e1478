// Watcher `uninit-global`: loads of bytes that no copy, fill or kernel has written since hipMalloc. What is
// loaded is reported where it is used; see uninit_register.hpp.
#pragma once

#include "emulator/machine/global_memory.hpp"
#include "emulator/watch/memory_access.hpp"

namespace mxproof::emulator {

/// Lanes that load bytes nobody wrote.
UndefinedLanes undefined_global(const MemoryAccess& access, const AllocationTable& table);

/// Notes what a store or an atomic writes.
void note_written_global(const MemoryAccess& access, const AllocationTable& table);

/// Of the dwords that a scalar load brings from [address, address + bytes): those that nobody wrote, a bit
/// each.
uint32_t undefined_dwords(uint64_t address, uint64_t bytes, const AllocationTable& table);

}  // namespace mxproof::emulator
