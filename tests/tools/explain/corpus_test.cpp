// The engine against planted faults, on shapes that no threshold was chosen on.
#include "tools/explain/corpus/corpus.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace mxproof::explain {
namespace {

TEST(Corpus, HasSixtyFaultsAndNoNameTwice) {
  std::set<std::string_view> names;
  for (const Fault& fault : all_faults()) EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
  EXPECT_GE(names.size(), 60u);
  for (const Fault& fault : faults_small()) EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
  for (const Fault& fault : faults_unforeseen()) EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
}

TEST(Corpus, ScoresOnOtherShapesThanItWasTunedOn) {
  for (const GemmShape& tuned : tuning_shapes()) {
    for (const GemmShape& scored : scoring_shapes()) EXPECT_FALSE(tuned == scored);
  }
  for (const GemmShape& unforeseen : unforeseen_shapes()) {
    for (const GemmShape& scored : scoring_shapes()) EXPECT_FALSE(unforeseen == scored);
  }
}

// Every fault, in turn on one of the scoring shapes. `mxproof explain --self-test` runs all on all.
TEST(Corpus, NamesTheTrueCauseAndNeverAWrongOneWithConfidence) {
  const uint64_t seed = 51;  // mxproof explain --self-test draws others
  SCOPED_TRACE(testing::Message() << "mxproof explain --self-test --seed " << seed);
  const CorpusResult result = run_corpus(all_faults(), scoring_shapes(), seed, Coverage::one_shape_each);
  EXPECT_GE(result.trials.size(), 60u);
  EXPECT_TRUE(is_good_enough(result)) << confusion_table(result);
}

TEST(Corpus, IsNotFooledByFaultsThatNobodyForesaw) {
  const uint64_t seed = 51;  // mxproof explain --self-test draws others
  SCOPED_TRACE(testing::Message() << "mxproof explain --self-test --seed " << seed);
  const CorpusResult result =
      run_corpus(faults_unforeseen(), unforeseen_shapes(), seed, Coverage::one_shape_each);
  EXPECT_EQ(result.trials.size(), faults_unforeseen().size());
  EXPECT_TRUE(is_good_enough(result)) << confusion_table(result);
}

TEST(Corpus, PrefersThePlainCauseOfASmallResult) {
  const uint64_t seed = 51;  // mxproof explain --self-test draws others
  SCOPED_TRACE(testing::Message() << "mxproof explain --self-test --seed " << seed);
  const CorpusResult result = run_corpus(faults_small(), small_shapes(), seed, Coverage::every_shape);
  EXPECT_GE(result.trials.size(), 3 * faults_small().size());
  EXPECT_TRUE(is_good_enough(result)) << confusion_table(result);
}

}  // namespace
}  // namespace mxproof::explain
