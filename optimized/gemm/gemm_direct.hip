#include "optimized/device/check.hpp"
#include "optimized/gemm/a_source.hpp"
#include "optimized/gemm/b_source.hpp"
#include "optimized/gemm/c_sink.hpp"
#include "optimized/gemm/tile_list.hpp"

namespace mxproof {
namespace {

template <class T>
__global__ void __launch_bounds__(T::kThreads) gemm_direct(GemmParams p) {
  gemm::run_tile<T, gemm::Bf16Source<T::kTileM, T::kThreads>, gemm::ShuffledB<T::kColumnTiles>,
                 gemm::Bf16Sink>(p);
}

using Tiles = gemm::TileList<gemm::Tile<16, 64, 1>, gemm::Tile<16, 128, 2>, gemm::Tile<32, 64, 1>,
                             gemm::Tile<32, 64, 2>, gemm::Tile<32, 128, 2>, gemm::Tile<64, 128, 4>>;

}  // namespace

std::span<const gemm::Variant> gemm::direct_variants() {
  static constexpr auto kVariants = make_variants(Tiles{}, []<class T>(T) { return &gemm_direct<T>; });
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
