// Two hundred shapes, every route: bit-equal with the reference and so with each other. The shapes hold every
// M from 1 to 33, the neighbours of 256, and the N and K at which padding, tails and tile edges fall
// differently.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "common/random/fill.hpp"
#include "tests/optimized/support/device_case.hpp"
#include "tests/optimized/support/seed.hpp"

namespace mxproof {
namespace {

constexpr int kShapeCount = 200;
constexpr std::array<int64_t, 3> kRowCounts = {255, 256, 257};
constexpr std::array<int64_t, 7> kColumnCounts = {16, 48, 32, 64, 80, 272, 2880};
constexpr std::array<int64_t, 7> kDepths = {64, 96, 128, 384, 1664, 1856, 7168};
/// Keeps one case below a tenth of a second or so.
constexpr int64_t kMaxProducts = int64_t{1} << 27;

/// Shape `index` of the sweep, a function of the seed.
GemmShape sweep_shape(int index, uint64_t seed) {
  uint64_t draws = 0;
  const auto below = [&](uint64_t n) {
    return static_cast<int64_t>(
        random_word(seed, TensorId::test, 8 * static_cast<uint64_t>(index) + draws++) % n);
  };
  const auto at = [](const auto& list, int64_t i) { return list[static_cast<size_t>(i) % list.size()]; };
  GemmShape shape;
  shape.m = index < 33 ? index + 1 : index % 4 == 0 ? at(kRowCounts, below(3)) : 1 + below(130);
  shape.n = index % 2 == 0 ? at(kColumnCounts, index / 2) : 16 * (1 + below(20));
  shape.k = index % 3 == 0 ? at(kDepths, index / 3) : 64 * (1 + below(20));
  while (shape.m * shape.n * shape.k > kMaxProducts && shape.m > 33) shape.m /= 2;
  return shape;
}

/// Shapes of one test: fewer processes than shapes.
constexpr int kShapesPerTest = 20;
static_assert(kShapeCount % kShapesPerTest == 0);

class Sweep : public testing::TestWithParam<int> {};

TEST_P(Sweep, EveryRouteGivesTheReferencesBits) {
  MXPROOF_TRACE_SEED();
  int runs = 0;
  for (int index = GetParam() * kShapesPerTest; index < (GetParam() + 1) * kShapesPerTest; ++index) {
    const GemmShape shape = sweep_shape(index, run_seed());
    SCOPED_TRACE(shape_text(shape));
    const DeviceCase c = DeviceCase::normal(shape, run_seed() + static_cast<uint64_t>(index));
    for (const Route route : kRoutes) {
      SCOPED_TRACE(route_name(route));
      // codes_16x16 has K in 64s; one_kernel reads row-major codes and takes any whole number of blocks.
      if (shape.k % 64 != 0 && route != Route::one_kernel) continue;
      GemmRequest request;
      request.shape = shape;
      request.route = route;
      expect_accepted(c.expected, c.run(expect_value(Plan::make(request))));
      ++runs;
    }
  }
  EXPECT_GE(runs, kShapesPerTest);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Sweep, testing::Range(0, kShapeCount / kShapesPerTest));

TEST(SweepShapes, HoldTheListedOnes) {
  std::set<int64_t> m;
  std::set<int64_t> n;
  std::set<int64_t> k;
  for (int i = 0; i < kShapeCount; ++i) {
    const GemmShape shape = sweep_shape(i, run_seed());
    m.insert(shape.m);
    n.insert(shape.n);
    k.insert(shape.k);
  }
  for (int64_t rows = 1; rows <= 33; ++rows) EXPECT_TRUE(m.contains(rows)) << rows;
  for (const int64_t columns : kColumnCounts) EXPECT_TRUE(n.contains(columns)) << columns;
  for (const int64_t depth : kDepths) EXPECT_TRUE(k.contains(depth)) << depth;
}

}  // namespace
}  // namespace mxproof
