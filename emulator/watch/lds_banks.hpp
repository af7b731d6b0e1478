// How many cycles an LDS access takes, by a model of the banks.
//
// The hardware takes the lanes of an instruction in phases; lanes of one phase that want different dwords of
// one bank wait for each other, lanes that want the same dword do not. bank = address / 4 % banks.
//
//                      banks   phases of lanes
//   read  b32 or less   64     all 64
//   read  b64           64     0-31, 32-63
//   read  b96           32     eight of 8:  0-3 20-23, 4-7 16-19, 8-11 28-31, 12-15 24-27, and 32 on
//   read  b128          64     four of 16:  0-3 12-15 20-27, 4-11 16-19 28-31, and 32 on
//   write b32 or less   32     0-31, 32-63
//   write b64           32     four of 16, in order
//   write b96, b128     32     eight of 8, in order
//
// Source: the experiments that come with the HipKittens paper ran read b64, b96, b128 and write b64 on a
// gfx950 [S]; write b128 is as on earlier chips (ROCm's Composable Kernel documentation). The rest is assumed
// by analogy: what moves 256 bytes a phase when read and 128 when written. Instructions with two addresses
// count as two accesses, atomics as writes, loads to LDS as writes.
#pragma once

#include <cstdint>

#include "emulator/watch/memory_access.hpp"

namespace mxproof::emulator {

struct LdsCycles {
  uint32_t taken = 0;      ///< One a phase that has an active lane, and those that conflicts add.
  uint32_t conflicts = 0;  ///< Those that conflicts add.
};

LdsCycles lds_cycles(const MemoryAccess& access);

}  // namespace mxproof::emulator
