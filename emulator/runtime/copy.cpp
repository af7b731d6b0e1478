#include "emulator/runtime/copy.hpp"

#include <cstring>
#include <optional>

#include <fmt/format.h>

namespace mxproof::emulator {
namespace {

// How far a box reaches from its first byte to its last; nothing when that overflows.
std::optional<size_t> reach(size_t width, size_t height, size_t depth, size_t pitch, size_t slice) {
  size_t rows = 0;
  size_t slices = 0;
  size_t total = 0;
  if (__builtin_mul_overflow(height - 1, pitch, &rows) || __builtin_mul_overflow(depth - 1, slice, &slices) ||
      __builtin_add_overflow(rows, slices, &total) || __builtin_add_overflow(total, width, &total)) {
    return std::nullopt;
  }
  return total;
}

Outcome check_side(const char* side, const void* base, size_t bytes, bool must_be_known,
                   const DeviceMemory& memory) {
  if (base == nullptr) return invalid(fmt::format("the {} is a null pointer", side));
  const Block* block = memory.find(base);
  if (block == nullptr) {
    if (!must_be_known) return {};
    return invalid(fmt::format("the {} {} is not device memory", side, base));
  }
  const uint64_t offset = reinterpret_cast<uint64_t>(base) - block->base;
  if (bytes > block->size - offset) {
    return invalid(fmt::format("the {} takes {} bytes from byte {} of an allocation of {}", side, bytes,
                               offset, block->size));
  }
  return {};
}

Outcome check_pitch(size_t width, size_t height, size_t depth, size_t pitch, size_t slice) {
  if (height > 1 && pitch < width) {
    return {hipErrorInvalidPitchValue, fmt::format("rows of {} bytes are only {} apart", width, pitch)};
  }
  if (depth > 1 && slice < pitch * height) {
    return {hipErrorInvalidPitchValue,
            fmt::format("slices of {} rows are only {} bytes apart", height, slice)};
  }
  return {};
}

template <class T>
void fill_row(std::byte* row, T value, size_t width) {
  for (size_t i = 0; i < width; ++i) std::memcpy(row + i * sizeof(T), &value, sizeof(T));
}

}  // namespace

CopyWork CopyWork::linear(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  return {.to = {.base = to}, .from = {.base = const_cast<void*>(from)}, .width = bytes, .kind = kind};
}

Outcome check(const CopyWork& work, const DeviceMemory& memory) {
  if (work.width == 0 || work.height == 0 || work.depth == 0) return {};
  if (work.kind < hipMemcpyHostToHost || work.kind > hipMemcpyDefault) {
    return {hipErrorInvalidMemcpyDirection,
            fmt::format("{} is no copy direction", static_cast<int>(work.kind))};
  }
  const bool to_device = work.kind == hipMemcpyHostToDevice || work.kind == hipMemcpyDeviceToDevice;
  const bool from_device = work.kind == hipMemcpyDeviceToHost || work.kind == hipMemcpyDeviceToDevice;
  const auto check_box = [&](const char* name, const CopySide& side, bool must_be_known) -> Outcome {
    MXPROOF_RETURN_IF_NOT_OK(check_pitch(work.width, work.height, work.depth, side.pitch, side.slice));
    const auto bytes = reach(work.width, work.height, work.depth, side.pitch, side.slice);
    if (!bytes) return invalid("the extent overflows");
    return check_side(name, side.base, *bytes, must_be_known, memory);
  };
  MXPROOF_RETURN_IF_NOT_OK(check_box("destination", work.to, to_device));
  return check_box("source", work.from, from_device);
}

Outcome run(const CopyWork& work, const DeviceMemory& memory) {
  MXPROOF_RETURN_IF_NOT_OK(check(work, memory));
  if (work.width == 0) return {};
  for (size_t z = 0; z < work.depth; ++z) {
    for (size_t y = 0; y < work.height; ++y) {
      auto* to = static_cast<std::byte*>(work.to.base) + z * work.to.slice + y * work.to.pitch;
      const auto* from =
          static_cast<const std::byte*>(work.from.base) + z * work.from.slice + y * work.from.pitch;
      std::memmove(to, from, work.width);
      memory.note_copy(to, from, work.width);
    }
  }
  return {};
}

Outcome check(const FillWork& work, const DeviceMemory& memory) {
  if (work.element_size != 1 && work.element_size != 2 && work.element_size != 4) {
    return invalid(fmt::format("elements of {} bytes; 1, 2 and 4 exist", work.element_size));
  }
  if (work.width == 0 || work.height == 0 || work.depth == 0) return {};
  size_t row = 0;
  if (__builtin_mul_overflow(work.width, work.element_size, &row)) return invalid("the extent overflows");
  MXPROOF_RETURN_IF_NOT_OK(check_pitch(row, work.height, work.depth, work.pitch, work.slice));
  const auto bytes = reach(row, work.height, work.depth, work.pitch, work.slice);
  if (!bytes) return invalid("the extent overflows");
  return check_side("destination", work.base, *bytes, true, memory);
}

Outcome run(const FillWork& work, const DeviceMemory& memory) {
  MXPROOF_RETURN_IF_NOT_OK(check(work, memory));
  if (work.width == 0) return {};
  for (size_t z = 0; z < work.depth; ++z) {
    for (size_t y = 0; y < work.height; ++y) {
      std::byte* row = static_cast<std::byte*>(work.base) + z * work.slice + y * work.pitch;
      if (work.element_size == 1) {
        std::memset(row, static_cast<uint8_t>(work.value), work.width);
      } else if (work.element_size == 2) {
        fill_row(row, static_cast<uint16_t>(work.value), work.width);
      } else {
        fill_row(row, work.value, work.width);
      }
      memory.note_fill(row, work.width * work.element_size);
    }
  }
  return {};
}

}  // namespace mxproof::emulator
