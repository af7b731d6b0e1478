// Counts of what a launch moves: bytes and sectors of global memory, LDS accesses and their bank conflicts.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "emulator/machine/global_memory.hpp"
#include "emulator/watch/lazy_memory.hpp"
#include "emulator/watch/memory_access.hpp"

namespace mxproof::emulator {

inline constexpr uint64_t kSectorBytes = 64;

/// Of vector memory instructions; scalar loads have a count of their own and no sectors.
struct GlobalCounts {
  uint64_t load_bytes = 0;   ///< Lanes times their bytes.
  uint64_t store_bytes = 0;  ///< The same, atomics included.
  uint64_t scalar_load_bytes = 0;
  uint64_t load_sectors = 0;   ///< Different 64-byte sectors of an instruction, summed over instructions.
  uint64_t store_sectors = 0;  ///< The same, atomics included.
  uint64_t distinct_load_sectors = 0;   ///< Different ones of the whole launch.
  uint64_t distinct_store_sectors = 0;  ///< The same, atomics included.
};

/// See lds_banks.hpp for the model.
struct LdsCounts {
  uint64_t read_bytes = 0;
  uint64_t write_bytes = 0;  ///< Loads to LDS and atomics included.
  uint64_t accesses = 0;     ///< Instructions, those with two addresses twice.
  uint64_t cycles = 0;
  uint64_t conflict_cycles = 0;  ///< Of those, the ones that bank conflicts add.
};

struct AccessCounts {
  GlobalCounts global;
  LdsCounts lds;
};

/// Which sectors a launch touched. Shared by its threads.
class SectorMap {
 public:
  explicit SectorMap(std::shared_ptr<const AllocationTable> table);

  /// Marks the sectors of [address, address + bytes), which lies in one allocation; others are ignored.
  void mark(uint64_t address, uint64_t bytes, bool is_store);
  uint64_t distinct(bool is_store) const {
    return distinct_[is_store ? 1 : 0].load(std::memory_order_relaxed);
  }

 private:
  struct Sectors {
    std::once_flag made;
    LazyMemory flags;  ///< A byte a sector: bit 0 loaded, bit 1 stored to.
  };
  std::shared_ptr<const AllocationTable> table_;
  std::vector<Sectors> sectors_;
  std::array<std::atomic<uint64_t>, 2> distinct_{};
};

/// One thread's counts.
class AccessCounter {
 public:
  void begin(SectorMap* map) {
    map_ = map;
    counts_ = {};
  }
  void global(const MemoryAccess& access);
  void scalar_load(uint64_t bytes) { counts_.global.scalar_load_bytes += bytes; }
  void lds(const MemoryAccess& access);
  const AccessCounts& counts() const { return counts_; }

 private:
  bool is_new_sector(uint64_t sector);

  SectorMap* map_ = nullptr;
  AccessCounts counts_;
  // The sectors of the instruction at hand: a hash table whose entries count only with its number.
  struct Slot {
    uint64_t sector = 0;
    uint64_t number = 0;
  };
  std::array<Slot, 512> seen_{};
  uint64_t number_ = 0;
};

void add(const AccessCounts& from, AccessCounts& to);

}  // namespace mxproof::emulator
