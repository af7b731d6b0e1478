// The six shapes of the published benchmark and its four correctness shapes, on every route.
#include <gtest/gtest.h>

#include "tests/optimized/support/device_case.hpp"
#include "tests/optimized/support/seed.hpp"

namespace mxproof {
namespace {

constexpr GemmShape kPublishedShapes[] = {
    {4, 2880, 512},    {16, 2112, 7168}, {32, 4096, 512},  {32, 2880, 512},  {64, 7168, 2048},
    {256, 3072, 1536}, {8, 2112, 7168},  {16, 3072, 1536}, {64, 3072, 1536}, {256, 2880, 512}};

class PublishedShape : public testing::TestWithParam<GemmShape> {};

TEST_P(PublishedShape, EveryRouteGivesTheReferencesBits) {
  MXPROOF_TRACE_SEED();
  const DeviceCase c = DeviceCase::normal(GetParam(), run_seed());
  EXPECT_EQ(c.expected.exact_zone_share(), 1.0);
  for (const Route route : kRoutes) {
    SCOPED_TRACE(route_name(route));
    GemmRequest request;
    request.shape = GetParam();
    request.route = route;
    expect_bit_equal(c.expected, c.run(expect_value(Plan::make(request))));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, PublishedShape, testing::ValuesIn(kPublishedShapes),
                         [](const auto& test) { return shape_text(test.param); });

}  // namespace
}  // namespace mxproof
