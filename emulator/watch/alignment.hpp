// Watcher `alignment`: addresses that are no multiple of what the access needs whatever alignment mode the
// driver has set (SH_MEM_CONFIG.alignment_mode):
//
//   global, flat, scratch, buffer   2 bytes for shorts, 4 for a dword and wider
//   LDS   the size of the access, and 16 bytes for b96; pairs (read2, write2) the size of a part
//   atomics   the size of the access;   scalar loads and loads to LDS   4 bytes, lower bits are dropped
//
// In the unaligned mode the hardware does others too, more slowly, apart from atomics, scalar loads and loads
// to LDS. Source: AMD CDNA3 ISA reference guide, "Memory Alignment" and "Data Share"; that b96 needs 16 and
// that all of it holds for gfx950 is assumed.
#pragma once

#include "emulator/watch/memory_access.hpp"
#include "emulator/watch/reporter.hpp"

namespace mxproof::emulator {

/// `space`: "global", "LDS" or "scratch", for the message.
void check_alignment(const MemoryAccess& access, const char* space, const Reporter& reporter);

/// The same for a scalar load.
void check_scalar_alignment(const Instruction& inst, uint64_t address, uint32_t wave,
                            const Reporter& reporter);

}  // namespace mxproof::emulator
