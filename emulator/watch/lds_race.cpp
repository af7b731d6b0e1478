#include "emulator/watch/lds_race.hpp"

#include <fmt/format.h>

namespace mxproof::emulator {
namespace {

constexpr uint32_t kAllBytes = 0xf;

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

void LdsRace::begin_group(size_t lds_bytes, uint32_t waves) {
  if (words_.size() < lds_bytes / 4 + 1) words_.resize(lds_bytes / 4 + 1);
  ++epoch_;
  waves_ = waves;
}

void LdsRace::report(const MemoryAccess& access, int lane, bool is_late, const Instruction& other,
                     bool other_is_late, bool other_wrote, const Reporter& reporter) const {
  reporter.report(Watcher::lds_race, *access.inst, access.wave, lane, access.address[lane], [&] {
    const char* remedy = is_late || other_is_late
                             ? "a wave must wait for its accesses (s_waitcnt) before the s_barrier"
                             : "an s_barrier (__syncthreads) must come between";
    return fmt::format("{} LDS bytes that {} of another wave {}{}: {}", access.writes ? "writes" : "reads",
                       reporter.name_of(other), other_wrote ? "writes" : "reads",
                       other_is_late ? " since before the last barrier" : "", remedy);
  });
}

void LdsRace::touch(Word& word, uint32_t bytes, const MemoryAccess& access, int lane, bool is_late,
                    const Reporter& reporter) {
  const uint32_t mine = access.wave + 1;
  const bool is_atomic = access.operands->is_atomic;
  if (word.write_epoch == epoch_) {
    const uint32_t writers = word.writers & spread_bytes(0xff, bytes);
    if (has_other(writers, mine) && !(is_atomic && word.writer_is_atomic))
      report(access, lane, is_late, *word.writer, word.writer_is_late, true, reporter);
  }
  const uint64_t my_bit = spread_halves(uint64_t{1} << access.wave, bytes);
  if (access.writes) {
    if (word.read_epoch == epoch_) {
      const uint64_t others = word.readers & spread_halves(0xffff, bytes) & ~my_bit;
      if (others != 0) report(access, lane, is_late, *word.reader, word.reader_is_late, false, reporter);
    }
    if (word.write_epoch != epoch_) {
      word.write_epoch = epoch_;
      word.writers = 0;
    }
    word.writers = (word.writers & ~spread_bytes(0xff, bytes)) | spread_bytes(mine, bytes);
    word.writer = access.inst;
    word.writer_is_late = is_late;
    word.writer_is_atomic = is_atomic;
  }
  if (!access.reads || is_atomic) return;
  if (word.read_epoch != epoch_) {
    word.read_epoch = epoch_;
    word.readers = 0;
  }
  if ((word.readers & my_bit) == my_bit) return;
  word.readers |= my_bit;
  word.reader = access.inst;
  word.reader_is_late = is_late;
}

void LdsRace::access(const MemoryAccess& access, bool is_late, const Reporter& reporter) {
  if (waves_ < 2) return;
  for_each_lane(access.lanes, [&](int lane) {
    const uint64_t begin = access.address[lane];
    const uint64_t end = begin + access.bytes;
    if (begin % 4 == 0 && access.bytes % 4 == 0) {
      for (uint64_t at = begin; at < end; at += 4)
        touch(words_[at / 4], kAllBytes, access, lane, is_late, reporter);
      return;
    }
    for (uint64_t at = begin; at < end; ++at)
      touch(words_[at / 4], 1U << (at % 4), access, lane, is_late, reporter);
  });
}

}  // namespace mxproof::emulator
