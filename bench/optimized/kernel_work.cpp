#include "bench/optimized/kernel_work.hpp"

#include <algorithm>
#include <array>

#include "bench/optimized/geometry.hpp"

namespace mxproof::bench {
namespace {

constexpr std::array kMakers = {
#define MXPROOF_KERNEL(name, ...) &make_##name##_work,
#include "optimized/registry/kernels.def"
#undef MXPROOF_KERNEL
};

bool has(const LayoutList& list, LayoutTag tag) {
  return std::find(list.begin(), list.end(), tag) != list.end();
}

}  // namespace

int bench_splits(const GemmShape& shape) {
  constexpr int64_t kMostSplits = 4;
  constexpr int64_t kSmallestPiece = 256;
  return static_cast<int>(std::clamp(shape.k / kSmallestPiece, int64_t{1}, kMostSplits));
}

WorkResult make_kernel_work(KernelId kernel, OperandsPtr operands) {
  return kMakers[static_cast<size_t>(kernel)](std::move(operands));
}

int64_t kernel_bytes(const KernelInfo& kernel, const GemmShape& shape) {
  const Geometry g(shape);
  if ((kernel.flags & kMultiplies) != 0) {
    const int64_t a = has(kernel.reads, LayoutTag::bf16_rows) ? g.a_bytes() : g.a_quantised_bytes();
    const int64_t c = has(kernel.writes, LayoutTag::bf16_rows) ? g.c_bytes() : g.partial_bytes();
    return a + g.b_bytes() + c;
  }
  if ((kernel.flags & kSplitsK) != 0) return g.partial_bytes() + g.c_bytes();
  if ((kernel.flags & kQuantises) != 0) return g.a_bytes() + g.a_quantised_bytes();
  const bool codes = has(kernel.reads, LayoutTag::codes_row_major);
  return 2 * (codes ? g.b_codes.logical().size() : g.b_row_scales.logical().size());
}

}  // namespace mxproof::bench
