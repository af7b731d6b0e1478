#include "common/random/normal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/random/fill.hpp"

namespace mxproof {
namespace {

// The distribution function, from the C library: independent of the quantile's coefficients.
double distribution(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  for (int exponent = 1; exponent <= 33; ++exponent) {
    for (int step = 0; step < 64; ++step) {
      const double p = std::ldexp(1 + step / 64.0, -exponent);
      if (p >= 1) continue;
      // An error dx of the quantile moves p by dx * density, and density / p < |x| + 1 in the tail.
      EXPECT_NEAR(distribution(normal_quantile(p)) / p, 1, 1e-13) << "p = " << p;
      EXPECT_NEAR(normal_quantile(1 - p), -normal_quantile(p), 1e-6 * std::abs(normal_quantile(p)) + 1e-15)
          << "p = " << p;
    }
  }
}

TEST(NormalQuantile, LargestAndSmallestValues) {
  EXPECT_NEAR(normal_from_bits(0), -6.338, 1e-3);
  EXPECT_NEAR(normal_from_bits(0xffffffff), 6.338, 1e-3);
  EXPECT_LT(normal_from_bits(0x7fffffff), 0);
  EXPECT_GT(normal_from_bits(0x80000000), 0);
}

TEST(NormalQuantile, IsSymmetricToTheLastBit) {
  for (uint64_t word = 0; word <= 0x7fffffff; word += 0x10001) {
    const auto low = static_cast<uint32_t>(word);
    ASSERT_EQ(normal_from_bits(low), -normal_from_bits(~low)) << low;
  }
}

// Kolmogorov and Smirnov: with n samples the largest gap exceeds 1.95 / sqrt(n) once in a thousand seeds, and
// the seed is fixed. Rounding to bf16 moves a value by at most 2^-9 of itself: at most 0.001 in p.
TEST(NormalFill, HasTheNormalDistribution) {
  constexpr size_t kSamples = 200'000;
  std::vector<Bf16> values(kSamples);
  fill_normal(values, 1, TensorId::test);
  std::vector<double> sorted;
  for (const Bf16 value : values) sorted.push_back(value.to_float());
  std::ranges::sort(sorted);
  double worst = 0;
  for (size_t i = 0; i < kSamples; ++i)
    worst = std::max(worst, std::abs(distribution(sorted[i]) - (static_cast<double>(i) + 0.5) / kSamples));
  EXPECT_LT(worst, 1.95 / std::sqrt(kSamples) + 0.001);
}

}  // namespace
}  // namespace mxproof
