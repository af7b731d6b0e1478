#include "optimized/device/check.hpp"
#include "optimized/gemm/run_tile.hpp"
#include "optimized/gemm/tiles.hpp"

namespace mxproof {
namespace {

template <class T>
using Work = gemm::TileWork<T, gemm::AOfBf16<T>, gemm::BShuffled<T>, gemm::Bf16Sink>;

template <class T>
__global__ void __launch_bounds__(T::kThreads) gemm_direct(GemmParams p) {
  Work<T>::run(p);
}

}  // namespace

std::span<const gemm::Variant> gemm::direct_variants() {
  static constexpr auto kVariants = make_variants(
      DirectTiles{}, []<class T>(T) { return Variant{T::kConfig, &gemm_direct<T>, Work<T>::kDynamicLds}; });
  return kVariants;
}

Expected<Launch> gemm_direct_launch(DeviceConstBf16 a, DeviceCodes16x16 b, DeviceScales32x8 b_scales,
                                    DeviceBf16 c, TileConfig tile) {
  constexpr auto kKernel = KernelId::gemm_direct;
  GemmParams params{};
  MXPROOF_RETURN_IF_ERROR(gemm::set_b(kKernel, b, b_scales, params));
  MXPROOF_RETURN_IF_ERROR(gemm::set_a(kKernel, a, params));
  MXPROOF_RETURN_IF_ERROR(gemm::set_c(kKernel, c, params));
  return gemm::tile_launch(kKernel, gemm::direct_variants(), tile, 1, params);
}

}  // namespace mxproof
