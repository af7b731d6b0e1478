// A kernel that converts through the chip's instruction and through the portable code.
#pragma once

#include <cstdint>

#include "optimized/launch.hpp"

namespace mxproof {

inline constexpr int kConvertThreads = 256;

struct ConvertParams {
  const void* bf16;          ///< 16-byte aligned
  uint32_t* by_instruction;  ///< eight codes a word
  uint32_t* portable;
  uint32_t scale_byte;
};

/// `elements` is a multiple of 8 * kConvertThreads.
Launch convert_launch(const ConvertParams& params, int64_t elements);

}  // namespace mxproof
