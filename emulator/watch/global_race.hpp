// Watcher `global-race`: work-groups of one launch at the same bytes of global memory, at least one of them
// storing. Nothing orders work-groups but atomics (and accesses marked sc1): a work-group that has done an
// atomic on an address comes after those that had done one there before it.
#pragma once

#include <bitset>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "emulator/machine/global_memory.hpp"
#include "emulator/watch/lazy_memory.hpp"
#include "emulator/watch/memory_access.hpp"
#include "emulator/watch/reporter.hpp"

namespace mxproof::emulator {

/// Shared by the work-groups of a launch. Thread safe.
class GlobalRace {
 public:
  /// Work-groups are told apart by a number below this; in bigger grids some share one, and races between
  /// those go unseen.
  static constexpr uint32_t kGroupIds = 16382;
  using Groups = std::bitset<kGroupIds>;

  /// What one work-group knows.
  struct Group {
    uint32_t id = 0;                  ///< Below kGroupIds.
    std::unique_ptr<Groups> earlier;  ///< Work-groups that come before it; nullptr: none.
  };
  static Group group(uint64_t index) { return {static_cast<uint32_t>(index % kGroupIds), nullptr}; }

  explicit GlobalRace(std::shared_ptr<const AllocationTable> table);

  void access(const MemoryAccess& access, Group& group, const Reporter& reporter);

 private:
  struct Shadow {
    std::once_flag made;
    LazyMemory states;  ///< A 16-bit state a byte; four of them are read and changed as one word.
  };

  uint64_t* states_of(size_t allocation);
  void touch(uint64_t* word, uint32_t bytes, const MemoryAccess& access, int lane, Group& group,
             const Reporter& reporter);
  void touch_lane(const MemoryAccess& access, int lane, Group& group, const Reporter& reporter);
  bool touch_all(const MemoryAccess& access, Group& group, const Reporter& reporter);
  void order(const MemoryAccess& access, Group& group);

  std::shared_ptr<const AllocationTable> table_;
  std::vector<Shadow> shadows_;
  std::mutex order_mutex_;
  std::map<uint64_t, Groups> passed_;  ///< By address: the work-groups whose past an atomic there passes on.
};

}  // namespace mxproof::emulator
