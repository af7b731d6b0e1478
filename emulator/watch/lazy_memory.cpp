#include "emulator/watch/lazy_memory.hpp"

#include <sys/mman.h>

namespace mxproof::emulator {

LazyMemory::LazyMemory(uint64_t bytes, FirstUse first_use) {
  // A page that is read and then written is mapped twice, and the second time interrupts every other thread
  // of the process. Pages of a small shadow are therefore made at once; a big one may never be touched as a
  // whole.
  constexpr uint64_t kSmall = uint64_t{8} << 20;
  const bool populate = first_use == FirstUse::read && bytes <= kSmall;
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (populate ? MAP_POPULATE : 0), -1, 0);
  if (data == MAP_FAILED) return;
  data_ = data;
  bytes_ = bytes;
}

LazyMemory::~LazyMemory() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

}  // namespace mxproof::emulator
