// C[M,N] = A[M,K] * B[N,K]^T on the matrix cores: FP4 operands, one scale per 32 elements along K, f32
// accumulation with K ascending, one rounding to bf16 (nearest even) at the end.
//
// All of them take any M >= 1. Padding of the layouts may hold anything: it never reaches a result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/shape.hpp"
#include "common/status.hpp"
#include "optimized/device_view.hpp"
#include "optimized/launch.hpp"

namespace mxproof {

/// How a GEMM kernel cuts its work: one compiled variant.
struct TileConfig {
  int tile_m = 0;  ///< Rows of C of a work-group.
  int tile_n = 0;  ///< Columns of C of a work-group.
  int waves = 0;   ///< Waves that share the columns out among themselves.
  int slices = 1;  ///< So many groups of `waves` waves share out K; their sums are added in order.
  friend constexpr bool operator==(const TileConfig&, const TileConfig&) = default;
};

/// "64x32 of 4 waves", and "in 2 slices" where there are more than one.
std::string to_string(const TileConfig& tile);

/// The tiles that `kernel` was compiled for; empty for kernels that have none.
std::vector<TileConfig> tile_variants(KernelId kernel);

/// The tile used for `shape` where no tuned row says otherwise.
TileConfig default_tile(KernelId kernel, const GemmShape& shape);

/// Codes and scales of A are MXFP4 already: row-major codes [M, K/2], scales in `scale_32x8`.
/// B: codes in `codes_16x16`, scales in `scale_32x8`. N multiple of 16, K of 64.
Expected<Launch> gemm_a4w4_launch(DeviceCodes a, DeviceScales32x8 a_scales, DeviceCodes16x16 b,
                                  DeviceScales32x8 b_scales, DeviceBf16 c, TileConfig tile);

/// A is bf16 and is quantised to MXFP4 on the way into the matrix core (the name says 16, the operand is
/// FP4). B: row-major codes and row-major scales. Any N; K multiple of 32.
Expected<Launch> gemm_a16w4_launch(DeviceConstBf16 a, DeviceCodes b, DeviceScales b_scales, DeviceBf16 c,
                                   TileConfig tile);

/// As gemm_a16w4, with B in `codes_16x16` and its scales in `scale_32x8`. N multiple of 16, K of 64.
Expected<Launch> gemm_direct_launch(DeviceConstBf16 a, DeviceCodes16x16 b, DeviceScales32x8 b_scales,
                                    DeviceBf16 c, TileConfig tile);

/// As gemm_a4w4 with K cut into `splits` pieces: partials[s][m][n] in f32, each slice written in full.
Expected<Launch> gemm_splitk_launch(DeviceCodes a, DeviceScales32x8 a_scales, DeviceCodes16x16 b,
                                    DeviceScales32x8 b_scales, float* partials, int splits, TileConfig tile);

/// C = the sum of `splits` partials in ascending order, rounded once to bf16: the same bits in every run.
Expected<Launch> reduce_splitk_launch(const float* partials, int splits, DeviceBf16 c);

}  // namespace mxproof
