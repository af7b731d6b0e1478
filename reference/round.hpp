// Roundings to nearest even of the reference, each done once. Kernels have their own; sharing one would hide
// its mistakes.
#pragma once

#include "common/format/bf16.hpp"
#include "common/format/f16.hpp"

namespace mxproof::reference {

/// f32 to bf16. Overflow goes to Inf, a NaN stays a NaN (quieted, sign and upper payload kept).
Bf16 round_to_bf16(float value);

/// double straight to the narrow type, without an f32 in between.
Bf16 round_to_bf16(double value);
Half round_to_f16(double value);
float round_to_f32(double value);

}  // namespace mxproof::reference
