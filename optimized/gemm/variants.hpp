// The compiled tiles of a GEMM kernel as a table, and what all GEMM launchers do with it.
#pragma once

#include <span>

#include "optimized/gemm/gemm.hpp"
#include "optimized/gemm/params.hpp"

namespace mxproof::gemm {

struct Variant {
  TileConfig tile;
  void (*function)(GemmParams);
  int dynamic_lds;  ///< bytes that a launch adds to the kernel's own
};

/// Tables of the kernels, each defined beside its kernel.
std::span<const Variant> a4w4_variants();
std::span<const Variant> a16w4_variants();
std::span<const Variant> direct_variants();
std::span<const Variant> splitk_variants();

/// The table of `kernel`; empty for kernels that have no tiles.
std::span<const Variant> variants_of(KernelId kernel);

/// Each checks one operand and enters it into `params`. B comes first, as it fixes N and K; A fixes M.
Status set_b(KernelId kernel, const DeviceCodes16x16& codes, const DeviceScales32x8& scales,
             GemmParams& params);
Status set_b(KernelId kernel, const DeviceCodes& codes, const DeviceScales& scales, GemmParams& params);
Status set_a(KernelId kernel, const DeviceConstBf16& a, GemmParams& params);
Status set_a(KernelId kernel, const DeviceCodes& codes, const DeviceScales32x8& scales, GemmParams& params);
Status set_c(KernelId kernel, const DeviceBf16& c, GemmParams& params);

/// Finds the variant, cuts K into `splits`, and computes the grid.
Expected<Launch> tile_launch(KernelId kernel, std::span<const Variant> variants, TileConfig tile, int splits,
                             GemmParams params);

}  // namespace mxproof::gemm
