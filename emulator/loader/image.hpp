// The memory that a code object is laid out in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/status.hpp"

namespace mxproof::emulator {

/// Zeroed pages of our own, page-aligned; big zero parts cost nothing until touched.
class Image {
 public:
  /// Errors: refused when the system has not that much memory.
  static Expected<Image> allocate(uint64_t bytes);

  Image(Image&& other) noexcept;
  Image& operator=(Image&& other) noexcept;
  ~Image();

  std::span<std::byte> bytes() const { return bytes_; }
  uint64_t address() const { return reinterpret_cast<uint64_t>(bytes_.data()); }

 private:
  explicit Image(std::span<std::byte> bytes) : bytes_(bytes) {}
  std::span<std::byte> bytes_;
};

}  // namespace mxproof::emulator
