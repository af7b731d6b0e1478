#include "emulator/watch/access_counts.hpp"

#include <bit>

#include "emulator/watch/lds_banks.hpp"

namespace mxproof::emulator {

SectorMap::SectorMap(std::shared_ptr<const AllocationTable> table)
    : table_(std::move(table)), sectors_(table_->size()) {}

void SectorMap::mark(uint64_t address, uint64_t bytes, bool is_store) {
  const Allocation* allocation = find_allocation(*table_, address);
  if (allocation == nullptr) return;
  Sectors& sectors = sectors_[static_cast<size_t>(allocation - table_->data())];
  const uint64_t first = allocation->base / kSectorBytes;
  std::call_once(sectors.made,
                 [&] { sectors.flags = LazyMemory(allocation->size / kSectorBytes + 2, FirstUse::read); });
  auto* flags = sectors.flags.as<uint8_t>();
  if (flags == nullptr) return;
  const uint8_t bit = is_store ? 2 : 1;
  for (uint64_t sector = address / kSectorBytes; sector <= (address + bytes - 1) / kSectorBytes; ++sector) {
    const std::atomic_ref<uint8_t> flag(flags[sector - first]);
    if ((flag.load(std::memory_order_relaxed) & bit) != 0) continue;
    if ((flag.fetch_or(bit, std::memory_order_relaxed) & bit) == 0)
      distinct_[is_store ? 1 : 0].fetch_add(1, std::memory_order_relaxed);
  }
}

bool AccessCounter::is_new_sector(uint64_t sector) {
  for (size_t i = sector % seen_.size();; i = (i + 1) % seen_.size()) {
    Slot& slot = seen_[i];
    if (slot.number != number_) {
      slot = {sector, number_};
      return true;
    }
    if (slot.sector == sector) return false;
  }
}

void AccessCounter::global(const MemoryAccess& access) {
  if (access.lanes == 0) return;
  GlobalCounts& counts = counts_.global;
  const uint64_t bytes = static_cast<uint64_t>(std::popcount(access.lanes)) * access.bytes;
  uint64_t sectors = 0;
  if (access.consecutive) {
    const uint64_t at = access.address[0];
    sectors = (at + bytes - 1) / kSectorBytes - at / kSectorBytes + 1;
    map_->mark(at, bytes, access.writes);
  } else {
    ++number_;
    for_each_lane(access.lanes, [&](int lane) {
      const uint64_t at = access.address[lane];
      for (uint64_t sector = at / kSectorBytes; sector <= (at + access.bytes - 1) / kSectorBytes; ++sector) {
        if (!is_new_sector(sector)) continue;
        ++sectors;
        map_->mark(std::max(at, sector * kSectorBytes), 1, access.writes);
      }
    });
  }
  (access.writes ? counts.store_bytes : counts.load_bytes) += bytes;
  (access.writes ? counts.store_sectors : counts.load_sectors) += sectors;
}

void AccessCounter::lds(const MemoryAccess& access) {
  if (access.lanes == 0) return;
  LdsCounts& counts = counts_.lds;
  const LdsCycles cycles = lds_cycles(access);
  (access.writes ? counts.write_bytes : counts.read_bytes) +=
      static_cast<uint64_t>(std::popcount(access.lanes)) * access.bytes;
  ++counts.accesses;
  counts.cycles += cycles.taken;
  counts.conflict_cycles += cycles.conflicts;
}

void add(const AccessCounts& from, AccessCounts& to) {
  to.global.load_bytes += from.global.load_bytes;
  to.global.store_bytes += from.global.store_bytes;
  to.global.scalar_load_bytes += from.global.scalar_load_bytes;
  to.global.load_sectors += from.global.load_sectors;
  to.global.store_sectors += from.global.store_sectors;
  to.lds.read_bytes += from.lds.read_bytes;
  to.lds.write_bytes += from.lds.write_bytes;
  to.lds.accesses += from.lds.accesses;
  to.lds.cycles += from.lds.cycles;
  to.lds.conflict_cycles += from.lds.conflict_cycles;
}

}  // namespace mxproof::emulator
