#include "emulator/watch/written_bytes.hpp"

namespace mxproof::emulator {

void WrittenBytes::mark(uint64_t offset, uint64_t bytes) {
  if (is_whole()) return;
  if (offset == 0 && bytes == size_) {
    is_whole_.store(true, std::memory_order_relaxed);
    return;
  }
  for (uint64_t i = 0; i < bytes; ++i) flag(offset + i).store(1, std::memory_order_relaxed);
}

void WrittenBytes::mark_as(uint64_t offset, const WrittenBytes& source, uint64_t from, uint64_t bytes) {
  if (source.is_whole()) {
    mark(offset, bytes);
    return;
  }
  if (is_whole()) forget(0, 0);
  for (uint64_t i = 0; i < bytes; ++i) {
    flag(offset + i).store(source.flag(from + i).load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
}

void WrittenBytes::forget(uint64_t offset, uint64_t bytes) {
  if (is_whole()) {
    is_whole_.store(false, std::memory_order_relaxed);
    for (uint64_t i = 0; i < size_; ++i) flag(i).store(1, std::memory_order_relaxed);
  }
  for (uint64_t i = 0; i < bytes; ++i) flag(offset + i).store(0, std::memory_order_relaxed);
}

}  // namespace mxproof::emulator
