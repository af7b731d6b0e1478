#include "optimized/checks.hpp"
#include "optimized/device/check.hpp"
#include "optimized/platform/device.hpp"
#include "optimized/shuffle/scale_params.hpp"
#include "optimized/shuffle/shuffle.hpp"

namespace mxproof {
namespace {

__global__ void __launch_bounds__(kScaleThreads) shuffle_scales(ScaleParams p) {
  for_each_scale_dword(p, [&](uint32_t* dword, const uint8_t* row_major, auto exists) {
    uint32_t value = 0;
#pragma unroll
    for (int byte = 0; byte < 4; ++byte) {
      if (exists(byte)) value |= uint32_t{row_major[row_major_step(p, byte)]} << (8 * byte);
    }
    *dword = value;
  });
}

__global__ void __launch_bounds__(kScaleThreads) unshuffle_scales(ScaleParams p) {
  for_each_scale_dword(p, [&](const uint32_t* dword, uint8_t* row_major, auto exists) {
    const uint32_t value = *dword;
#pragma unroll
    for (int byte = 0; byte < 4; ++byte) {
      if (exists(byte)) row_major[row_major_step(p, byte)] = static_cast<uint8_t>(value >> (8 * byte));
    }
  });
}

Expected<ScaleParams> scale_params(KernelId kernel, const DeviceScales& row_major,
                                   const DeviceScales32x8& shuffled) {
  const Extent extent = row_major.layout.logical();
  const Extent padded = shuffled.layout.padded();
  MXPROOF_RETURN_IF_ERROR(first_error({
      check_multiple(kernel, "rows", extent.rows, 1),
      check_multiple(kernel, "blocks along K", extent.cols, 1),
      check_extent(kernel, "scale_32x8", shuffled.layout.logical(), extent),
      check_pointer(kernel, "scale_row_major", row_major.data, 1),
      check_pointer(kernel, "scale_32x8", shuffled.data, 4),
      check_grid(kernel, "K", ceil_div(padded.cols / Scale32x8::kTileCols, kScaleTilesPerGroup)),
  }));
  return ScaleParams{row_major.data, shuffled.data, extent.rows, extent.cols, padded.cols};
}

/// Tiles of `rows` rows, 32 each, along x; the columns' along y.
dim3 scale_grid(int64_t rows, const ScaleParams& p) {
  return {static_cast<unsigned>(ceil_div(rows, Scale32x8::kTileRows)),
          static_cast<unsigned>(ceil_div(p.padded_blocks / Scale32x8::kTileCols, kScaleTilesPerGroup)), 1};
}

}  // namespace

Expected<Launch> shuffle_scales_launch(DeviceScales from, DeviceScales32x8 to) {
  auto params = scale_params(KernelId::shuffle_scales, from, to);
  if (!params) return params.status();
  return Launch(KernelId::shuffle_scales, &shuffle_scales, scale_grid(to.layout.padded().rows, *params),
                kScaleThreads, *params);
}

Expected<Launch> unshuffle_scales_launch(DeviceScales32x8 from, DeviceScales to) {
  auto params = scale_params(KernelId::unshuffle_scales, to, from);
  if (!params) return params.status();
  return Launch(KernelId::unshuffle_scales, &unshuffle_scales, scale_grid(params->rows, *params),
                kScaleThreads, *params);
}

}  // namespace mxproof
