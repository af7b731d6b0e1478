// Device memory that frees itself and never starts out clean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/layout/layout_tag.hpp"
#include "common/status.hpp"
#include "optimized/operand.hpp"
#include "optimized/platform/runtime.hpp"

namespace mxproof {

/// Byte written over fresh device memory. As e8m0 it is NaN, as bf16 and f32 (0xffff, 0xffffffff) it is NaN
/// too, so that whatever is used without having been written shows in the result.
inline constexpr uint8_t kPoison = 0xff;

class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~DeviceBuffer();

  /// `bytes` bytes of device memory full of `fill`. Zero bytes give an empty buffer.
  static Expected<DeviceBuffer> make(int64_t bytes, uint8_t fill = kPoison);

  /// A buffer holding a copy of `source`.
  template <class T>
  static Expected<DeviceBuffer> copy_of(std::span<const T> source) {
    auto buffer = make(static_cast<int64_t>(source.size_bytes()));
    if (!buffer) return buffer;
    if (Status s = buffer->write(std::as_bytes(source)); !s) return s;
    return buffer;
  }
  template <class T>
  static Expected<DeviceBuffer> copy_of(const std::vector<T>& source) {
    return copy_of(std::span<const T>(source));
  }

  /// Fills all of it with `value`, synchronously.
  Status fill(uint8_t value = kPoison);
  /// Host to device and back; `offset` in bytes. Refuses to leave the buffer. Both wait for the default
  /// stream.
  Status write(std::span<const std::byte> source, int64_t offset = 0);
  Status read(std::span<std::byte> target, int64_t offset = 0) const;

  /// The whole buffer as elements of T on the host.
  template <class T>
  Expected<std::vector<T>> read_all() const {
    std::vector<T> host(static_cast<size_t>(bytes_) / sizeof(T));
    if (Status s = read(std::as_writable_bytes(std::span<T>(host))); !s) return s;
    return host;
  }

  template <class T = uint8_t>
  T* as() const {
    return static_cast<T*>(data_);
  }
  int64_t bytes() const { return bytes_; }
  Operand operand(LayoutTag layout) const { return {data_, bytes_, layout}; }

 private:
  void* data_ = nullptr;
  int64_t bytes_ = 0;
};

}  // namespace mxproof
