// The matrix core behind one small interface. Everything that depends on a chip's matrix instructions and on
// who holds which element lies in the header chosen here; it defines, in namespace mxproof::matrix_core,
//
//   kTile, kStepK       a step multiplies 16 x 128 codes by 16 x 128 codes
//   kStepBlocks         blocks of 32 in a step: 4
//   Codes               one operand of a step, spread over the lanes of a wave
//   CodesSource         where it comes from: byte address of row r, block b = base + r*row_stride +
//   b*block_stride;
//                       rows past last_row repeat it
//   load_codes(source)              reads the operand
//   load_codes(source, valid)       as above with blocks >= valid zero; they are not read
//   Scales              scales of 32 rows x 8 blocks in `scale_32x8` order, spread over the lanes
//   load_scales(dword)  makes it from dword(i), i = 0..63: the dwords of a `scale_32x8` tile
//   Accumulator         16 x 16 sums in f32
//   multiply_add<row_half_n, row_half_m, step>(acc, n_codes, n_scales, m_codes, m_scales)
//                       acc[m][n] += the step's four blocks, ascending; row_half (0, 1) picks the upper or
//                       lower 16 rows of a Scales, step (0, 1) blocks 0..3 or 4..7
//   for_each_run(acc, f)            calls f(m, n, values) for every run of kRun neighbouring columns this
//   lane holds
#pragma once

#if defined(MXPROOF_PLATFORM_NVIDIA)
#include "optimized/matrix_core/int8_mma.hpp"
#else
#include "optimized/matrix_core/mfma_scale.hpp"
#endif
