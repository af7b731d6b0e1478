// The --arg values of `mxproof run`.
//
//   [WHICH=]VALUE      WHICH: a position from 0, or a name from the metadata; without it, the next one in
//   order
//
//   in:FILE            a buffer holding the array of FILE (.npy, .safetensors[:NAME])
//   inout:FILE[,FILE]  the same, written back afterwards to the second file, or to the first
//   out:TYPE:SHAPE:FILE  a poisoned buffer, written to FILE afterwards: out:f32:16x512:c.npy
//   null               a null pointer
//   123, -0x1f         an integer of the argument's size
//   1.5, 2e-3, nan     a floating-point number of the argument's size (4 or 8 bytes)
//   f32:2, bf16:0.5    a number of this type: i8 to i64, u8 to u64, f16, bf16, f32, f64
//   hex:00ff12         raw bytes, as they lie in memory: exactly as many as the argument has
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/array/array.hpp"
#include "common/status.hpp"
#include "emulator/loader/kernel.hpp"

namespace mxproof {

/// A buffer argument: what it holds before the launch, and where it goes after it.
struct BufferArgument {
  Array contents;        ///< For an output: type and shape, and poison.
  std::string out_file;  ///< Empty: not written.
};

/// One argument, ready for the kernel.
struct RunArgument {
  std::vector<std::byte> value;  ///< The bytes of a scalar; a null pointer for buffers, filled in later.
  std::optional<BufferArgument> buffer;  ///< Set for buffers.
};

/// Assigns `values` to the arguments that the caller of `kernel` passes, and reads the files.
/// Errors: bad_input naming the value: no such argument, one that is given twice or not at all, a number that
/// does not fit, a file that cannot be read, a buffer where the kernel takes no pointer.
Expected<std::vector<RunArgument>> bind_arguments(const emulator::Kernel& kernel,
                                                  std::span<const std::string> values);

/// A number as `size` bytes: `type` is one of those above, or empty to go by the spelling and the size.
/// Errors: bad_input.
Expected<std::vector<std::byte>> parse_scalar(std::string_view text, std::string_view type, size_t size);

}  // namespace mxproof
