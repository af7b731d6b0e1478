// Operands of matrix instructions: D, A, B, C and, for the scaled ones, two scales.
#pragma once

#include "emulator/isa/build.hpp"

namespace mxproof::emulator {

inline constexpr int kMatrixA = 0;
inline constexpr int kMatrixB = 1;
inline constexpr int kMatrixC = 2;
inline constexpr int kScaleA = 3;
inline constexpr int kScaleB = 4;

/// D and C of `d_rows` registers, A of `a_rows`, B of `b_rows`.
Status build_matrix(const BuildContext& context, int d_rows, int a_rows, int b_rows,
                    Instruction& instruction);

}  // namespace mxproof::emulator
