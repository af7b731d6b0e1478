// One check for every kernel of the list: check_NAME runs it on `shape` with inputs made from `seed` and
// holds what it wrote against the reference. A kernel without one does not link.
#pragma once

#include <cstdint>

#include "common/shape.hpp"
#include "optimized/registry/kernels.hpp"

namespace mxproof {

#define MXPROOF_KERNEL(name, reads, writes, n_multiple, k_multiple, flags) \
  void check_##name(const GemmShape& shape, uint64_t seed);
#include "optimized/registry/kernels.def"
#undef MXPROOF_KERNEL

}  // namespace mxproof
