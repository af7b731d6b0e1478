#include "emulator/watch/lds_race.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mxproof::emulator {
namespace {

constexpr uint32_t kMostEpochs = 0xffff;
constexpr uint32_t kSplit = 0xff;  ///< In Word::write: the dword has states for its bytes.
constexpr uint32_t kAllBytes = 0xf;
// Word::writer and reader.
constexpr uint32_t kLate = 1U << 31;  ///< In flight since before the last barrier.
constexpr uint32_t kAtomic = 1U << 30;
constexpr uint32_t kNumber = kAtomic - 1;

/// A copy of `value` (8 bits) in each byte that `bytes` has.
constexpr uint32_t spread_bytes(uint32_t value, uint32_t bytes) {
  const uint32_t ones = (bytes & 1U) | (bytes & 2U) << 7 | (bytes & 4U) << 14 | (bytes & 8U) << 21;
  return ones * value;
}
/// The same in 16-bit fields.
constexpr uint64_t spread_halves(uint64_t value, uint32_t bytes) {
  const uint64_t ones =
      (bytes & 1U) | uint64_t{bytes & 2U} << 15 | uint64_t{bytes & 4U} << 30 | uint64_t{bytes & 8U} << 45;
  return ones * value;
}

/// Whether any byte of `writers` names another wave than `mine`.
constexpr bool has_other(uint32_t writers, uint32_t mine) {
  for (; writers != 0; writers >>= 8) {
    const uint32_t wave = writers & 0xffU;
    if (wave != 0 && wave != mine) return true;
  }
  return false;
}

}  // namespace

void LdsRace::start_epoch() {
  if (++epoch_ <= kMostEpochs) return;
  std::ranges::fill(words_, Word{});
  epoch_ = 1;
}

void LdsRace::begin_group(size_t lds_bytes, uint32_t waves) {
  const size_t words = lds_bytes / 4 + 1;
  if (words_.size() < words) {
    words_.resize(words);
    bytes_.clear();
  }
  start_epoch();
  waves_ = waves;
}

void LdsRace::report(const Visit& visit, int lane, uint32_t other, bool other_wrote) const {
  const MemoryAccess& access = *visit.access;
  visit.reporter->report(Watcher::lds_race, *access.inst, access.wave, lane, access.address[lane], [&] {
    const bool other_is_late = (other & kLate) != 0;
    const char* remedy = other_is_late || (visit.who & kLate) != 0
                             ? "a wave must wait for its accesses (s_waitcnt) before the s_barrier"
                             : "an s_barrier (__syncthreads) must come between";
    return fmt::format("{} LDS bytes that {} of another wave {}{}: {}", access.writes ? "writes" : "reads",
                       visit.reporter->name_of(*known_[other & kNumber]), other_wrote ? "writes" : "reads",
                       other_is_late ? " since before the last barrier" : "", remedy);
  });
}

/// A whole dword is read.
inline void LdsRace::read(const Visit& visit, int lane, size_t word) {
  Word& seen = words_[word];
  if (seen.write >> 8 == epoch_ && seen.write != visit.mine) {
    if ((seen.write & 0xffU) == kSplit) return touch_bytes(visit, lane, word, kAllBytes);
    report(visit, lane, seen.writer, true);
  }
  if (seen.read >> 16 == epoch_) {
    seen.read |= visit.my_bit;
  } else {
    seen.read = epoch_ << 16 | visit.my_bit;
    seen.reader = visit.who;
  }
}

/// A whole dword is written, and perhaps read: an atomic.
inline void LdsRace::write(const Visit& visit, int lane, size_t word) {
  Word& seen = words_[word];
  if (seen.write >> 8 == epoch_ && seen.write != visit.mine) {
    if ((seen.write & 0xffU) == kSplit) return touch_bytes(visit, lane, word, kAllBytes);
    if ((seen.writer & visit.who & kAtomic) == 0) report(visit, lane, seen.writer, true);
  }
  if (seen.read >> 16 == epoch_ && (seen.read & 0xffffU & ~visit.my_bit) != 0)
    report(visit, lane, seen.reader, false);
  seen.write = visit.mine;
  seen.writer = visit.who;
}

/// Part of a dword, or a dword of which a part was accessed before in this epoch.
void LdsRace::touch_bytes(const Visit& visit, int lane, size_t word, uint32_t bytes) {
  const MemoryAccess& access = *visit.access;
  if (bytes_.empty()) bytes_.resize(words_.size());
  Word& seen = words_[word];
  Bytes& each = bytes_[word];
  const bool is_written = seen.write >> 8 == epoch_;
  if (!is_written || (seen.write & 0xffU) != kSplit) {
    each.writers = is_written ? spread_bytes(seen.write & 0xffU, kAllBytes) : 0;
    each.readers = seen.read >> 16 == epoch_ ? spread_halves(seen.read & 0xffffU, kAllBytes) : 0;
    seen.write = epoch_ << 8 | kSplit;
  }
  const uint32_t mine = access.wave + 1;
  if (has_other(each.writers & spread_bytes(0xff, bytes), mine) && (seen.writer & visit.who & kAtomic) == 0)
    report(visit, lane, seen.writer, true);
  const uint64_t my_bits = spread_halves(visit.my_bit, bytes);
  if (access.writes) {
    if ((each.readers & spread_halves(0xffff, bytes) & ~my_bits) != 0)
      report(visit, lane, seen.reader, false);
    each.writers = (each.writers & ~spread_bytes(0xff, bytes)) | spread_bytes(mine, bytes);
    seen.writer = visit.who;
  } else if ((each.readers & my_bits) != my_bits) {
    each.readers |= my_bits;
    seen.reader = visit.who;
  }
}

uint32_t LdsRace::number_of(const Instruction& inst) {
  if (inst.index >= known_.size()) known_.resize(inst.index + 1);
  known_[inst.index] = &inst;
  return inst.index;
}

void LdsRace::access(const MemoryAccess& access, bool is_late, const Reporter& reporter) {
  if (waves_ < 2) return;
  const uint32_t who =
      number_of(*access.inst) | (is_late ? kLate : 0U) | (access.operands->is_atomic ? kAtomic : 0U);
  const Visit visit = {&access, &reporter, who, epoch_ << 8 | (access.wave + 1), 1U << access.wave};
  for_each_lane(access.lanes, [&](int lane) {
    const uint64_t begin = access.address[lane];
    const uint64_t end = begin + access.bytes;
    if (begin % 4 != 0 || access.bytes % 4 != 0) {
      for (uint64_t at = begin; at < end; ++at) touch_bytes(visit, lane, at / 4, 1U << (at % 4));
    } else if (access.writes) {
      for (uint64_t word = begin / 4; word < end / 4; ++word) write(visit, lane, word);
    } else {
      for (uint64_t word = begin / 4; word < end / 4; ++word) read(visit, lane, word);
    }
  });
}

}  // namespace mxproof::emulator
