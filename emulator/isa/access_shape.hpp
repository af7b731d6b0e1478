// What one lane of a memory instruction moves, packed into Instruction::extra.
#pragma once

#include <cstdint>

namespace mxproof::emulator {

/// Bits 0..7: bytes a lane. The flags say how narrow values meet the 32-bit register.
inline constexpr uint32_t kShapeSigned = 1U << 8;  ///< Sign-extended when loaded.
inline constexpr uint32_t kShapeHalf = 1U << 9;    ///< d16: only half of the register is written or read.
inline constexpr uint32_t kShapeHigh = 1U << 10;   ///< d16_hi: the upper half.
inline constexpr uint32_t kShapeToLds = 1U << 11;  ///< The load goes to LDS.

constexpr uint32_t shape_bytes(uint32_t shape) {
  return shape & 0xffU;
}
/// Registers a lane.
constexpr int shape_rows(uint32_t shape) {
  return static_cast<int>((shape_bytes(shape) + 3) / 4);
}

}  // namespace mxproof::emulator
