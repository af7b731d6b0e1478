// Matrix instructions by shape and format.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/isa/instruction.hpp"

namespace mxproof::emulator {

/// "16x16x128 fp4 x fp4", "32x32x16 bf16 x bf16"; with "4 x" in front for four blocks.
struct MatrixKind {
  std::string name;
  uint64_t flop = 0;  ///< Of one instruction, two an element product.
  double cycles = 0;  ///< Of a SIMD's matrix core, by the chip's peak rates.
};

/// What a matrix instruction (InstructionClass::matrix) does.
MatrixKind matrix_kind(const Instruction& inst);

}  // namespace mxproof::emulator
