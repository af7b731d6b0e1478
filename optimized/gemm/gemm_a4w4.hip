#include "optimized/device/check.hpp"
#include "optimized/gemm/run_tile.hpp"
#include "optimized/gemm/tiles.hpp"

namespace mxproof {
namespace {

template <class T>
using Work = gemm::TileWork<T, gemm::AOfMxfp4<T>, gemm::BShuffled<T>, gemm::Bf16Sink>;

template <class T>
__global__ void __launch_bounds__(T::kThreads) gemm_a4w4(GemmParams p) {
  Work<T>::run(p);
}

}  // namespace

std::span<const gemm::Variant> gemm::a4w4_variants() {
  static constexpr auto kVariants = make_variants(
      A4w4Tiles{}, []<class T>(T) { return Variant{T::kConfig, &gemm_a4w4<T>, Work<T>::kDynamicLds}; });
  return kVariants;
}

Expected<Launch> gemm_a4w4_launch(DeviceCodes a, DeviceScales32x8 a_scales, DeviceCodes16x16 b,
                                  DeviceScales32x8 b_scales, DeviceBf16 c, TileConfig tile) {
  constexpr auto kKernel = KernelId::gemm_a4w4;
  GemmParams params{};
  MXPROOF_RETURN_IF_ERROR(gemm::set_b(kKernel, b, b_scales, params));
  MXPROOF_RETURN_IF_ERROR(gemm::set_a(kKernel, a, a_scales, params));
  MXPROOF_RETURN_IF_ERROR(gemm::set_c(kKernel, c, params));
  return gemm::tile_launch(kKernel, gemm::a4w4_variants(), tile, 1, params);
}

}  // namespace mxproof
