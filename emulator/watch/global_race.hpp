// Watcher `global-race`: work-groups of one launch at the same bytes of global memory, at least one of them
// storing. Nothing orders work-groups but atomics (and accesses marked sc1): a work-group that has done an
// atomic on an address comes after those that had done one there before it.
#pragma once

#include <array>
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
  using State = uint16_t;
  // A granule of 8 bytes has one state as long as all of its bytes are accessed together; from then on each
  // byte has one.
  struct Shadow {
    std::once_flag made;
    std::array<std::mutex, 64> split;  ///< By granule: held while it gets states for its bytes.
    LazyMemory granules;               ///< A state each.
    LazyMemory bytes;                  ///< A state a byte; four of them are read and changed as one word.
    State* granule(uint64_t number) const { return granules.as<State>() + number; }
    uint32_t* pair(uint64_t number) const { return granules.as<uint32_t>() + number; }
    uint64_t* half(uint64_t number) const { return bytes.as<uint64_t>() + number; }
  };
  /// An access by a work-group, while its lanes are looked at.
  struct Visit {
    const MemoryAccess* access;
    Group* group;
    const Reporter* reporter;
    State mine;  ///< What this work-group's accesses of this kind leave.
    State fine;  ///< Another state that it changes nothing about.
  };

  Shadow& shadow_of(const Allocation& allocation);
  void visit_lane(const Visit& visit, int lane, const Allocation& allocation, Shadow& shadow);
  bool touch_pair(const Visit& visit, Shadow& shadow, uint64_t granule);
  void touch_granule(const Visit& visit, int lane, Shadow& shadow, uint64_t granule);
  void touch_bytes(const Visit& visit, int lane, uint64_t* half, uint32_t bytes);
  void split(Shadow& shadow, uint64_t granule);
  void report(const Visit& visit, int lane, State raced) const;
  void order(const MemoryAccess& access, Group& group);

  std::shared_ptr<const AllocationTable> table_;
  std::vector<Shadow> shadows_;
  std::mutex order_mutex_;
  std::map<uint64_t, Groups> passed_;  ///< By address: the work-groups whose past an atomic there passes on.
};

}  // namespace mxproof::emulator
