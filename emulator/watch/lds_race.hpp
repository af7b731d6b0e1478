// Watcher `lds-race`: two waves of a work-group at the same LDS bytes, at least one of them writing, without
// an s_barrier between. An access that its wave has not waited for when it comes to the barrier is not over:
// it counts again beyond.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/watch/memory_access.hpp"
#include "emulator/watch/reporter.hpp"

namespace mxproof::emulator {

/// One work-group's LDS. Atomics do not race with each other.
class LdsRace {
 public:
  void begin_group(size_t lds_bytes, uint32_t waves);
  /// Everything before is ordered before everything after.
  void pass_barrier() { start_epoch(); }

  /// `is_late`: in flight since before the barrier.
  void access(const MemoryAccess& access, bool is_late, const Reporter& reporter);

 private:
  // Per dword of LDS: who was there in which epoch. Older epochs count as nobody.
  struct Word {
    uint32_t write = 0;   ///< Epoch, and below it wave + 1 or kSplit.
    uint32_t read = 0;    ///< Epoch, and below it a bit a wave.
    uint32_t writer = 0;  ///< The instruction that last wrote: its number in `known_`, and flags.
    uint32_t reader = 0;  ///< The first one to read in this epoch.
  };
  /// The same byte by byte, for dwords that were accessed in parts in this epoch.
  struct Bytes {
    uint32_t writers = 0;  ///< A byte each: wave + 1.
    uint64_t readers = 0;  ///< 16 bits each: a bit a wave.
  };
  struct Visit {
    const MemoryAccess* access;
    const Reporter* reporter;
    uint32_t who;     ///< The instruction's number in `known_`, and flags.
    uint32_t mine;    ///< What its stores leave in Word::write.
    uint32_t my_bit;  ///< Of its wave.
  };

  void start_epoch();
  uint32_t number_of(const Instruction& inst);
  void read(const Visit& visit, int lane, size_t word);
  void write(const Visit& visit, int lane, size_t word);
  void touch_bytes(const Visit& visit, int lane, size_t word, uint32_t bytes);
  void report(const Visit& visit, int lane, uint32_t other, bool other_wrote) const;

  std::vector<Word> words_;
  std::vector<const Instruction*> known_;  ///< Instructions by Instruction::index.
  std::vector<Bytes> bytes_;               ///< Empty until the first access to part of a dword.
  uint32_t epoch_ = 0;                     ///< 1 to kMostEpochs.
  uint32_t waves_ = 0;
};

}  // namespace mxproof::emulator
