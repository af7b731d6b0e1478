// Zeroed memory that costs nothing until it is touched: shadows of big allocations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace mxproof::emulator {

/// How the owner first touches a page.
enum class FirstUse : uint8_t { read, write };

class LazyMemory {
 public:
  LazyMemory() = default;
  /// `bytes` of zeros; empty when the host has no address space for them.
  LazyMemory(uint64_t bytes, FirstUse first_use);
  ~LazyMemory();
  LazyMemory(LazyMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  LazyMemory& operator=(LazyMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  uint64_t bytes() const { return bytes_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace mxproof::emulator
