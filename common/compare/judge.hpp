// judge: one output matrix against an expectation, under an acceptance policy.
#pragma once

#include <cstddef>

#include "common/compare/comparison.hpp"
#include "common/compare/expectation.hpp"
#include "common/compare/poison.hpp"

namespace mxproof {

struct JudgeOptions {
  Bf16 poison = kPoisonBf16;  ///< What the output held before the run.
  size_t max_examples = 16;   ///< How many mismatches to keep.
};

/// Compares `actual` [M, N] with what is expected. Different or empty shapes give verdict `error` with a
/// message.
Comparison judge(const Acceptance& acceptance, const OutputExpectation& expected,
                 MatrixView<const Bf16> actual, const JudgeOptions& options = {});

/// The same for two plain matrices, bit for bit (NaN equals NaN), where no accumulation is involved.
Comparison compare_bits(MatrixView<const Bf16> expected, MatrixView<const Bf16> actual,
                        const JudgeOptions& options = {});

}  // namespace mxproof
