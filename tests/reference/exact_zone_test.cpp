#include "reference/exact_zone.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "common/random/fill.hpp"
#include "reference/exact_sum.hpp"
#include "reference/gemm.hpp"
#include "reference/models.hpp"
#include "reference/quantize.hpp"
#include "reference/zone_map.hpp"

namespace mxproof::reference {
namespace {

using Terms = std::vector<BlockTerm>;

TEST(ExactZone, EndsWhereTheSumOfWeightsPasses3640) {
  // One block of weight 1 and the rest of weight 2^11 and less: 3640 = 2048 + 1024 + 512 + 32 + 16 + 8.
  const Terms inside = {{4608, 3}, {4608, 4}, {4608, 5}, {4608, 9}, {4608, 10}, {4608, 11}, {-1, 0}};
  Terms sum_3640 = inside;
  sum_3640.pop_back();
  for (BlockTerm& t : sum_3640) t.exponent -= 3;
  // 1 + 2 + 4 + 64 + 128 + 256 = 455 = 3640 / 8
  EXPECT_TRUE(in_exact_zone(sum_3640));
  EXPECT_FALSE(in_exact_zone(inside));  // the unit is now 8 times smaller: 3641
  Terms at_limit = inside;
  at_limit[0].exponent = 2;
  at_limit.push_back({1, 0});
  at_limit.push_back({1, 0});
  at_limit.push_back({1, 0});
  EXPECT_TRUE(in_exact_zone(at_limit));  // 3632 + 4 + 4 = 3640
  at_limit.push_back({1, 0});
  EXPECT_FALSE(in_exact_zone(at_limit));
}

TEST(ExactZone, BlocksWithoutADotDoNotCount) {
  EXPECT_TRUE(in_exact_zone(Terms{{0, -254}, {5, 0}, {0, 254}}));
  EXPECT_TRUE(in_exact_zone(Terms{{0, -254}, {0, 254}}));
  EXPECT_FALSE(in_exact_zone(Terms{{1, 0}, {1, 12}}));
}

TEST(ExactZone, NeedsUnitsThatF32Holds) {
  EXPECT_TRUE(in_exact_zone(Terms{{1, -147}}));
  EXPECT_FALSE(in_exact_zone(Terms{{1, -148}}));  // a quarter of 2^-148 is below 2^-149
  EXPECT_TRUE(in_exact_zone(Terms{{4608, 106}}));
  EXPECT_FALSE(in_exact_zone(Terms{{4608, 107}}));
}

/// Adds in f32 in the order given.
float plain_sum(const Terms& terms) {
  float sum = 0;
  for (const BlockTerm& t : terms) sum += std::ldexp(static_cast<float>(t.quarters), t.exponent - 2);
  return sum;
}

/// Random terms whose zone sum comes close to the limit, at either end of the exponents too.
Terms random_terms_in_zone(std::mt19937_64& random) {
  const int base = std::array{0, -147, 106, -60, 50}[random() % 5];
  Terms terms;
  int64_t budget = kExactZoneLimit - 1;
  terms.push_back({static_cast<int32_t>(random() % 4608) + 1, base});
  while (budget > 0 && terms.size() < 300) {
    const int step = static_cast<int>(random() % 12);
    if (int64_t{1} << step > budget) {
      if (random() % 4 == 0) break;
      continue;
    }
    budget -= int64_t{1} << step;
    const auto largest = static_cast<int32_t>(random() % 2 == 0 ? 4608 : random() % 4608);
    terms.push_back({random() % 2 == 0 ? largest : -largest, base + step});
  }
  return terms;
}

TEST(ExactZone, NoOrderNoModelAndNoSplitChangesABitInside) {
  constexpr uint64_t kSeed = 0x5eed0040;
  std::mt19937_64 random(kSeed);
  int64_t compared = 0;
  for (int round = 0; round < 400; ++round) {
    Terms terms = random_terms_in_zone(random);
    ASSERT_TRUE(in_exact_zone(terms)) << "seed " << kSeed << " round " << round;
    ExactSum exact;
    for (const BlockTerm& t : terms) exact.add(t.quarters, t.exponent - 2);
    for (int shuffle = 0; shuffle < 3; ++shuffle) {
      ASSERT_EQ(plain_sum(terms), exact.to_f32()) << "seed " << kSeed << " round " << round;
      for (const int64_t split : {1, 3, 8}) {
        for (const AccumulationModel& model : accumulation_models(split)) {
          ASSERT_EQ(accumulate(model, terms), exact.to_f32())
              << model.name() << " seed " << kSeed << " round " << round;
          ++compared;
        }
      }
      std::shuffle(terms.begin(), terms.end(), random);
    }
  }
  EXPECT_GT(compared, 20000);
}

TEST(ZoneMap, CountsAsTheExactTestDoes) {
  constexpr uint64_t kSeed = 0x5eed0041;
  for (const int spread : {2, 8, 14}) {
    Mxfp4Matrix a(20, 256);
    Mxfp4Matrix b(30, 256);
    for (Mxfp4Matrix* m : {&a, &b}) {
      fill_bytes(m->codes, kSeed, m == &a ? TensorId::a : TensorId::b);
      fill_bytes(m->scales, kSeed, TensorId::scales);
      for (uint8_t& s : m->scales) s = static_cast<uint8_t>(120 + s % (spread + 1));
    }
    std::fill_n(a.code_row(3), 128, uint8_t{0});
    b.scale_row(7)[2] = 255;
    a.scale_row(4)[0] = 2;
    int64_t inside = 0;
    for (int64_t r = 0; r < a.rows; ++r) {
      for (int64_t c = 0; c < b.rows; ++c) {
        const OutputTerms terms = output_terms(a, r, b, c);
        inside += terms.nan || in_exact_zone(terms.blocks) ? 1 : 0;
      }
    }
    EXPECT_EQ(count_in_exact_zone(a, b), inside) << "seed " << kSeed << " spread " << spread;
    EXPECT_GT(inside, 0);
    if (spread > 2) {
      EXPECT_LT(inside, 600);
    }
  }
}

TEST(ExactZone, OrdinaryGaussianDataLieInside) {
  for (const int64_t k : {512, 1536, 2048, 7168}) {
    const Mxfp4Matrix a = quantize(normal_matrix(8, k, 31, TensorId::a).view()).value();
    const Mxfp4Matrix b = quantize(normal_matrix(48, k, 31, TensorId::b).view()).value();
    EXPECT_EQ(count_in_exact_zone(a, b), 8 * 48) << k;
  }
}

}  // namespace
}  // namespace mxproof::reference
