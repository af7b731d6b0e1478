#include "emulator/watch/uninit_global.hpp"

#include <fmt/format.h>

#include "emulator/watch/written_bytes.hpp"

namespace mxproof::emulator {
namespace {

/// Calls `visit(lane, written, offset)` for lanes in allocations that keep track. Lanes are mostly together.
template <class Visit>
void for_each_tracked(const MemoryAccess& access, const AllocationTable& table, Visit visit) {
  const Allocation* allocation = nullptr;
  for_each_lane(access.lanes, [&](int lane) {
    const uint64_t address = access.address[lane];
    if (allocation == nullptr || !allocation->holds(address, access.bytes))
      allocation = find_allocation(table, address);
    if (allocation == nullptr || allocation->written == nullptr || allocation->written->is_whole()) return;
    visit(lane, *allocation->written, address - allocation->base);
  });
}

}  // namespace

UndefinedLanes undefined_global(const MemoryAccess& access, const AllocationTable& table) {
  UndefinedLanes result{};
  for_each_tracked(access, table, [&](int lane, const WrittenBytes& written, uint64_t offset) {
    if (written.has(offset, access.bytes)) return;
    for (uint32_t i = 0; i < access.bytes; ++i) {
      if (!written.has(offset + i, 1)) result[i / 4] |= uint64_t{1} << lane;
    }
  });
  return result;
}

void note_written_global(const MemoryAccess& access, const AllocationTable& table) {
  for_each_tracked(access, table,
                   [&](int, WrittenBytes& written, uint64_t offset) { written.mark(offset, access.bytes); });
}

void check_scalar_load(const Instruction& inst, uint64_t address, uint64_t bytes, uint32_t wave,
                       const AllocationTable& table, const Reporter& reporter) {
  const Allocation* allocation = find_allocation(table, address);
  if (allocation == nullptr || allocation->written == nullptr) return;
  if (allocation->written->has(address - allocation->base, bytes)) return;
  reporter.report(Watcher::uninit_global, inst, wave, -1, address, [&] {
    return fmt::format("loads {} bytes from address 0x{:x}, where nobody has written", bytes, address);
  });
}

}  // namespace mxproof::emulator
