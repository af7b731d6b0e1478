#include "optimized/router/router.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/layout/extent.hpp"
#include "optimized/checks.hpp"
#include "optimized/router/tuned_tables.hpp"

namespace mxproof {
namespace {

using testing::HasSubstr;

/// Tile, waves, slices and splits of a row: the first tile that `kernel` was compiled for.
std::string tile_of(KernelId kernel, int splits) {
  const TileConfig tile = tile_variants(kernel).at(0);
  return fmt::format("{},{},{},{},{}", tile.tile_m, tile.tile_n, tile.waves, tile.slices, splits);
}

const std::string kHeader = "m,n,k,route,tile_m,tile_n,waves,slices,splits\n";

std::string error_of(const std::string& csv) {
  const auto router = Router::parse(csv, "table.csv");
  EXPECT_FALSE(router.ok());
  EXPECT_EQ(router.status().code(), StatusCode::bad_input);
  return router.status().message();
}

TEST(Router, EveryBuiltInTableIsValidAndNotEmpty) {
  ASSERT_FALSE(tuned_tables().empty());
  for (const TunedTable& table : tuned_tables()) {
    const auto router = Router::for_arch(table.arch);
    ASSERT_TRUE(router.ok()) << router.status().message();
    EXPECT_FALSE(router.value().rows().empty()) << table.arch;
  }
}

TEST(Router, TheTunedRowOfExactlyTheShapeDecides) {
  const auto router = Router::parse(
      kHeader + "# comment\n16,2112,7168,fused," + tile_of(KernelId::gemm_splitk, 7) + "\n", "table.csv");
  ASSERT_TRUE(router.ok()) << router.status().message();
  const Choice tuned = router.value().choose({16, 2112, 7168});
  EXPECT_EQ(tuned.route, Route::fused);
  EXPECT_EQ(tuned.splits, 7);
  EXPECT_EQ(tuned.reason, "tuned: table.csv line 3");
  EXPECT_EQ(router.value().choose({17, 2112, 7168}).reason, "default");
}

TEST(Router, AShapeMayHaveARowForEachRoute) {
  const auto router = Router::parse(kHeader + "4,16,512,fused," + tile_of(KernelId::gemm_splitk, 2) +
                                        "\n4,16,512,direct," + tile_of(KernelId::gemm_direct, 1) + "\n",
                                    "table.csv");
  ASSERT_TRUE(router.ok()) << router.status().message();
  EXPECT_EQ(router.value().choose({4, 16, 512}).route, Route::fused);
  EXPECT_EQ(router.value().choose({4, 16, 512}, Route::fused).splits, 2);
  EXPECT_EQ(router.value().choose({4, 16, 512}, Route::direct).reason, "tuned: table.csv line 3");
  EXPECT_EQ(router.value().choose({4, 16, 512}, Route::staged).reason, "requested route, default tile");
}

TEST(Router, DefaultRule) {
  const Router router;
  EXPECT_EQ(router.choose({32, 64, 1024}).route, Route::one_kernel);
  EXPECT_EQ(router.choose({32, 64, 1088}).route, Route::fused);
  EXPECT_EQ(router.choose({33, 64, 64}).route, Route::staged);
}

/// One column tile more than a grid takes of the narrowest tile: a wider one must be chosen where there is
/// one.
TEST(Router, DefaultTilesFitTheGrid) {
  int wider = 0;
  for (const KernelId kernel :
       {KernelId::gemm_a16w4, KernelId::gemm_a4w4, KernelId::gemm_direct, KernelId::gemm_splitk}) {
    std::vector<int64_t> widths;
    for (const TileConfig& tile : tile_variants(kernel)) widths.push_back(tile.tile_n);
    const int64_t narrowest = *std::ranges::min_element(widths);
    const int64_t n = (kMostGroupsSideBySide + 1) * narrowest;
    const bool can_fit = *std::ranges::max_element(widths) > narrowest;
    const int64_t groups = ceil_div(n, default_tile(kernel, {3, n, 64}).tile_n);
    EXPECT_EQ(groups <= kMostGroupsSideBySide, can_fit) << kernel_info(kernel).name;
    wider += can_fit ? 1 : 0;
  }
  EXPECT_GT(wider, 0);
}

TEST(Router, BadRowsAreNamed) {
  const std::string direct = tile_of(KernelId::gemm_direct, 1);
  EXPECT_THAT(error_of(""), HasSubstr("no header"));
  EXPECT_THAT(error_of("m,n,k\n"), HasSubstr("table.csv line 1: the header must be"));
  EXPECT_THAT(error_of(kHeader + "1,16\n"), HasSubstr("line 2: 2 fields instead of 9"));
  EXPECT_THAT(error_of(kHeader + "x,16,64,direct," + direct + "\n"), HasSubstr("m is 'x'"));
  EXPECT_THAT(error_of(kHeader + "1,-16,64,direct," + direct + "\n"), HasSubstr("n is '-16'"));
  EXPECT_THAT(error_of(kHeader + "1,16,64,teleport," + direct + "\n"), HasSubstr("no route 'teleport'"));
  EXPECT_THAT(error_of(kHeader + "1,16,64,direct,17,64,1,1,1\n"),
              HasSubstr("gemm_direct was not compiled for tile 17x64"));
  EXPECT_THAT(error_of(kHeader + "1,16,512,direct," + tile_of(KernelId::gemm_direct, 2) + "\n"),
              HasSubstr("only fused"));
  EXPECT_THAT(error_of(kHeader + "1,16,512,fused," + tile_of(KernelId::gemm_splitk, 3) + "\n"),
              HasSubstr("cannot be cut into 3"));
  EXPECT_THAT(error_of(kHeader + "1,16,64,direct," + direct + "\n1,16,64,direct," + direct + "\n"),
              HasSubstr("line 3: shape 1x16x64 has a row for direct already"));
}

}  // namespace
}  // namespace mxproof
