#include "optimized/plan/route.hpp"

#include <algorithm>
#include <cassert>

namespace mxproof {
namespace {

struct RouteInfo {
  std::string_view name;
  std::span<const KernelId> kernels;
};

constexpr KernelId kOneKernel[] = {KernelId::unshuffle_scales, KernelId::gemm_a16w4};
constexpr KernelId kFused[] = {KernelId::quantize_shuffle, KernelId::gemm_a4w4};
constexpr KernelId kFusedSplit[] = {KernelId::quantize_shuffle, KernelId::gemm_splitk,
                                    KernelId::reduce_splitk};
constexpr KernelId kStaged[] = {KernelId::quantize, KernelId::shuffle_scales, KernelId::gemm_a4w4};
constexpr KernelId kDirect[] = {KernelId::gemm_direct};

/// In the order of Route.
constexpr RouteInfo kInfos[] = {
    {"one_kernel", kOneKernel}, {"fused", kFused}, {"staged", kStaged}, {"direct", kDirect}};

}  // namespace

std::string_view route_name(Route route) {
  return kInfos[static_cast<size_t>(route)].name;
}

std::optional<Route> find_route(std::string_view name) {
  for (const Route route : kRoutes) {
    if (route_name(route) == name) return route;
  }
  return std::nullopt;
}

std::span<const KernelId> route_kernels(Route route, int splits) {
  if (route == Route::fused && splits > 1) return kFusedSplit;
  return kInfos[static_cast<size_t>(route)].kernels;
}

KernelId gemm_kernel(Route route, int splits) {
  const auto kernels = route_kernels(route, splits);
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [](KernelId id) { return (kernel_info(id).flags & kMultiplies) != 0; });
  assert(found != kernels.end());
  return *found;
}

}  // namespace mxproof
