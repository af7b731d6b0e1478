// The scaled matrix instructions for all five formats and all accumulation models, exactly and without hurry.
#pragma once

#include <cstdint>

#include "emulator/isa/instruction.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {

// cbsz and blgp.
inline constexpr uint32_t kFormatFp8 = 0;  ///< e4m3
inline constexpr uint32_t kFormatBf8 = 1;  ///< e5m2
inline constexpr uint32_t kFormatFp6 = 2;  ///< e2m3
inline constexpr uint32_t kFormatBf6 = 3;  ///< e3m2
inline constexpr uint32_t kFormatFp4 = 4;  ///< e2m1

/// Registers that 32 elements take.
constexpr int format_registers(uint32_t format) {
  return format <= kFormatBf8 ? 8 : format <= kFormatBf6 ? 6 : 4;
}

/// D = C + A * B for an MxM tile; formats in inst.extra (A in bits 2:0, B in 5:3); scale bytes a lane.
void multiply_exactly(const Instruction& inst, Wave& wave, int m, const uint32_t* scale_a,
                      const uint32_t* scale_b);

}  // namespace mxproof::emulator
