// The rule against the noise of real devices: runs of one build, recorded one after the other in
// data/runs/noise.
#include <gtest/gtest.h>

#include "tools/report/noise_rule.hpp"
#include "tools/report/run_store.hpp"

namespace mxproof::report {
namespace {

class RecordedNoise : public testing::Test {
 protected:
  void SetUp() override {
    auto store = read_store(MXPROOF_NOISE_RUNS);
    ASSERT_TRUE(store.ok()) << store.status().message();
    ASSERT_TRUE(store->problems.empty()) << store->problems.front();
    ASSERT_GE(store->runs.size(), 21u) << "twenty repeats of a first run";
    runs_ = std::move(store->runs);
    for (const RunFile& run : runs_) {
      ASSERT_EQ(run.context.build_id, runs_.front().context.build_id) << run.file;
      ASSERT_FALSE(run.context.emulated) << run.file;
    }
  }

  RunComparison compare(const RunFile& before, const RunFile& after) const {
    auto comparison = compare_runs(before, after, {.same_build = true});
    EXPECT_TRUE(comparison.ok()) << comparison.status().message();
    return comparison.ok() ? *comparison : RunComparison{};
  }

  std::vector<RunFile> runs_;
};

TEST_F(RecordedNoise, NoRepeatIsARegression) {
  for (size_t i = 1; i < runs_.size(); ++i) {
    for (const RunFile* base : {&runs_.front(), &runs_[i - 1]}) {
      const RunComparison comparison = compare(*base, runs_[i]);
      ASSERT_FALSE(comparison.changes.empty());
      for (const Change& change : comparison.changes) {
        EXPECT_FALSE(is_regression(change.outcome))
            << runs_[i].file << " against " << base->file << ": " << change.row << " " << 100 * change.change
            << " %, threshold " << 100 * change.threshold << " %";
      }
    }
  }
}

TEST_F(RecordedNoise, TenPercentIsFoundInEveryRepeat) {
  size_t rows = 0, flagged = 0;
  for (size_t i = 1; i < runs_.size(); ++i) {
    RunFile slow = runs_[i];
    for (Row& row : slow.rows) {
      if (is_control(row)) continue;
      for (double& time : row.times_us) time *= 1.10;
    }
    const RunComparison comparison = compare(runs_.front(), slow);
    EXPECT_TRUE(comparison.regressed()) << slow.file;
    rows += comparison.changes.size();
    flagged += comparison.count(Outcome::slower);
  }
  // As for the simulated noise: a single row may hide behind a lucky run.
  EXPECT_GE(static_cast<double>(flagged), 0.95 * static_cast<double>(rows));
}

}  // namespace
}  // namespace mxproof::report
