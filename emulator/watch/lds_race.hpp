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
  void pass_barrier() { ++epoch_; }

  /// `is_late`: in flight since before the barrier.
  void access(const MemoryAccess& access, bool is_late, const Reporter& reporter);

 private:
  // Per dword of LDS: who was there in which epoch, byte by byte. Older epochs count as nobody.
  struct Word {
    uint32_t write_epoch = 0;
    uint32_t read_epoch = 0;
    uint32_t writers = 0;  ///< A byte each: wave + 1.
    uint64_t readers = 0;  ///< 16 bits each: a bit a wave.
    const Instruction* writer = nullptr;
    const Instruction* reader = nullptr;
    bool writer_is_late = false;
    bool reader_is_late = false;
    bool writer_is_atomic = false;
  };

  void touch(Word& word, uint32_t bytes, const MemoryAccess& access, int lane, bool is_late,
             const Reporter& reporter);
  void report(const MemoryAccess& access, int lane, bool is_late, const Instruction& other,
              bool other_is_late, bool other_wrote, const Reporter& reporter) const;

  std::vector<Word> words_;
  uint32_t epoch_ = 0;
  uint32_t waves_ = 0;
};

}  // namespace mxproof::emulator
