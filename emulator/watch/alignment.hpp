// Watchers `alignment` and `strict-alignment`: addresses that are no multiple of what the access needs.
//
//   alignment          atomics need the size of the access; scalar loads and the LDS side of loads to LDS 4
//                      bytes (lower bits are dropped): no driver setting changes that
//   strict-alignment   loads and stores need 2 bytes for shorts and 4 for a dword and wider; in LDS the size
//                      of the access (16 for b96), and pairs (read2, write2) the size of a part
//
// The HSA driver sets the unaligned mode (SH_MEM_CONFIG.alignment_mode), in which the chip does what
// strict-alignment finds, in more cycles; compilers count on it, so that one has to be asked for by name.
// Source: AMD CDNA3 ISA reference guide, "Memory Alignment" and "Data Share", and LLVM's AMDGPU user guide,
// unaligned-access-mode; that b96 needs 16, and that all of it holds for gfx950, is assumed.
#pragma once

#include "emulator/watch/memory_access.hpp"
#include "emulator/watch/reporter.hpp"

namespace mxproof::emulator {

/// `space`: "global", "LDS" or "scratch", for the message.
void check_alignment(const MemoryAccess& access, const char* space, WatchSet watchers,
                     const Reporter& reporter);

/// The same for a scalar load.
void check_scalar_alignment(const Instruction& inst, uint64_t address, uint32_t wave,
                            const Reporter& reporter);

}  // namespace mxproof::emulator
