// The ways from bf16 A and MXFP4 B to C.
//
//   one_kernel : unshuffle_scales(B), gemm_a16w4                              reads b_codes, b_scales
//   fused      : quantize_shuffle, then gemm_a4w4, or gemm_splitk and reduce_splitk   reads b_shuffled,
//   b_scales staged     : quantize, shuffle_scales, gemm_a4w4                          reads b_shuffled,
//   b_scales direct     : gemm_direct, a single launch                                 reads b_shuffled,
//   b_scales
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "optimized/registry/kernels.hpp"

namespace mxproof {

enum class Route : uint8_t { one_kernel, fused, staged, direct };
inline constexpr Route kRoutes[] = {Route::one_kernel, Route::fused, Route::staged, Route::direct};

std::string_view route_name(Route route);
std::optional<Route> find_route(std::string_view name);

/// The kernels of a route in order.
std::span<const KernelId> route_kernels(Route route, int splits);

/// The one among them that multiplies.
KernelId gemm_kernel(Route route, int splits);

}  // namespace mxproof
