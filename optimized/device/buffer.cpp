#include "optimized/device/buffer.hpp"

#include <fmt/format.h>

#include "optimized/device/check.hpp"

namespace mxproof {

DeviceBuffer::~DeviceBuffer() {
  // Nothing can be done about a failing free here; the next call on the device reports what is wrong with it.
  if (data_ != nullptr) (void)hipFree(data_);
}

Expected<DeviceBuffer> DeviceBuffer::make(int64_t bytes, uint8_t fill) {
  if (bytes < 0) return Status::internal(fmt::format("a device buffer of {} bytes was asked for", bytes));
  DeviceBuffer buffer;
  if (bytes == 0) return buffer;
  MXPROOF_RETURN_IF_ERROR(hip_status(hipMalloc(&buffer.data_, static_cast<size_t>(bytes)),
                                     fmt::format("hipMalloc of {} bytes", bytes)));
  buffer.bytes_ = bytes;
  MXPROOF_RETURN_IF_ERROR(buffer.fill(fill));
  return buffer;
}

Status DeviceBuffer::fill(uint8_t value) {
  if (bytes_ == 0) return {};
  MXPROOF_RETURN_IF_ERROR(hip_status(hipMemset(data_, value, static_cast<size_t>(bytes_)), "hipMemset"));
  return hip_status(hipStreamSynchronize(nullptr), "hipStreamSynchronize");
}

Status DeviceBuffer::write(std::span<const std::byte> source, int64_t offset) {
  const auto size = static_cast<int64_t>(source.size());
  if (offset < 0 || size > bytes_ - offset) {
    return Status::internal(fmt::format("a write of {} bytes at {} does not fit into a device buffer of {}",
                                        size, offset, bytes_));
  }
  if (size == 0) return {};
  return hip_status(hipMemcpy(as<uint8_t>() + offset, source.data(), source.size(), hipMemcpyHostToDevice),
                    "hipMemcpy to the device");
}

Status DeviceBuffer::read(std::span<std::byte> target, int64_t offset) const {
  const auto size = static_cast<int64_t>(target.size());
  if (offset < 0 || size > bytes_ - offset) {
    return Status::internal(
        fmt::format("a read of {} bytes at {} leaves a device buffer of {}", size, offset, bytes_));
  }
  if (size == 0) return {};
  return hip_status(hipMemcpy(target.data(), as<uint8_t>() + offset, target.size(), hipMemcpyDeviceToHost),
                    "hipMemcpy from the device");
}

}  // namespace mxproof
