#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <tuple>

#include "optimized/checks.hpp"
#include "optimized/device/check.hpp"
#include "optimized/device/dynamic_lds.hpp"
#include "optimized/gemm/chunk_size.hpp"
#include "optimized/gemm/variants.hpp"
#include "optimized/platform/lanes.hpp"

namespace mxproof::gemm {
namespace {

/// K in elements, of codes with `row_bytes` bytes a row. A work-group's offsets along K and over its columns
/// are 32-bit.
Status check_k(KernelId kernel, int64_t row_bytes) {
  constexpr int64_t kMaxRowBytes = int64_t{1} << 22;
  if (row_bytes <= kMaxRowBytes) return {};
  return Status::refused(
      fmt::format("{}: K = {} is above {}", kernel_info(kernel).name, 2 * row_bytes, 2 * kMaxRowBytes));
}

/// Rows of A are at most 4 GiB apart.
Status check_a_stride(KernelId kernel, int64_t stride) {
  constexpr int64_t kMaxStride = (int64_t{1} << 31) - 8;
  if (stride <= kMaxStride) return {};
  return Status::refused(fmt::format("{}: the row stride of a, {} elements, is above {}",
                                     kernel_info(kernel).name, stride, kMaxStride));
}

Status check_b(KernelId kernel, const uint8_t* codes, Extent extent, const uint8_t* scales,
               Extent scale_extent, int64_t scale_alignment) {
  const KernelInfo& info = kernel_info(kernel);
  return first_error({
      check_multiple(kernel, "N", extent.rows, info.n_multiple),
      check_multiple(kernel, "K", extent.cols * 2, info.k_multiple),
      check_k(kernel, extent.cols),
      check_pointer(kernel, "b", codes, 16),
      check_pointer(kernel, "b_scales", scales, scale_alignment),
      check_extent(kernel, "b_scales", scale_extent, {extent.rows, extent.cols * 2 / kBlock}),
  });
}

void enter_b(const uint8_t* codes, Extent extent, const uint8_t* scales, GemmParams& params) {
  params.b = codes;
  params.b_scales = scales;
  params.n = extent.rows;
  params.blocks = static_cast<int32_t>(extent.cols * 2 / kBlock);
}

}  // namespace

Status set_b(KernelId kernel, const DeviceCodes16x16& codes, const DeviceScales32x8& scales,
             GemmParams& params) {
  const Extent extent = codes.layout.logical();
  MXPROOF_RETURN_IF_ERROR(check_b(kernel, codes.data, extent, scales.data, scales.layout.logical(), 4));
  enter_b(codes.data, extent, scales.data, params);
  params.b_padded_blocks = static_cast<int32_t>(scales.layout.padded().cols);
  return {};
}

Status set_b(KernelId kernel, const DeviceCodes& codes, const DeviceScales& scales, GemmParams& params) {
  const Extent extent = codes.layout.logical();
  MXPROOF_RETURN_IF_ERROR(check_b(kernel, codes.data, extent, scales.data, scales.layout.logical(), 1));
  enter_b(codes.data, extent, scales.data, params);
  return {};
}

Status set_a(KernelId kernel, const DeviceConstBf16& a, GemmParams& params) {
  MXPROOF_RETURN_IF_ERROR(first_error({
      check_multiple(kernel, "M", a.rows, 1),
      check_pointer(kernel, "a", a.data, 16),
      check_extent(kernel, "a", {a.rows, a.cols}, {a.rows, int64_t{params.blocks} * kBlock}),
      check_stride(kernel, "a", a.stride, a.cols, 8),
      check_a_stride(kernel, a.stride),
  }));
  params.a = a.data;
  params.m = a.rows;
  params.a_stride = static_cast<uint32_t>(a.stride * 2);
  return {};
}

Status set_a(KernelId kernel, const DeviceCodes& codes, const DeviceScales32x8& scales, GemmParams& params) {
  const Extent extent = codes.layout.logical();
  MXPROOF_RETURN_IF_ERROR(first_error({
      check_multiple(kernel, "M", extent.rows, 1),
      check_pointer(kernel, "a", codes.data, 16),
      check_extent(kernel, "a", extent, {extent.rows, int64_t{params.blocks} * kBlock / 2}),
      check_pointer(kernel, "a_scales", scales.data, 4),
      check_extent(kernel, "a_scales", scales.layout.logical(), {extent.rows, params.blocks}),
  }));
  params.a = codes.data;
  params.a_scales = scales.data;
  params.m = extent.rows;
  params.a_stride = static_cast<uint32_t>(extent.cols);
  params.a_padded_blocks = static_cast<int32_t>(scales.layout.padded().cols);
  return {};
}

Status set_c(KernelId kernel, const DeviceBf16& c, GemmParams& params) {
  MXPROOF_RETURN_IF_ERROR(first_error({
      check_pointer(kernel, "c", c.data, 2),
      check_extent(kernel, "c", {c.rows, c.cols}, {params.m, params.n}),
      check_stride(kernel, "c", c.stride, c.cols, 1),
  }));
  constexpr int64_t kRun = 4;
  params.c = c.data;
  params.c_stride = c.stride;
  params.c_whole_runs = c.cols % kRun == 0 && c.stride % kRun == 0 &&
                        reinterpret_cast<uintptr_t>(c.data) % (kRun * sizeof(Bf16)) == 0;
  return {};
}

std::span<const Variant> variants_of(KernelId kernel) {
  switch (kernel) {
    case KernelId::gemm_a4w4:
      return a4w4_variants();
    case KernelId::gemm_a16w4:
      return a16w4_variants();
    case KernelId::gemm_direct:
      return direct_variants();
    case KernelId::gemm_splitk:
      return splitk_variants();
    default:
      return {};
  }
}

Expected<Launch> tile_launch(KernelId kernel, std::span<const Variant> variants, TileConfig tile, int splits,
                             GemmParams params) {
  const auto variant =
      std::find_if(variants.begin(), variants.end(), [&](const Variant& v) { return v.tile == tile; });
  if (variant == variants.end()) {
    std::string known;
    for (const Variant& v : variants) known += (known.empty() ? "" : ", ") + to_string(v.tile);
    return Status::refused(fmt::format("{}: no variant with tile {}; there are {}", kernel_info(kernel).name,
                                       to_string(tile), known));
  }
  const auto chunks = static_cast<int32_t>(ceil_div(params.blocks, kChunkBlocks));
  if (splits < 1 || splits > chunks) {
    return Status::refused(fmt::format("{}: K = {} cannot be cut into {} pieces; 1 to {} are possible",
                                       kernel_info(kernel).name, int64_t{params.blocks} * kBlock, splits,
                                       chunks));
  }
  params.chunks_per_split = chunks / splits;
  params.longer_splits = chunks % splits;
  const int64_t columns = ceil_div(params.n, tile.tile_n);
  MXPROOF_RETURN_IF_ERROR(check_grid(kernel, "N", columns));
  MXPROOF_RETURN_IF_ERROR(check_grid(kernel, "split-K", splits));
  const dim3 grid(static_cast<unsigned>(ceil_div(params.m, tile.tile_m)), static_cast<unsigned>(columns),
                  static_cast<unsigned>(splits));
  MXPROOF_RETURN_IF_ERROR(
      allow_dynamic_lds(reinterpret_cast<const void*>(variant->function), variant->dynamic_lds));
  return Launch(kernel, variant->function, grid,
                static_cast<unsigned>(tile.slices * tile.waves * platform::kLanes), params,
                variant->dynamic_lds);
}

}  // namespace mxproof::gemm

namespace mxproof {

std::string to_string(const TileConfig& tile) {
  std::string text = fmt::format("{}x{} of {} waves", tile.tile_m, tile.tile_n, tile.waves);
  if (tile.slices > 1) text += fmt::format(" in {} slices", tile.slices);
  return text;
}

std::vector<TileConfig> tile_variants(KernelId kernel) {
  std::vector<TileConfig> tiles;
  for (const gemm::Variant& variant : gemm::variants_of(kernel)) tiles.push_back(variant.tile);
  return tiles;
}

TileConfig default_tile(KernelId kernel, const GemmShape& shape) {
  const auto variants = gemm::variants_of(kernel);
  assert(!variants.empty());
  // What the grid takes; the fewest row tiles, as every one of them reads all of B; then the smallest tile,
  // for more work-groups.
  const auto cost = [&](const TileConfig& t) {
    const bool is_too_wide = ceil_div(shape.n, t.tile_n) > kMostGroupsSideBySide;
    return std::tuple(is_too_wide, ceil_div(shape.m, t.tile_m), t.tile_m, t.tile_n, t.slices);
  };
  return std::min_element(variants.begin(), variants.end(),
                          [&](const auto& x, const auto& y) { return cost(x.tile) < cost(y.tile); })
      ->tile;
}

}  // namespace mxproof
