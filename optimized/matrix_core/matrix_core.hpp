// The matrix core of the chip. Each header defines, in namespace mxproof::matrix_core,
//
//   kRows, kColumns     the piece of C that one instruction works on
//   kStepBlocks         blocks of 32 along K that are taken together: 4
//   Accumulator         kRows x kColumns sums in f32, spread over the lanes of a wave
//   for_each_run(acc, f)  calls f(m, n, values) for every run of kRun neighbouring columns that this lane
//   holds multiply_add        acc[m][n] += blocks, ascending; its operands are the chip's own
//
// and what a wave's operands look like. gfx950 feeds the instruction from registers, with operands as they
// lie in memory (optimized/gemm/tile_kernel.hpp); NVIDIA from shared memory, where A has been decoded to int8
// (optimized/gemm/async/tile_kernel.hpp).
#pragma once

#if defined(MXPROOF_PLATFORM_NVIDIA)
#include "optimized/matrix_core/int8_mma.hpp"
#elif defined(__gfx942__)
#include "optimized/matrix_core/mfma_bf16.hpp"
#else  // and on the host's side, which reads constants alone
#include "optimized/matrix_core/mfma_scale.hpp"
#endif
