// Watcher `uninit-global`: loads of bytes that no copy, fill or kernel has written since hipMalloc. What is
// loaded is reported where it is used; see uninit_register.hpp.
#pragma once

#include "emulator/machine/global_memory.hpp"
#include "emulator/watch/memory_access.hpp"
#include "emulator/watch/reporter.hpp"

namespace mxproof::emulator {

/// Lanes that load bytes nobody wrote.
UndefinedLanes undefined_global(const MemoryAccess& access, const AllocationTable& table);

/// Notes what a store or an atomic writes.
void note_written_global(const MemoryAccess& access, const AllocationTable& table);

/// Reports a scalar load of [address, address + bytes) that nobody wrote.
void check_scalar_load(const Instruction& inst, uint64_t address, uint64_t bytes, uint32_t wave,
                       const AllocationTable& table, const Reporter& reporter);

}  // namespace mxproof::emulator
