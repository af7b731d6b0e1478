#include "bench/optimized/tuning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/optimized/tuning_report.hpp"

namespace mxproof::bench {
namespace {

using testing::HasSubstr;

constexpr GemmShape kShape{5, 32, 1024};

Measurement measured(Route route, size_t tile, double us, Verdict verdict = Verdict::bit_equal) {
  Measurement m;
  m.shape = kShape;
  m.choice = {route, tile_variants(gemm_kernel(route, 1)).at(tile), 1, ""};
  m.check.verdict = verdict;
  m.us = us;
  return m;
}

const TuningOrigin kOrigin{"Some GPU", "driver 1", "abcdef", "2026-11-30", false};

TEST(TuningCandidates, AreEveryTileAndEverySplitThatKAllows) {
  for (const Route route : {Route::one_kernel, Route::staged, Route::direct}) {
    EXPECT_EQ(tuning_candidates(route, kShape).size(), tile_variants(gemm_kernel(route, 1)).size());
  }
  // K = 1024 is four chunks: splits of 2, 3 and 4.
  EXPECT_EQ(tuning_candidates(Route::fused, kShape).size(),
            tile_variants(KernelId::gemm_a4w4).size() + 3 * tile_variants(KernelId::gemm_splitk).size());
  for (const Choice& choice : tuning_candidates(Route::fused, kShape)) {
    EXPECT_TRUE(validate(choice, kShape).ok());
  }
}

TEST(BestOfRoutes, IsTheFastestRightWayOfEachRoute) {
  const std::vector<Measurement> best = best_of_routes(
      {measured(Route::direct, 0, 9), measured(Route::direct, 1, 7), measured(Route::fused, 0, 5),
       measured(Route::fused, 1, 0, Verdict::mismatch), measured(Route::staged, 0, 0, Verdict::refused)});
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0].choice.route, Route::fused);
  EXPECT_EQ(best[0].us, 5);
  EXPECT_EQ(best[1].choice.route, Route::direct);
  EXPECT_EQ(best[1].us, 7);
}

TEST(TunedTable, IsWhatTheRouterReadsFastestRouteFirst) {
  const std::string table =
      tuned_table({{measured(Route::direct, 0, 9), measured(Route::fused, 0, 5)}}, kOrigin);
  EXPECT_THAT(table, HasSubstr("# Measured on Some GPU, driver 1; commit abcdef, 2026-11-30."));
  EXPECT_THAT(table, HasSubstr("# 5.00 us\n"));
  const auto router = Router::parse(table, "table");
  ASSERT_TRUE(router.ok()) << router.status().message();
  EXPECT_EQ(router->choose(kShape).route, Route::fused);
  EXPECT_EQ(router->choose(kShape, Route::direct).tile, tile_variants(KernelId::gemm_direct).at(0));
  EXPECT_EQ(router->rows().size(), 2u);
}

TEST(TunedTable, SaysThatAnEmulatedTimeIsModelled) {
  TuningOrigin origin = kOrigin;
  origin.emulated = true;
  EXPECT_THAT(tuned_table({{measured(Route::direct, 0, 9)}}, origin), HasSubstr("# 9.00 us modelled\n"));
  EXPECT_THAT(measurements_table({{measured(Route::direct, 0, 9)}}, origin), HasSubstr("modelled_us"));
}

TEST(FaultsText, NamesWrongWaysAndNotRefusedOnes) {
  Measurement wrong = measured(Route::direct, 1, 0, Verdict::mismatch);
  wrong.check.message = "12 of 160 differ";
  const std::string text =
      faults_text({measured(Route::direct, 0, 9), wrong, measured(Route::fused, 0, 0, Verdict::refused)});
  EXPECT_THAT(text, HasSubstr("5x32x1024: direct, tile " + to_string(wrong.choice.tile)));
  EXPECT_THAT(text, HasSubstr("12 of 160 differ"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
}

}  // namespace
}  // namespace mxproof::bench
