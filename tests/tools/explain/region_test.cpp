#include "tools/explain/region.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace mxproof::explain {
namespace {

using testing::HasSubstr;

WrongMap map_where(Extent cells, const std::function<bool(int64_t, int64_t)>& wrong) {
  std::vector<uint8_t> flags;
  for (int64_t r = 0; r < cells.rows; ++r) {
    for (int64_t c = 0; c < cells.cols; ++c) flags.push_back(wrong(r, c));
  }
  return {cells, flags};
}

Region tightest(Extent cells, const std::function<bool(int64_t, int64_t)>& wrong) {
  const std::vector<Region> regions = fit_regions(map_where(cells, wrong), true);
  EXPECT_FALSE(regions.empty());
  return regions.empty() ? Region{} : regions.front();
}

TEST(Region, EverywhereIsNoRegion) {
  EXPECT_TRUE(fit_regions(map_where({32, 64}, [](int64_t, int64_t) { return true; }), true).empty());
  EXPECT_TRUE(fit_regions(map_where({32, 64}, [](int64_t, int64_t) { return false; }), true).empty());
}

TEST(Region, Tails) {
  const Region rows = tightest({40, 64}, [](int64_t r, int64_t) { return r >= 37; });
  EXPECT_EQ(rows.name, "m-tail");
  EXPECT_EQ(rows.text, "rows from 37 on");
  EXPECT_EQ(rows.size, 3 * 64);
  EXPECT_EQ(rows.density, 1);
  const Region cols = tightest({40, 64}, [](int64_t, int64_t c) { return c >= 48; });
  EXPECT_EQ(cols.name, "n-tail");
  EXPECT_TRUE(cols.contains({0, 48}));
  EXPECT_FALSE(cols.contains({39, 47}));
}

TEST(Region, ResultLanesAndRegistersOfBothShapes) {
  EXPECT_THAT(tightest({64, 64}, [](int64_t r, int64_t c) { return c % 16 == 9 && r % 16 / 4 == 2; }).text,
              HasSubstr("lane 41 of the 16x16x128 result"));
  EXPECT_THAT(tightest({128, 128}, [](int64_t r, int64_t c) { return c % 32 == 9 && r / 4 % 2 == 1; }).text,
              HasSubstr("lane 41 of the 32x32x64 result"));
  EXPECT_THAT(tightest({64, 64}, [](int64_t r, int64_t) { return r % 4 == 3; }).text,
              HasSubstr("register 3 of the 16x16x128 result"));
  // Register 6 of 32x32x64 holds rows 8*(6/4) + 6%4 = 10 and 14 of every 32.
  EXPECT_THAT(tightest({128, 64}, [](int64_t r, int64_t) { return r % 32 == 10 || r % 32 == 14; }).text,
              HasSubstr("register 6 of the 32x32x64 result"));
}

TEST(Region, OddColumns) {
  const Region region = tightest({32, 64}, [](int64_t, int64_t c) { return c % 2 == 1; });
  EXPECT_EQ(region.text, "columns odd");
  EXPECT_EQ(region.name, "columns");
}

TEST(Region, SeveralTiles) {
  const Region region = tightest({128, 256}, [](int64_t r, int64_t c) {
    return (r / 32 == 0 && c / 64 == 1) || (r / 32 == 3 && c / 64 == 2);
  });
  EXPECT_EQ(region.name, "tiles");
  EXPECT_EQ(region.size, 2 * 32 * 64);
  EXPECT_EQ(region.density, 1);
  EXPECT_TRUE(region.contains({127, 191}));
  EXPECT_FALSE(region.contains({127, 0}));
}

TEST(Region, ScatteredCellsAreNotTiles) {
  for (const Region& region : fit_regions(
           map_where({128, 256}, [](int64_t r, int64_t c) { return (r * 131 + c * 17) % 97 == 0; }), true)) {
    EXPECT_NE(region.name, "tiles") << region.text;
  }
}

TEST(Region, NamesNoSlotThatIsSeenInOneTileOnly) {
  const auto row = [](int64_t r, int64_t) { return r == 3; };
  const auto column = [](int64_t, int64_t c) { return c == 21; };
  EXPECT_EQ(fit_regions(map_where({4, 48}, row), true).front().text, "row 3");
  EXPECT_EQ(fit_regions(map_where({4, 48}, column), true).front().text, "column 21");
}

// 61,681 rows at a stride of 34,816 elements: the first offset past 2^31.
TEST(Region, NamesTheOverflowThatBeginsAtARow) {
  Region region;
  region.rows = {.first = 61681, .last = 70000, .extent = 70000, .period = 1, .residues = {0}};
  EXPECT_THAT(overflow_at(region, {70000, 16}, 34816).value_or(""),
              HasSubstr("A's element offset (row * K) passes 2^31"));
  region.rows.first = 32768;
  EXPECT_THAT(overflow_at(region, {70000, 16}, 0).value_or(""), HasSubstr("the row index passes 2^15"));
  region.rows.first = 40000;
  EXPECT_FALSE(overflow_at(region, {70000, 16}, 34816));
}

}  // namespace
}  // namespace mxproof::explain
