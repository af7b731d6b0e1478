#include "tests/optimized/convert/convert_kernel.hpp"

#include "optimized/convert/e2m1.hpp"

namespace mxproof {
namespace {

/// One thread converts eight elements both ways.
__global__ void convert_both_ways(ConvertParams p) {
  const int64_t i = int64_t{blockIdx.x} * kConvertThreads + threadIdx.x;
  const uint4 x = static_cast<const uint4*>(p.bf16)[i];
  p.by_instruction[i] = convert::pack_e2m1(x, p.scale_byte);
  p.portable[i] = convert::pack_e2m1_portable(x, p.scale_byte);
}

}  // namespace

Launch convert_launch(const ConvertParams& params, int64_t elements) {
  // Any name will do: it is a test's kernel and stands in no list.
  return Launch(KernelId::quantize, &convert_both_ways,
                dim3(static_cast<unsigned>(elements / (8 * kConvertThreads))), kConvertThreads, params);
}

}  // namespace mxproof
