#include "optimized/checks.hpp"
#include "optimized/device/check.hpp"
#include "optimized/gemm/gemm.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof {
namespace {

constexpr int kRun = 4;  ///< columns of one thread
constexpr int kThreadsPerGroup = 64;

struct ReduceParams {
  const float* partials;
  uint16_t* c;
  int64_t rows;
  int64_t columns;
  int64_t stride;
  int32_t splits;
  bool whole_runs;
};

/// A work-group sums kThreadsPerGroup * kRun columns of one row, the splits in ascending order.
__global__ void __launch_bounds__(kThreadsPerGroup) reduce_splitk(ReduceParams p) {
  const int64_t row = blockIdx.x;
  const int64_t column = (int64_t{blockIdx.y} * kThreadsPerGroup + threadIdx.x) * kRun;
  if (column >= p.columns) return;
  const float* run = p.partials + row * p.columns + column;
  float sums[kRun] = {};
  for (int split = 0; split < p.splits; ++split) {
    const float4 values = *reinterpret_cast<const float4*>(run + split * p.rows * p.columns);
    sums[0] += values.x;
    sums[1] += values.y;
    sums[2] += values.z;
    sums[3] += values.w;
  }
  const uint32_t pairs[kRun / 2] = {platform::pack_bf16(sums[0], sums[1]),
                                    platform::pack_bf16(sums[2], sums[3])};
  uint16_t* to = p.c + row * p.stride + column;
  if (p.whole_runs) {
    platform::store_words(to, pairs);
    return;
  }
#pragma unroll
  for (int i = 0; i < kRun; ++i) to[i] = static_cast<uint16_t>(pairs[i / 2] >> (i % 2 * 16));
}

}  // namespace

Expected<Launch> reduce_splitk_launch(const float* partials, int splits, DeviceBf16 c) {
  constexpr auto kKernel = KernelId::reduce_splitk;
  const int64_t groups = ceil_div(c.cols, kRun * kThreadsPerGroup);
  MXPROOF_RETURN_IF_ERROR(first_error({
      check_multiple(kKernel, "M", c.rows, 1),
      check_multiple(kKernel, "N", c.cols, kernel_info(kKernel).n_multiple),
      check_multiple(kKernel, "splits", splits, 1),
      check_pointer(kKernel, "partials", partials, 16),
      check_pointer(kKernel, "c", c.data, 2),
      check_stride(kKernel, "c", c.stride, c.cols, 1),
      check_grid(kKernel, "N", groups),
  }));
  const bool whole_runs = c.stride % kRun == 0 && reinterpret_cast<uintptr_t>(c.data) % (kRun * 2) == 0;
  const ReduceParams params{partials,  reinterpret_cast<uint16_t*>(c.data), c.rows, c.cols, c.stride, splits,
                            whole_runs};
  const dim3 grid(static_cast<unsigned>(c.rows), static_cast<unsigned>(groups), 1);
  return Launch(kKernel, &reduce_splitk, grid, kThreadsPerGroup, params);
}

}  // namespace mxproof
