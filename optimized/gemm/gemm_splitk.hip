#include "optimized/checks.hpp"
#include "optimized/device/check.hpp"
#include "optimized/gemm/run_tile.hpp"
#include "optimized/gemm/tiles.hpp"

namespace mxproof {
namespace {

/// blockIdx.z is the piece of K; its sums go to its own slice.
template <class T>
using Work = gemm::TileWork<T, gemm::AOfMxfp4<T>, gemm::BShuffled<T>, gemm::PartialSink>;

template <class T>
__global__ void __launch_bounds__(T::kThreads) gemm_splitk(GemmParams p) {
  Work<T>::run(p);
}

}  // namespace

std::span<const gemm::Variant> gemm::splitk_variants() {
  static constexpr auto kVariants = make_variants(
      SplitkTiles{}, []<class T>(T) { return Variant{T::kConfig, &gemm_splitk<T>, Work<T>::kDynamicLds}; });
  return kVariants;
}

Expected<Launch> gemm_splitk_launch(DeviceCodes a, DeviceScales32x8 a_scales, DeviceCodes16x16 b,
                                    DeviceScales32x8 b_scales, float* partials, int splits, TileConfig tile) {
  constexpr auto kKernel = KernelId::gemm_splitk;
  GemmParams params{};
  MXPROOF_RETURN_IF_ERROR(gemm::set_b(kKernel, b, b_scales, params));
  MXPROOF_RETURN_IF_ERROR(gemm::set_a(kKernel, a, a_scales, params));
  MXPROOF_RETURN_IF_ERROR(check_pointer(kKernel, "partials", partials, 16));
  params.c = partials;
  return gemm::tile_launch(kKernel, gemm::splitk_variants(), tile, splits, params);
}

}  // namespace mxproof
