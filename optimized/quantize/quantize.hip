#include "optimized/convert/quantize_block.hpp"
#include "optimized/platform/device.hpp"
#include "optimized/quantize/quantize.hpp"
#include "optimized/quantize/quantize_params.hpp"

namespace mxproof {
namespace {

/// Work-group: 4 rows x 16 blocks, one block a thread; 16 neighbouring threads read 1024 contiguous bytes.
template <class ScaleOffset>
__device__ void quantize_one_block(const QuantizeParams& p, ScaleOffset scale_offset) {
  const int64_t row = int64_t{blockIdx.x} * kQuantizeRows + threadIdx.x / kQuantizeBlocks;
  const int64_t block = int64_t{blockIdx.y} * kQuantizeBlocks + threadIdx.x % kQuantizeBlocks;
  if (row >= p.rows || block >= p.blocks) return;
  const convert::QuantizedBlock result =
      convert::quantize_block(convert::load_block(p.a + row * p.a_stride + block * kBlock));
  reinterpret_cast<uint4*>(p.codes)[row * p.blocks + block] = result.codes;
  p.scales[scale_offset(row, block)] = static_cast<uint8_t>(result.scale);
}

__global__ void __launch_bounds__(kQuantizeThreads) quantize(QuantizeParams p) {
  quantize_one_block(p, [&](int64_t row, int64_t block) { return row * p.blocks + block; });
}

__global__ void __launch_bounds__(kQuantizeThreads) quantize_shuffle(QuantizeParams p) {
  quantize_one_block(
      p, [&](int64_t row, int64_t block) { return Scale32x8::offset_in(row, block, p.padded_blocks); });
}

}  // namespace

Expected<Launch> quantize_launch(DeviceConstBf16 a, DeviceCodes codes, DeviceScales scales) {
  auto params = quantize_params(KernelId::quantize, a, codes, scales.data, scales.layout.logical());
  if (!params) return params.status();
  return Launch(KernelId::quantize, &quantize, quantize_grid(*params), kQuantizeThreads, *params);
}

Expected<Launch> quantize_shuffle_launch(DeviceConstBf16 a, DeviceCodes codes, DeviceScales32x8 scales) {
  auto params = quantize_params(KernelId::quantize_shuffle, a, codes, scales.data, scales.layout.logical());
  if (!params) return params.status();
  params->padded_blocks = scales.layout.padded().cols;
  return Launch(KernelId::quantize_shuffle, &quantize_shuffle, quantize_grid(*params), kQuantizeThreads,
                *params);
}

}  // namespace mxproof
