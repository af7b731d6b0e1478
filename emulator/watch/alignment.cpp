#include "emulator/watch/alignment.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mxproof::emulator {
namespace {

/// Whatever the mode.
uint32_t needed(const MemoryAccess& access) {
  const OperandUse& operands = *access.operands;
  if (operands.is_atomic) return access.bytes;
  return operands.loads_to_lds && access.writes ? 4 : 1;
}

/// In the strict mode.
uint32_t needed_strictly(const MemoryAccess& access) {
  const OperandUse& operands = *access.operands;
  if (operands.memory == MemoryUse::lds) return operands.lds_align;
  return std::min(access.bytes, 4U);
}

void check(const MemoryAccess& access, const char* space, Watcher watcher, uint32_t needed,
           const Reporter& reporter) {
  const uint64_t mask = needed - 1;
  uint64_t low_bits = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    low_bits |= ((access.lanes >> lane) & 1U) != 0 ? access.address[lane] & mask : 0;
  }
  if (low_bits == 0) return;
  int lane = 0;
  while (((access.lanes >> lane) & 1U) == 0 || (access.address[lane] & mask) == 0) ++lane;
  const uint64_t address = access.address[lane];
  reporter.report(watcher, *access.inst, access.wave, lane, address, [&] {
    return fmt::format(
        "accesses {} bytes at {} 0x{:x}, which is {} past a multiple of {}; it must be a multiple",
        access.bytes, space, address, address & mask, needed);
  });
}

}  // namespace

void check_alignment(const MemoryAccess& access, const char* space, WatchSet watchers,
                     const Reporter& reporter) {
  const bool is_hard = needed(access) > 1;
  const Watcher watcher = is_hard ? Watcher::alignment : Watcher::strict_alignment;
  if (watchers.has(watcher))
    check(access, space, watcher, is_hard ? needed(access) : needed_strictly(access), reporter);
}

void check_scalar_alignment(const Instruction& inst, uint64_t address, uint32_t wave,
                            const Reporter& reporter) {
  if (address % 4 == 0) return;
  reporter.report(Watcher::alignment, inst, wave, -1, address, [&] {
    return fmt::format("loads from 0x{:x}, which is {} past a multiple of 4; the chip drops the low bits",
                       address, address % 4);
  });
}

}  // namespace mxproof::emulator
