#include "optimized/device/check.hpp"
#include "optimized/gemm/run_tile.hpp"
#include "optimized/gemm/tiles.hpp"

namespace mxproof {
namespace {

template <class T>
using Work = gemm::TileWork<T, gemm::AOfBf16<T>, gemm::BRowMajor<T>, gemm::Bf16Sink>;

template <class T>
__global__ void __launch_bounds__(T::kThreads) gemm_a16w4(GemmParams p) {
  Work<T>::run(p);
}

}  // namespace

std::span<const gemm::Variant> gemm::a16w4_variants() {
  static constexpr auto kVariants = make_variants(
      A16w4Tiles{}, []<class T>(T) { return Variant{T::kConfig, &gemm_a16w4<T>, Work<T>::kDynamicLds}; });
  return kVariants;
}

Expected<Launch> gemm_a16w4_launch(DeviceConstBf16 a, DeviceCodes b, DeviceScales b_scales, DeviceBf16 c,
                                   TileConfig tile) {
  constexpr auto kKernel = KernelId::gemm_a16w4;
  GemmParams params{};
  MXPROOF_RETURN_IF_ERROR(gemm::set_b(kKernel, b, b_scales, params));
  MXPROOF_RETURN_IF_ERROR(gemm::set_a(kKernel, a, params));
  MXPROOF_RETURN_IF_ERROR(gemm::set_c(kKernel, c, params));
  return gemm::tile_launch(kKernel, gemm::a16w4_variants(), tile, 1, params);
}

}  // namespace mxproof
