// `mxproof gemm`: the exact product of two matrices, and what is known about it.
#pragma once

#include "tools/command.hpp"

namespace mxproof {

void add_gemm(Program& program);

}  // namespace mxproof
