#include "emulator/loader/image.hpp"

#include <sys/mman.h>

#include <cassert>
#include <utility>

#include <fmt/format.h>

namespace mxproof::emulator {

Expected<Image> Image::allocate(uint64_t bytes) {
  assert(bytes > 0);
  void* pages =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) {
    return Status::refused(fmt::format("code object: no memory for {} bytes of segments", bytes));
  }
  return Image({static_cast<std::byte*>(pages), bytes});
}

Image::Image(Image&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

Image& Image::operator=(Image&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

Image::~Image() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

}  // namespace mxproof::emulator
