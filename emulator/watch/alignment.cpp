#include "emulator/watch/alignment.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mxproof::emulator {
namespace {

uint32_t needed(const MemoryAccess& access) {
  const OperandUse& operands = *access.operands;
  if (operands.memory == MemoryUse::lds) return operands.lds_align;
  return operands.is_atomic ? access.bytes : std::min(access.bytes, 4U);
}

}  // namespace

void check_alignment(const MemoryAccess& access, const char* space, const Reporter& reporter) {
  const uint64_t mask = needed(access) - 1;
  uint64_t low_bits = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    low_bits |= ((access.lanes >> lane) & 1U) != 0 ? access.address[lane] & mask : 0;
  }
  if (low_bits == 0) return;
  int lane = 0;
  while (((access.lanes >> lane) & 1U) == 0 || (access.address[lane] & mask) == 0) ++lane;
  reporter.report(Watcher::alignment, *access.inst, access.wave, lane, access.address[lane], [&] {
    return fmt::format(
        "accesses {} bytes at {} 0x{:x}, which is {} past a multiple of {}; it must be a multiple",
        access.bytes, space, access.address[lane], access.address[lane] & mask, mask + 1);
  });
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
