#include "tools/report/noise_rule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tools/report/noisy_runs.hpp"

namespace mxproof::report {
namespace {

using testing::HasSubstr;

constexpr uint64_t kSeed = 20310506;

/// Four routes and two peers on six shapes, cold and hot, graph and eager: what one run of the suite holds.
struct Suite {
  std::vector<std::string> names;
  std::vector<double> base_us;
  std::vector<double> unchanged;

  Suite() {
    const char* shapes[] = {"4x2880x512",  "16x2112x7168", "32x4096x512",
                            "32x2880x512", "64x7168x2048", "256x3072x1536"};
    const char* paths[] = {"one_kernel", "fused", "staged", "direct", "peer_bf16", "floor_stream"};
    double us = 1.4;
    for (const char* path : paths) {
      for (const char* shape : shapes) {
        for (const char* cache : {"cold", "hot"}) {
          for (const char* launch : {"graph", "eager"}) {
            names.push_back(std::string(path) + "/" + shape + "/" + cache + "/" + launch);
            base_us.push_back(us);
            us = us > 40 ? 1.4 : us * 1.13;
          }
        }
      }
    }
    unchanged.assign(names.size(), 1.0);
  }
};

TEST(NoiseRule, TwentyRepeatsOfOneBuildShowNoRegression) {
  const Suite suite;
  const RunFile base = noisy_run(suite.names, suite.base_us, suite.unchanged, "old", kSeed);
  size_t judged = 0;
  for (uint64_t repeat = 1; repeat <= 20; ++repeat) {
    const RunFile again = noisy_run(suite.names, suite.base_us, suite.unchanged, "new", kSeed + repeat);
    const auto comparison = compare_runs(base, again);
    ASSERT_TRUE(comparison.ok()) << comparison.status().message();
    for (const Change& change : comparison->changes) {
      EXPECT_FALSE(is_regression(change.outcome)) << change.row << " by " << change.change << ", threshold "
                                                  << change.threshold << ", seed " << kSeed << "+" << repeat;
      ++judged;
    }
  }
  EXPECT_EQ(judged, 20u * 96u);
}

TEST(NoiseRule, SlowdownOfTenPercentIsFlagged) {
  const Suite suite;
  std::vector<double> slowdown = suite.unchanged;
  for (size_t i = 0; i < slowdown.size(); ++i) {
    if (suite.names[i].starts_with("staged/")) slowdown[i] = 1.10;
  }
  size_t slow_rows = 0, flagged = 0;
  for (uint64_t repeat = 1; repeat <= 20; ++repeat) {
    const RunFile base = noisy_run(suite.names, suite.base_us, suite.unchanged, "old", kSeed + 1000 + repeat);
    const RunFile slow = noisy_run(suite.names, suite.base_us, slowdown, "new", kSeed + 2000 + repeat);
    const auto comparison = compare_runs(base, slow);
    ASSERT_TRUE(comparison.ok()) << comparison.status().message();
    EXPECT_TRUE(comparison->regressed()) << "seed " << kSeed << "+" << repeat;
    for (const Change& change : comparison->changes) {
      const bool planted = change.row.starts_with("staged/");
      slow_rows += planted;
      flagged += planted && change.outcome == Outcome::slower;
      if (!planted) {
        EXPECT_NE(change.outcome, Outcome::slower) << change.row << ", seed " << kSeed << "+" << repeat;
      }
    }
  }
  ASSERT_EQ(slow_rows, 20u * 24u);
  // With this noise a row's raw change has a sigma of 1.9 %, so 10 % is 2.1 sigma above the threshold of 6 %:
  // 98 % of the rows before condition 3 takes its part. Every run must be flagged, nearly every row.
  EXPECT_GE(static_cast<double>(flagged), 0.95 * static_cast<double>(slow_rows));
}

TEST(NoiseRule, MachineThatSlowsDownAltogetherIsDriftNotARegression) {
  const Suite suite;
  const std::vector<double> everything_slower(suite.names.size(), 1.12);
  const RunFile base = noisy_run(suite.names, suite.base_us, suite.unchanged, "old", kSeed);
  const RunFile slow = noisy_run(suite.names, suite.base_us, everything_slower, "new", kSeed + 1);
  const auto comparison = compare_runs(base, slow);
  ASSERT_TRUE(comparison.ok());
  ASSERT_TRUE(comparison->drift.has_value());
  EXPECT_NEAR(*comparison->drift, 0.12, 0.04);
  EXPECT_FALSE(comparison->regressed());
}

TEST(NoiseRule, DriftOfTheControlsCannotInventARegression) {
  // The controls got faster, our rows did not change: the corrected rise alone must not count.
  const std::vector<double> times = {10, 10.01, 9.99, 10.02, 9.98};
  EXPECT_EQ(judge_times(times, times, -0.2).outcome, Outcome::same);
}

TEST(NoiseRule, NoisyRowNeedsALargerRise) {
  const std::vector<double> steady = {10, 10.05, 9.95, 10.02, 9.98, 10.01, 9.99};
  const std::vector<double> shaky = {10, 12, 9, 11.5, 8.8, 10.9, 9.6};
  EXPECT_EQ(judge_times(steady, steady).threshold, kSmallestChange);
  EXPECT_GT(judge_times(steady, shaky).threshold, 0.15);
}

TEST(NoiseRule, FewRepeatsAreNotJudged) {
  const std::vector<double> few = {10, 10, 10, 10};
  const std::vector<double> slow = {20, 20, 20, 20, 20};
  EXPECT_EQ(judge_times(few, slow).outcome, Outcome::few_repeats);
}

TEST(NoiseRule, LosingThePassIsARegressionAndGainingItIsNot) {
  Row good;
  good.text = "staged/4x2880x512/cold/graph";
  good.verdict = "bit-equal";
  good.times_us = {1, 1, 1, 1, 1};
  Row bad = good;
  bad.verdict = "mismatch";
  bad.message = "3 of 11520 outputs differ";
  bad.times_us.clear();
  const Change lost = judge_row(good, bad, false);
  EXPECT_EQ(lost.outcome, Outcome::lost);
  EXPECT_EQ(lost.message, "mismatch: 3 of 11520 outputs differ");
  EXPECT_TRUE(is_regression(lost.outcome));
  EXPECT_EQ(judge_row(bad, good, false).outcome, Outcome::not_compared);
}

TEST(NoiseRule, CountsOfEmulatedDevicesAreExact) {
  Row before;
  before.verdict = "bit-equal";
  before.counters["wave_instructions"] = 100000;
  Row after = before;
  after.counters["wave_instructions"] = 100999;
  EXPECT_EQ(judge_row(before, after, true).outcome, Outcome::same);
  after.counters["wave_instructions"] = 101500;
  EXPECT_EQ(judge_row(before, after, true).outcome, Outcome::slower);
  after.counters["wave_instructions"] = 90000;
  EXPECT_EQ(judge_row(before, after, true).outcome, Outcome::faster);
}

class CompareRuns : public testing::Test {
 protected:
  const std::vector<std::string> names_ = {"staged/4x2880x512/cold/graph", "fused/4x2880x512/cold/graph"};
  RunFile old_run_ = noisy_run(names_, {2, 3}, {1, 1}, "old", kSeed);
  RunFile new_run_ = noisy_run(names_, {2, 3}, {1, 1}, "new", kSeed + 1);
};

TEST_F(CompareRuns, EqualBuildIdsAreRefused) {
  new_run_.context.build_id = "old";
  const auto comparison = compare_runs(old_run_, new_run_);
  ASSERT_FALSE(comparison.ok());
  EXPECT_EQ(comparison.status().code(), StatusCode::bad_input);
  EXPECT_THAT(comparison.status().message(), HasSubstr("same binary (build id old)"));
  EXPECT_TRUE(compare_runs(old_run_, new_run_, {.same_build = true}).ok());
}

TEST_F(CompareRuns, DifferentDevicesAreRefused) {
  new_run_.context.device = "gfx950 (emulated)";
  EXPECT_THAT(compare_runs(old_run_, new_run_).status().message(), HasSubstr("compare runs of one device"));
}

TEST_F(CompareRuns, NothingInCommonIsRefused) {
  new_run_.rows.clear();
  EXPECT_THAT(compare_runs(old_run_, new_run_, {.common_only = true}).status().message(),
              HasSubstr("nothing was compared"));
}

TEST_F(CompareRuns, FewRepeatsAreRefused) {
  new_run_.rows[1].times_us.resize(3);
  EXPECT_THAT(compare_runs(old_run_, new_run_).status().message(), HasSubstr("needs 5"));
}

TEST_F(CompareRuns, MissingRowIsARegressionUnlessOnlyCommonRowsCount) {
  new_run_.rows.pop_back();
  const auto all = compare_runs(old_run_, new_run_);
  ASSERT_TRUE(all.ok());
  EXPECT_TRUE(all->regressed());
  EXPECT_EQ(all->count(Outcome::missing), 1u);
  const auto common = compare_runs(old_run_, new_run_, {.common_only = true});
  ASSERT_TRUE(common.ok());
  EXPECT_FALSE(common->regressed());
}

}  // namespace
}  // namespace mxproof::report
