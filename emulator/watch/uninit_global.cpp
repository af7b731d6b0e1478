#include "emulator/watch/uninit_global.hpp"

#include "emulator/watch/written_bytes.hpp"

namespace mxproof::emulator {
namespace {

/// True when all lanes lie in `allocation`.
bool holds_all(const Allocation& allocation, const MemoryAccess& access) {
  if (allocation.size < access.bytes) return false;
  const uint64_t last = allocation.size - access.bytes;
  uint64_t outside = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const bool is_outside = access.address[lane] - allocation.base > last;
    outside |= uint64_t{is_outside} << lane;
  }
  return (outside & access.lanes) == 0;
}

bool is_tracked(const Allocation& allocation) {
  return allocation.written != nullptr && !allocation.written->is_whole();
}

/// Calls `visit(lane, written, offset)` for lanes in allocations that keep track. Lanes are mostly together.
template <class Visit>
void for_each_tracked(const MemoryAccess& access, const AllocationTable& table, Visit visit) {
  if (access.lanes == 0) return;
  const Allocation* allocation = find_allocation(table, access.address[std::countr_zero(access.lanes)]);
  if (allocation != nullptr && !is_tracked(*allocation) && holds_all(*allocation, access)) return;
  for_each_lane(access.lanes, [&](int lane) {
    const uint64_t address = access.address[lane];
    if (allocation == nullptr || !allocation->holds(address, access.bytes))
      allocation = find_allocation(table, address);
    if (allocation == nullptr || !is_tracked(*allocation)) return;
    visit(lane, *allocation->written, address - allocation->base);
  });
}

}  // namespace

UndefinedLanes undefined_global(const MemoryAccess& access, const AllocationTable& table) {
  UndefinedLanes result{};
  for_each_tracked(access, table, [&](int lane, const WrittenBytes& written, uint64_t offset) {
    if (written.has(offset, access.bytes)) return;
    for (uint32_t i = 0; i < access.bytes; ++i) {
      if (!written.has(offset + i, 1)) result[i] |= uint64_t{1} << lane;
    }
  });
  return result;
}

void note_written_global(const MemoryAccess& access, const AllocationTable& table) {
  for_each_tracked(access, table,
                   [&](int, WrittenBytes& written, uint64_t offset) { written.mark(offset, access.bytes); });
}

uint32_t undefined_dwords(uint64_t address, uint64_t bytes, const AllocationTable& table) {
  const Allocation* allocation = find_allocation(table, address);
  if (allocation == nullptr || !is_tracked(*allocation)) return 0;
  uint32_t undefined = 0;
  for (uint64_t at = 0; at < bytes; at += 4) {
    if (!allocation->written->has(address + at - allocation->base, 4)) undefined |= 1U << (at / 4);
  }
  return undefined;
}

}  // namespace mxproof::emulator
