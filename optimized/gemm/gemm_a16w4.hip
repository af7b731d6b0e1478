#include "optimized/device/check.hpp"
#include "optimized/gemm/a_source.hpp"
#include "optimized/gemm/b_source.hpp"
#include "optimized/gemm/c_sink.hpp"
#include "optimized/gemm/tile_list.hpp"

namespace mxproof {
namespace {

template <class T>
__global__ void __launch_bounds__(T::kThreads) gemm_a16w4(GemmParams p) {
  gemm::run_tile<T, gemm::Bf16Source<T::kTileM, T::kThreads>, gemm::RowMajorB<T::kColumnTiles>,
                 gemm::Bf16Sink>(p);
}

using Tiles = gemm::TileList<gemm::Tile<16, 64, 1>, gemm::Tile<16, 128, 2>, gemm::Tile<32, 64, 1>,
                             gemm::Tile<32, 64, 2>, gemm::Tile<32, 128, 2>>;

}  // namespace

std::span<const gemm::Variant> gemm::a16w4_variants() {
  static constexpr auto kVariants = make_variants(Tiles{}, []<class T>(T) { return &gemm_a16w4<T>; });
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
