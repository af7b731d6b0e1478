#include "emulator/watch/lazy_memory.hpp"

#include <sys/mman.h>

namespace mxproof::emulator {

LazyMemory::LazyMemory(uint64_t bytes) {
  void* data =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) return;
  data_ = data;
  bytes_ = bytes;
}

LazyMemory::~LazyMemory() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

}  // namespace mxproof::emulator
