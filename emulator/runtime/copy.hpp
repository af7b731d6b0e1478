// Copies and fills, in up to three dimensions, with every side checked against the allocations.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/runtime/device_memory.hpp"
#include "emulator/runtime/outcome.hpp"

namespace mxproof::emulator {

/// A box of bytes in memory: rows of `width` bytes, `pitch` apart, in slices `slice` apart.
struct CopySide {
  void* base = nullptr;
  size_t pitch = 0;  ///< Bytes from row to row; unused for one row.
  size_t slice = 0;  ///< Bytes from slice to slice; unused for one slice.
};

struct CopyWork {
  CopySide to;
  CopySide from;
  size_t width = 0;  ///< Bytes.
  size_t height = 1;
  size_t depth = 1;
  hipMemcpyKind kind = hipMemcpyDefault;

  static CopyWork linear(void* to, const void* from, size_t bytes, hipMemcpyKind kind);
};

/// hipMemset's family: `width` elements a row, of 1, 2 or 4 bytes, all `value`.
struct FillWork {
  void* base = nullptr;
  size_t pitch = 0;  ///< Bytes from row to row; unused for one row.
  size_t slice = 0;  ///< Bytes from slice to slice; unused for one slice.
  uint32_t value = 0;
  unsigned element_size = 1;
  size_t width = 0;  ///< Elements.
  size_t height = 1;
  size_t depth = 1;
};

/// Checks without touching memory. A side that `kind` calls the device's must lie within one allocation; a
/// side that starts in an allocation must end in it, whatever it is called. Host memory that HIP does not
/// know cannot be checked. Errors: hipErrorInvalidValue, hipErrorInvalidPitchValue,
/// hipErrorInvalidMemcpyDirection.
Outcome check(const CopyWork& work, const DeviceMemory& memory);
Outcome check(const FillWork& work, const DeviceMemory& memory);

/// Checks and then does it.
Outcome run(const CopyWork& work, const DeviceMemory& memory);
Outcome run(const FillWork& work, const DeviceMemory& memory);

}  // namespace mxproof::emulator
