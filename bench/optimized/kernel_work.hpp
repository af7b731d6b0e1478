// Every kernel of optimized/registry/kernels.def alone, on the operands of a product. A kernel without a
// bench does not link: each needs a function make_NAME_work.
//
// Kernels that quantise work on A [M, K], those that only permute on B [N, K], the others on the product.
#pragma once

#include <memory>

#include "bench/optimized/operands.hpp"
#include "bench/optimized/work.hpp"
#include "optimized/registry/kernels.hpp"

namespace mxproof::bench {

using WorkResult = Expected<std::unique_ptr<Work>>;
using OperandsPtr = std::shared_ptr<const Operands>;

#define MXPROOF_KERNEL(name, ...) WorkResult make_##name##_work(OperandsPtr operands);
#include "optimized/registry/kernels.def"
#undef MXPROOF_KERNEL

/// Work of one kernel; refused where its launcher refuses the shape.
WorkResult make_kernel_work(KernelId kernel, OperandsPtr operands);

/// Bytes that one call has to read and write.
int64_t kernel_bytes(const KernelInfo& kernel, const GemmShape& shape);

}  // namespace mxproof::bench
