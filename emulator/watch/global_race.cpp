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
static_assert(GlobalRace::kGroupIds <= kId);

constexpr uint64_t kEach = 0x0001000100010001;  // one in each of a word's four states

enum class Use : uint8_t { read, write, atomic };

struct Step {
  State next = 0;
  bool is_race = false;
};

/// What `use` by work-group `me` makes of `state`; a race unless the other work-group comes before.
template <class IsEarlier>
Step step(State state, Use use, uint32_t me, bool knows_any, IsEarlier is_earlier) {
  const auto read_by_me = static_cast<State>(kReadBy | me);
  const auto written_by_me = static_cast<State>(kWrittenBy | me);
  const uint32_t other = state & kId;
  const bool is_mine = other == me;
  if (use == Use::read) {
    if (state == 0) return {read_by_me, false};
    if ((state & kKind) == kReadBy) return {is_mine ? state : kReadByMany, false};
    if (state == kReadByMany || state == written_by_me) return {state, false};
    if (state == kAtomic) return {state, !knows_any};
    return {state, !is_earlier(other)};
  }
  const State next = use == Use::write ? written_by_me : kAtomic;
  if (state == 0 || state == written_by_me || state == read_by_me) return {next, false};
  if (state == kAtomic) return {next, use == Use::write && !knows_any};
  if (state == kReadByMany) return {next, !knows_any};
  return {next, !is_earlier(other)};
}

Use use_of(const MemoryAccess& access) {
  if (access.operands->is_atomic || access.operands->is_coherent) return Use::atomic;
  return access.writes ? Use::write : Use::read;
}

}  // namespace

GlobalRace::GlobalRace(std::shared_ptr<const AllocationTable> table)
    : table_(std::move(table)), shadows_(table_->size()) {}

uint64_t* GlobalRace::states_of(size_t allocation) {
  Shadow& shadow = shadows_[allocation];
  std::call_once(shadow.made, [&] {
    shadow.states = LazyMemory(((*table_)[allocation].size / 4 + 2) * sizeof(uint64_t));
  });
  return shadow.states.as<uint64_t>();
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

void GlobalRace::touch(uint64_t* word, uint32_t bytes, const MemoryAccess& access, int lane, Group& group,
                       const Reporter& reporter) {
  const Use use = use_of(access);
  const std::atomic_ref<uint64_t> shared(*word);
  uint64_t old = shared.load(std::memory_order_relaxed);
  uint64_t next = 0;
  State raced = 0;
  do {
    next = old;
    raced = 0;
    for (uint32_t i = 0; i < 4; ++i) {
      if (((bytes >> i) & 1U) == 0) continue;
      const auto state = static_cast<State>(old >> (16 * i));
      const Step made = step(state, use, group.id, group.earlier != nullptr, [&](uint32_t other) {
        return group.earlier != nullptr && other < kGroupIds && group.earlier->test(other);
      });
      if (made.is_race) raced = state;
      next = (next & ~(uint64_t{0xffff} << (16 * i))) | uint64_t{made.next} << (16 * i);
    }
  } while (next != old && !shared.compare_exchange_weak(old, next, std::memory_order_relaxed));
  if (raced == 0) return;
  reporter.report(Watcher::global_race, *access.inst, access.wave, lane, access.address[lane], [&] {
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

void GlobalRace::touch_lane(const MemoryAccess& access, int lane, Group& group, const Reporter& reporter) {
  uint64_t at = access.address[lane];
  const Allocation* allocation = find_allocation(*table_, at);
  if (allocation == nullptr) return;  // the code image or the arguments: nobody stores there
  uint64_t* words = states_of(static_cast<size_t>(allocation - table_->data()));
  if (words == nullptr) return;
  const uint64_t first_word = allocation->base / 4;
  for (const uint64_t end = at + access.bytes; at < end;) {
    const auto part = static_cast<uint32_t>(std::min<uint64_t>(4 - at % 4, end - at));
    const uint32_t bytes = ((1U << part) - 1U) << (at % 4);
    touch(words + (at / 4 - first_word), bytes, access, lane, group, reporter);
    at += part;
  }
}

/// All lanes in one stretch of whole dwords: mostly nothing changes, and that is seen a word at a time.
bool GlobalRace::touch_all(const MemoryAccess& access, Group& group, const Reporter& reporter) {
  const uint64_t at = access.address[0];
  if (!access.consecutive || access.bytes % 4 != 0 || at % 4 != 0) return false;
  const Allocation* allocation = find_allocation(*table_, at);
  if (allocation == nullptr || !allocation->holds(at, uint64_t{kLanes} * access.bytes)) return false;
  uint64_t* words = states_of(static_cast<size_t>(allocation - table_->data()));
  if (words == nullptr) return false;
  words += at / 4 - allocation->base / 4;
  const uint64_t mine = kEach * static_cast<State>((access.writes ? kWrittenBy : kReadBy) | group.id);
  const uint64_t fine = access.writes ? mine : kEach * kReadByMany;
  const uint32_t per_lane = access.bytes / 4;
  for (uint32_t i = 0; i < kLanes * per_lane; ++i) {
    const uint64_t state = std::atomic_ref<uint64_t>(words[i]).load(std::memory_order_relaxed);
    if (state != mine && state != fine)
      touch(words + i, 0xf, access, static_cast<int>(i / per_lane), group, reporter);
  }
  return true;
}

void GlobalRace::access(const MemoryAccess& access, Group& group, const Reporter& reporter) {
  if (use_of(access) == Use::atomic) {
    order(access, group);
    if (!access.writes) return;  // a flag being polled
  } else if (touch_all(access, group, reporter)) {
    return;
  }
  for_each_lane(access.lanes, [&](int lane) { touch_lane(access, lane, group, reporter); });
}

}  // namespace mxproof::emulator
