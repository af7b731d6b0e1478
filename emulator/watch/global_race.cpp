#include "emulator/watch/global_race.hpp"

#include <fmt/format.h>

#include <atomic>

namespace mxproof::emulator {
namespace {

// A byte's state: who has accessed it in this launch.
//   0                 nobody
//   kReadBy | id      one work-group read it
//   kReadByMany       several did
//   kWrittenBy | id   one work-group stored to it, and perhaps read it
//   kAtomic           atomics changed it
using State = uint16_t;
constexpr State kReadBy = 1U << 14;
constexpr State kReadByMany = 2U << 14;
constexpr State kWrittenBy = 3U << 14;
constexpr State kKind = 3U << 14;
constexpr State kId = 0x3fff;
constexpr State kAtomic = kWrittenBy | kId;
constexpr State kSplit = kReadByMany | kId;  ///< Of a granule: its bytes have states of their own.
static_assert(GlobalRace::kGroupIds <= kId);

constexpr uint64_t kEach = 0x0001000100010001;  // one in each of a word's four states
constexpr uint32_t kPair = 0x00010001;          // one in each of two states
constexpr uint64_t kGranule = 8;

enum class Use : uint8_t { read, write, atomic };

struct Step {
  State next = 0;
  bool is_race = false;
};

/// What `use` by a work-group makes of `state`; a race unless the other work-group comes before.
Step step(State state, Use use, const GlobalRace::Group& group) {
  const auto read_by_me = static_cast<State>(kReadBy | group.id);
  const auto written_by_me = static_cast<State>(kWrittenBy | group.id);
  const bool knows_any = group.earlier != nullptr;
  const uint32_t other = state & kId;
  const bool is_earlier = knows_any && other < GlobalRace::kGroupIds && group.earlier->test(other);
  if (use == Use::read) {
    if (state == 0) return {read_by_me, false};
    if ((state & kKind) == kReadBy) return {state == read_by_me ? state : kReadByMany, false};
    if (state == kReadByMany || state == written_by_me) return {state, false};
    if (state == kAtomic) return {state, !knows_any};
    return {state, !is_earlier};
  }
  const State next = use == Use::write ? written_by_me : kAtomic;
  if (state == 0 || state == written_by_me || state == read_by_me) return {next, false};
  if (state == kAtomic) return {next, use == Use::write && !knows_any};
  if (state == kReadByMany) return {next, !knows_any};
  return {next, !is_earlier};
}

Use use_of(const MemoryAccess& access) {
  if (access.operands->is_atomic || access.operands->is_coherent) return Use::atomic;
  return access.writes ? Use::write : Use::read;
}

}  // namespace

GlobalRace::GlobalRace(std::shared_ptr<const AllocationTable> table)
    : table_(std::move(table)), shadows_(table_->size()) {}

GlobalRace::Shadow& GlobalRace::shadow_of(const Allocation& allocation) {
  Shadow& shadow = shadows_[static_cast<size_t>(&allocation - table_->data())];
  std::call_once(shadow.made, [&] {
    const uint64_t granules = allocation.size / kGranule + 2;
    shadow.granules = LazyMemory(granules * sizeof(State), FirstUse::read);
    shadow.bytes = LazyMemory(granules * kGranule * sizeof(State), FirstUse::write);
  });
  return shadow;
}

/// Everyone who had done an atomic on these addresses before comes before `group` from now on.
void GlobalRace::order(const MemoryAccess& access, Group& group) {
  const std::scoped_lock lock(order_mutex_);
  if (group.earlier == nullptr) group.earlier = std::make_unique<Groups>();
  for_each_lane(access.lanes, [&](int lane) {
    Groups& passed = passed_[access.address[lane]];
    *group.earlier |= passed;
    passed |= *group.earlier;
    passed.set(group.id);
  });
}

void GlobalRace::report(const Visit& visit, int lane, State raced) const {
  const MemoryAccess& access = *visit.access;
  const int reported = access.is_scalar ? -1 : lane;
  visit.reporter->report(
      Watcher::global_race, *access.inst, access.wave, reported, access.address[lane], [&] {
        const Use use = use_of(access);
        std::string other = "several work-groups read";
        if (raced == kAtomic) {
          other = "other work-groups change with atomics";
        } else if (raced != kReadByMany) {
          other = fmt::format("work-group {} (in order of x, y, z) {}", raced & kId,
                              (raced & kKind) == kReadBy ? "reads" : "writes");
        }
        return fmt::format("{} bytes that {} in the same launch: nothing orders work-groups but atomics",
                           use == Use::read    ? "reads"
                           : use == Use::write ? "writes"
                                               : "changes with an atomic",
                           other);
      });
}

/// Four bytes' states, those in `bytes`.
void GlobalRace::touch_bytes(const Visit& visit, int lane, uint64_t* half, uint32_t bytes) {
  const Use use = use_of(*visit.access);
  const std::atomic_ref<uint64_t> shared(*half);
  uint64_t old = shared.load(std::memory_order_relaxed);
  uint64_t next = 0;
  State raced = 0;
  do {
    next = old;
    raced = 0;
    for (uint32_t i = 0; i < 4; ++i) {
      if (((bytes >> i) & 1U) == 0) continue;
      const auto state = static_cast<State>(old >> (16 * i));
      const Step made = step(state, use, *visit.group);
      if (made.is_race) raced = state;
      next = (next & ~(uint64_t{0xffff} << (16 * i))) | uint64_t{made.next} << (16 * i);
    }
  } while (next != old && !shared.compare_exchange_weak(old, next, std::memory_order_relaxed));
  if (raced != 0) report(visit, lane, raced);
}

/// The granule's bytes get its state, each for itself.
void GlobalRace::split(Shadow& shadow, uint64_t granule) {
  const std::atomic_ref<State> shared(*shadow.granule(granule));
  if (shared.load(std::memory_order_acquire) == kSplit) return;
  const std::scoped_lock lock(shadow.split[granule % shadow.split.size()]);
  State old = shared.load(std::memory_order_acquire);
  while (old != kSplit) {
    // Nobody looks at the bytes before the granule says that it is split.
    for (uint64_t half = 2 * granule; half < 2 * granule + 2; ++half) {
      std::atomic_ref<uint64_t>(*shadow.half(half)).store(kEach * old, std::memory_order_relaxed);
    }
    if (shared.compare_exchange_weak(old, kSplit, std::memory_order_acq_rel)) return;
  }
}

[[gnu::noinline]] void GlobalRace::touch_granule(const Visit& visit, int lane, Shadow& shadow,
                                                 uint64_t granule) {
  const Use use = use_of(*visit.access);
  const std::atomic_ref<State> shared(*shadow.granule(granule));
  State old = shared.load(std::memory_order_acquire);
  for (;;) {
    if (old == kSplit) {
      touch_bytes(visit, lane, shadow.half(2 * granule), 0xf);
      touch_bytes(visit, lane, shadow.half(2 * granule + 1), 0xf);
      return;
    }
    const Step made = step(old, use, *visit.group);
    const State before = old;
    if (made.next == old || shared.compare_exchange_weak(old, made.next, std::memory_order_acq_rel)) {
      if (made.is_race) report(visit, lane, before);
      return;
    }
  }
}

/// Two granules at once, the first of them even, if both are in one state and need no word to be said.
bool GlobalRace::touch_pair(const Visit& visit, Shadow& shadow, uint64_t granule) {
  const std::atomic_ref<uint32_t> shared(*shadow.pair(granule / 2));
  uint32_t old = shared.load(std::memory_order_acquire);
  const auto state = static_cast<State>(old);
  if (old != kPair * state || state == kSplit) return false;
  const Step made = step(state, use_of(*visit.access), *visit.group);
  if (made.is_race) return false;
  return made.next == state ||
         shared.compare_exchange_strong(old, kPair * made.next, std::memory_order_acq_rel);
}

inline void GlobalRace::visit_lane(const Visit& visit, int lane, const Allocation& allocation,
                                   Shadow& shadow) {
  uint64_t at = visit.access->address[lane];
  const uint64_t first = allocation.base / kGranule;
  const uint64_t end = at + visit.access->bytes;
  if (at % kGranule == 0 && end % kGranule == 0) {
    for (; at < end; at += kGranule) {
      const uint64_t granule = at / kGranule - first;
      if (granule % 2 == 0 && end - at >= 2 * kGranule) {
        const uint32_t states =
            std::atomic_ref<uint32_t>(*shadow.pair(granule / 2)).load(std::memory_order_relaxed);
        if (states == kPair * visit.mine || states == kPair * visit.fine ||
            touch_pair(visit, shadow, granule)) {
          at += kGranule;
          continue;
        }
      }
      const State state = std::atomic_ref<State>(*shadow.granule(granule)).load(std::memory_order_relaxed);
      if (state != visit.mine && state != visit.fine) touch_granule(visit, lane, shadow, granule);
    }
    return;
  }
  while (at < end) {
    const auto part = static_cast<uint32_t>(std::min<uint64_t>(4 - at % 4, end - at));
    const uint64_t granule = at / kGranule - first;
    const State state = std::atomic_ref<State>(*shadow.granule(granule)).load(std::memory_order_relaxed);
    if (state != visit.mine && state != visit.fine) {
      split(shadow, granule);
      touch_bytes(visit, lane, shadow.half(2 * granule + at % kGranule / 4), ((1U << part) - 1U) << (at % 4));
    }
    at += part;
  }
}

void GlobalRace::access(const MemoryAccess& access, Group& group, const Reporter& reporter) {
  const Use use = use_of(access);
  if (use == Use::atomic) {
    order(access, group);
    if (!access.writes) return;  // a flag being polled
  }
  const auto mine = static_cast<State>((use == Use::read ? kReadBy : kWrittenBy) | group.id);
  const State left = use == Use::atomic ? kAtomic : mine;
  const Visit visit = {&access, &group, &reporter, left, use == Use::read ? kReadByMany : left};
  const Allocation* allocation = nullptr;
  Shadow* shadow = nullptr;
  for_each_lane(access.lanes, [&](int lane) {
    if (allocation == nullptr || !allocation->holds(access.address[lane], access.bytes)) {
      allocation = find_allocation(*table_, access.address[lane]);
      // The code image and the arguments are in no allocation: nobody stores there.
      shadow = allocation == nullptr ? nullptr : &shadow_of(*allocation);
    }
    if (shadow != nullptr && shadow->granules.bytes() != 0 && shadow->bytes.bytes() != 0)
      visit_lane(visit, lane, *allocation, *shadow);
  });
}

}  // namespace mxproof::emulator
