// Which bytes of an allocation have ever been written: by copies, fills and kernels.
#pragma once

#include <atomic>
#include <cstdint>

#include "emulator/watch/lazy_memory.hpp"

namespace mxproof::emulator {

/// One byte a byte, 0 or 1. Work-groups of a launch may mark and ask at once: bytes only ever go from 0 to 1
/// there, and whose write comes first is the race watcher's business.
class WrittenBytes {
 public:
  /// For `size` bytes, none of them written.
  explicit WrittenBytes(uint64_t size) : flags_(size + sizeof(uint64_t), FirstUse::read), size_(size) {}

  void mark(uint64_t offset, uint64_t bytes);
  /// Marks [offset, offset + bytes) as [from, from + bytes) of `source` is: a copy.
  void mark_as(uint64_t offset, const WrittenBytes& source, uint64_t from, uint64_t bytes);
  /// Bytes [offset, offset + bytes) are unwritten again.
  void forget(uint64_t offset, uint64_t bytes);

  bool is_whole() const { return is_whole_.load(std::memory_order_relaxed); }
  bool has(uint64_t offset, uint64_t bytes) const {
    if (is_whole()) return true;
    uint64_t i = 0;
    if (offset % sizeof(uint64_t) == 0) {
      for (; i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t)) {
        const std::atomic_ref<uint64_t> eight(flags_.as<uint64_t>()[(offset + i) / sizeof(uint64_t)]);
        if (eight.load(std::memory_order_relaxed) != 0x0101010101010101U) return false;
      }
    }
    for (; i < bytes; ++i) {
      if (flag(offset + i).load(std::memory_order_relaxed) == 0) return false;
    }
    return true;
  }

 private:
  std::atomic_ref<uint8_t> flag(uint64_t offset) const {
    return std::atomic_ref<uint8_t>(flags_.as<uint8_t>()[offset]);
  }

  LazyMemory flags_;
  uint64_t size_;
  std::atomic<bool> is_whole_ = false;  ///< All of it at once: the usual case, and nothing to look up.
};

}  // namespace mxproof::emulator
