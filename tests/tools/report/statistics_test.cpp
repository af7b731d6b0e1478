#include "tools/report/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace mxproof::report {
namespace {

TEST(Statistics, QuantilesInterpolateBetweenOrderStatistics) {
  const std::vector<double> values = {5, 1, 3, 2, 4};
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 1), 5);
  EXPECT_EQ(quantile(values, 0.5), 3);
  EXPECT_EQ(quantile(values, 0.25), 2);
  EXPECT_DOUBLE_EQ(quantile(values, 0.1), 1.4);
  EXPECT_EQ(median(std::vector<double>{1, 2}), 1.5);
  EXPECT_EQ(median(std::vector<double>{7}), 7);
}

TEST(Statistics, SpreadEstimatesSigmaAndIgnoresOutliers) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(100, 2);
  std::vector<double> values;
  for (int i = 0; i < 20001; ++i) values.push_back(normal(random));
  // The estimate from 20001 values has a standard error of 1.2 %.
  EXPECT_NEAR(summarize(values).spread, 0.02, 0.02 * 0.06);
  for (int i = 0; i < 1000; ++i) values[static_cast<size_t>(i)] = 1e6;
  EXPECT_NEAR(summarize(values).spread, 0.02, 0.02 * 0.15);
  EXPECT_NEAR(summarize(values).median, 100, 0.3);
}

TEST(Statistics, GeometricMeanOfPowers) {
  EXPECT_NEAR(geometric_mean(std::vector<double>{1, 4, 16}), 4, 1e-12);
}

}  // namespace
}  // namespace mxproof::report
