#include "optimized/checks.hpp"
#include "optimized/device/check.hpp"
#include "optimized/platform/device.hpp"
#include "optimized/shuffle/scale_params.hpp"
#include "optimized/shuffle/shuffle.hpp"

namespace mxproof {
namespace {

/// One thread makes one dword of a tile: rows r and r + 16, block columns c and c + 4.
__global__ void __launch_bounds__(kScaleThreads) shuffle_scales(ScaleParams p) {
  const ScaleDword dword = scale_dword(p);
  if (dword.tile_column >= p.padded_blocks / Scale32x8::kTileCols) return;
  uint32_t value = 0;
#pragma unroll
  for (int byte = 0; byte < 4; ++byte) {
    const int64_t row = dword.row + byte % 2 * 16;
    const int64_t block = dword.block + byte / 2 * 4;
    if (row < p.rows && block < p.blocks)
      value |= uint32_t{p.row_major[row * p.blocks + block]} << (8 * byte);
  }
  reinterpret_cast<uint32_t*>(p.shuffled)[dword.index] = value;
}

/// The way back: the same dword, scattered.
__global__ void __launch_bounds__(kScaleThreads) unshuffle_scales(ScaleParams p) {
  const ScaleDword dword = scale_dword(p);
  if (dword.tile_column >= p.padded_blocks / Scale32x8::kTileCols) return;
  const uint32_t value = reinterpret_cast<const uint32_t*>(p.shuffled)[dword.index];
#pragma unroll
  for (int byte = 0; byte < 4; ++byte) {
    const int64_t row = dword.row + byte % 2 * 16;
    const int64_t block = dword.block + byte / 2 * 4;
    if (row < p.rows && block < p.blocks) {
      p.row_major[row * p.blocks + block] = static_cast<uint8_t>(value >> (8 * byte));
    }
  }
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
