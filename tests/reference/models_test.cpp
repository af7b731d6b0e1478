// Where the accumulation models part: the probes that tell them from one another, and the report over a whole
// product.
#include "reference/models.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "common/compare/judge.hpp"
#include "reference/gemm.hpp"
#include "reference/round.hpp"

namespace mxproof::reference {
namespace {

using Terms = std::vector<BlockTerm>;

BlockTerm term(int32_t value, int exponent) {
  return {4 * value, exponent};
}

float run(Accumulation a, const Terms& terms, int blocks = 4, int64_t split = 1) {
  return accumulate({a, blocks, split}, terms);
}

TEST(Models, HaveDistinctNames) {
  std::set<std::string> names;
  for (const AccumulationModel& m : accumulation_models(4))
    EXPECT_TRUE(names.insert(m.name()).second) << m.name();
  EXPECT_EQ(names.size(), 14u);
  EXPECT_TRUE(names.contains("sequential"));
  EXPECT_TRUE(names.contains("truncating/32x32x64/split-4"));
  EXPECT_EQ(accumulation_models(1).size(), 7u);
}

TEST(Models, FourTinyTermsAfterOne) {
  // C = 1 by a first instruction, then four terms of 2^-24, each half a step of C.
  const Terms terms = {term(1, 0),   term(0, 0),   term(0, 0),   term(0, 0),
                       term(1, -24), term(1, -24), term(1, -24), term(1, -24)};
  EXPECT_EQ(run(Accumulation::sequential, terms), 1.0f);             // each is a tie, to even
  EXPECT_EQ(run(Accumulation::fused, terms), 1.0f + 0x1p-22f);       // together 2^-22
  EXPECT_EQ(run(Accumulation::truncating, terms), 1.0f + 0x1p-22f);  // 24 bits below 1 are kept
  EXPECT_EQ(run(Accumulation::tree, terms), 1.0f + 0x1p-22f);
}

TEST(Models, TheInstructionShapeShowsInFourQuarters) {
  const Terms terms = {term(1, 0),   term(0, 0),   term(0, 0),   term(0, 0),
                       term(1, -25), term(1, -25), term(1, -25), term(1, -25)};
  EXPECT_EQ(run(Accumulation::fused, terms, 4), 1.0f + 0x1p-23f);  // 2^-23 at once
  EXPECT_EQ(run(Accumulation::fused, terms, 2), 1.0f);             // two ties of 2^-24, to even
}

TEST(Models, CancellationOfLargeTerms) {
  const Terms terms = {term(1, 40), term(-1, 40), term(1, 0), term(0, 0)};
  EXPECT_EQ(run(Accumulation::sequential, terms), 1.0f);
  EXPECT_EQ(run(Accumulation::fused, terms), 1.0f);
  EXPECT_EQ(run(Accumulation::truncating, terms), 0.0f);  // 1 lies 40 bits below the largest
  const Terms late = {term(1, 40), term(1, 0), term(-1, 40), term(0, 0)};
  EXPECT_EQ(run(Accumulation::sequential, late), 0.0f);
  EXPECT_EQ(run(Accumulation::fused, late), 1.0f);
  EXPECT_EQ(run(Accumulation::tree, late), 0.0f);
}

TEST(Models, TruncationFloorsATinyNegativeC) {
  // C = -2^-30 from the first instruction; then 1. Floored at 2^-24 it costs a unit, cut toward zero it would
  // cost nothing.
  const Terms terms = {term(-1, -30), term(0, 0), term(0, 0), term(0, 0),
                       term(1, 0),    term(0, 0), term(0, 0), term(0, 0)};
  EXPECT_EQ(run(Accumulation::truncating, terms), 1.0f - 0x1p-24f);
  EXPECT_EQ(run(Accumulation::sequential, terms), 1.0f);
  EXPECT_EQ(run(Accumulation::fused, terms), 1.0f);
}

TEST(Models, SubnormalSumsAndOverflow) {
  const Terms subnormal = {term(1, -149), term(1, -150), term(1, -151), term(0, 0)};
  EXPECT_EQ(std::bit_cast<uint32_t>(run(Accumulation::sequential, subnormal)),
            2u);  // 1, then tie to 2, then 2
  EXPECT_EQ(std::bit_cast<uint32_t>(run(Accumulation::fused, subnormal)), 2u);
  const Terms overflow = {term(1, 127), term(1, 127), term(-1, 127), term(0, 0)};
  EXPECT_TRUE(std::isinf(run(Accumulation::sequential, overflow)));
  EXPECT_EQ(run(Accumulation::fused, overflow), 0x1p127f);
}

TEST(Models, SplitsAddInF32) {
  const Terms terms = {term(1, 0), {}, {}, {}, term(1, -24), {}, {}, {}, term(1, -24), {}, {}, {}};
  EXPECT_EQ(run(Accumulation::sequential, terms, 4, 1), 1.0f);
  EXPECT_EQ(run(Accumulation::sequential, terms, 4, 3), 1.0f);
  // One split in two: 1 | 2^-24 + 2^-24.
  EXPECT_EQ(run(Accumulation::sequential, terms, 4, 2), 1.0f + 0x1p-23f);
}

/// One output whose terms are the given powers of two.
GemmReference product_of(const std::vector<int>& exponents, const std::vector<int>& signs, int64_t split = 1,
                         std::optional<MfmaAccumulation> accumulation = {}) {
  const auto blocks = static_cast<int64_t>(exponents.size());
  Mxfp4Matrix a(1, blocks * 32);
  Mxfp4Matrix b(1, blocks * 32);
  for (int64_t i = 0; i < blocks; ++i) {
    a.code_row(0)[i * 16] = signs[static_cast<size_t>(i)] < 0 ? 0xa : 0x2;
    b.code_row(0)[i * 16] = 0x2;
    const int half = exponents[static_cast<size_t>(i)] / 2;
    a.scale_row(0)[i] = static_cast<uint8_t>(127 + half);
    b.scale_row(0)[i] = static_cast<uint8_t>(127 + exponents[static_cast<size_t>(i)] - half);
  }
  return gemm(a, b, {.split_k = split, .accumulation = accumulation}).value();
}

TEST(Models, ReportNamesTheOutputsThatDiffer) {
  const GemmReference c = product_of({40, 0, 40, 0}, {1, 1, -1, 1});
  const ModelReport report = c.model_report();
  EXPECT_EQ(report.outside_zone, 1);
  EXPECT_EQ(report.differ_in_f32, 1);
  EXPECT_EQ(report.differ_in_bf16, 1);
  ASSERT_EQ(report.examples.size(), 1u);
  std::map<std::string, float> by_model;
  for (const ModelOutput& o : report.examples[0].models) by_model[std::string(o.model)] = o.f32;
  EXPECT_EQ(by_model.at("sequential"), 1.0f);
  EXPECT_EQ(by_model.at("fused/16x16x128"), 2.0f);
  EXPECT_EQ(by_model.at("truncating/16x16x128"), 0.0f);
  EXPECT_EQ(product_of({0, 1, 2}, {1, 1, 1}).model_report().outside_zone, 0);
}

TEST(Models, AResultOfANamedModelPassesAndIsNamed) {
  const GemmReference c = product_of({40, 0, 40, 0}, {1, 1, -1, 1});
  const auto judged = [&](float value) {
    return judge(
        Acceptance::exact_zone(), c,
        Matrix<Bf16>(1, 1, Bf16{static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16)}).view());
  };
  EXPECT_EQ(judged(2.0f).verdict, Verdict::bit_equal);
  EXPECT_EQ(judged(1.0f).verdict, Verdict::within_bound);
  EXPECT_EQ(judged(1.0f).first->accepted_by, "sequential");
  EXPECT_EQ(judged(0.0f).first->accepted_by, "truncating/16x16x128");
}

TEST(Bound, HoldsAllModelsAndIsNotIdle) {
  const GemmReference c = product_of({0, -24, -24, -24, -25, -24, -3, -24}, {1, 1, 1, 1, 1, -1, -1, 1}, 2);
  const OutputFacts facts = c.facts(0, 0);
  ASSERT_TRUE(facts.bound.has_value());
  EXPECT_FALSE(facts.in_exact_zone);
  for (const ModelOutput& o : c.model_outputs(0, 0)) {
    EXPECT_LE(facts.bound->low.to_float(), o.bf16.to_float()) << o.model;
    EXPECT_GE(facts.bound->high.to_float(), o.bf16.to_float()) << o.model;
  }
  EXPECT_LE(ulp_distance(facts.bound->low, facts.bound->high), 1);
}

TEST(Bound, HoldsAllModelsOnRandomWideProducts) {
  constexpr uint64_t kSeed = 0x5eed0050;
  std::mt19937_64 random(kSeed);
  int64_t checked = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<int> exponents(8 + random() % 24);
    std::vector<int> signs(exponents.size());
    const int base = std::array{0, -140, 100}[random() % 3];
    for (size_t i = 0; i < exponents.size(); ++i) {
      exponents[i] = base + static_cast<int>(random() % 30) - 15;
      signs[i] = random() % 2 == 0 ? 1 : -1;
    }
    const GemmReference c = product_of(exponents, signs, 3);
    const auto bound = c.derived_bound(0, 0);
    if (!bound) continue;
    for (const ModelOutput& o : c.model_outputs(0, 0)) {
      ASSERT_LE(bound->low.to_float(), o.bf16.to_float())
          << o.model << " seed " << kSeed << " round " << round;
      ASSERT_GE(bound->high.to_float(), o.bf16.to_float())
          << o.model << " seed " << kSeed << " round " << round;
      ++checked;
    }
  }
  EXPECT_GT(checked, 2000);
}

TEST(Bound, AKnownAccumulationLeavesItsOwnModelAlone) {
  // 2^40 + 1 - 2^40 + 1: sequential gives 1, fused 2 in one instruction and 1 in two, truncating 0.
  const GemmReference any = product_of({40, 0, 40, 0}, {1, 1, -1, 1});
  ASSERT_FALSE(any.in_exact_zone(0, 0));
  for (const float value : {0.0f, 1.0f, 2.0f})
    EXPECT_TRUE(any.matching_model(0, 0, round_to_bf16(value)).has_value());
  EXPECT_TRUE(any.derived_bound(0, 0).has_value());
  const auto known = [](MfmaAccumulation accumulation) {
    return product_of({40, 0, 40, 0}, {1, 1, -1, 1}, 1, accumulation);
  };
  const GemmReference fused = known(MfmaAccumulation::fused);
  EXPECT_EQ(fused.matching_model(0, 0, round_to_bf16(2.0f)), "fused/16x16x128");
  EXPECT_FALSE(fused.matching_model(0, 0, round_to_bf16(0.0f)).has_value());
  EXPECT_FALSE(fused.derived_bound(0, 0).has_value());
  EXPECT_EQ(known(MfmaAccumulation::sequential).matching_model(0, 0, round_to_bf16(1.0f)), "sequential");
}

TEST(Bound, GrowsWithTheTermsThatCancel) {
  // 2^30 - 2^30 + 1 + 1: sequential, fused and truncating give 1, 2 and 0, and f32 alone cannot do better.
  const GemmReference c = product_of({30, 0, 30, 0}, {1, 1, -1, 1});
  const auto bound = c.derived_bound(0, 0);
  ASSERT_TRUE(bound.has_value());
  EXPECT_LE(bound->low.to_float(), 0.0f);
  EXPECT_GE(bound->high.to_float(), 2.0f);
  EXPECT_LE(bound->high.to_float(), 2.0f + 10 * 0x1p31f * 0x1p-24f);  // n = 2 * 4 + 1, sum 2^31
}

TEST(Bound, DoesNotExistWherePartialSumsMayOverflow) {
  EXPECT_FALSE(product_of({127, 127}, {1, -1}).derived_bound(0, 0).has_value());
  EXPECT_TRUE(product_of({126, 125}, {1, -1}).derived_bound(0, 0).has_value());
}

}  // namespace
}  // namespace mxproof::reference
