// Everything that mxproof_bench times, run on the device of this machine: the verification beside each time
// must pass on right outputs, and must not pass on unwritten or wrong ones. Times are not looked at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/optimized/floor.hpp"
#include "bench/optimized/kernel_work.hpp"
#include "bench/optimized/route_work.hpp"
#include "bench/optimized/stopwatch.hpp"
#include "optimized/device/check.hpp"

namespace mxproof::bench {
namespace {

constexpr uint64_t kSeed = 29;
constexpr int kSets = 3;

struct Subject {
  std::string name;
  std::function<Expected<std::unique_ptr<Work>>(std::shared_ptr<const Operands>)> make;
};

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const Route route : kRoutes) {
    all.push_back({"route_" + std::string(route_name(route)),
                   [route](auto operands) { return make_route_work(route, std::move(operands)); }});
  }
  for (const KernelInfo& kernel : kKernels) {
    all.push_back({"kernel_" + std::string(kernel.name),
                   [id = kernel.id](auto operands) { return make_kernel_work(id, std::move(operands)); }});
  }
  all.push_back({"stream_floor",
                 [](auto operands) { return make_stream_floor(std::move(operands), /*compute_units=*/1); }});
  return all;
}

class BenchWork : public testing::TestWithParam<Subject> {
 protected:
  void SetUp() override {
    auto operands = Operands::make({20, 64, 512}, kSets, kSeed);
    ASSERT_TRUE(operands.ok()) << operands.status().message();
    auto work = GetParam().make(*operands);
    ASSERT_TRUE(work.ok()) << work.status().message();
    work_ = std::move(*work);
    auto stopwatch = Stopwatch::make();
    ASSERT_TRUE(stopwatch.ok()) << stopwatch.status().message();
    stopwatch_.emplace(std::move(*stopwatch));
    ASSERT_TRUE(work_->poison().ok());
  }

  void expect_pass(bool all_sets) const {
    const Check check = work_->check(all_sets);
    EXPECT_TRUE(passed(check.verdict))
        << name_of(check.verdict) << ": " << check.message << ", seed " << kSeed;
    EXPECT_NE(check.id, 0u);
  }

  std::unique_ptr<Work> work_;
  std::optional<Stopwatch> stopwatch_;
};

TEST_P(BenchWork, OutputOfOneCallPasses) {
  ASSERT_TRUE(stopwatch_->run_once(*work_).ok());
  expect_pass(/*all_sets=*/false);
}

TEST_P(BenchWork, NothingRunDoesNotPass) {
  const Check check = work_->check(/*all_sets=*/false);
  EXPECT_EQ(check.verdict, Verdict::mismatch);
  EXPECT_FALSE(check.allows_time());
  EXPECT_THAT(check.message, testing::Not(testing::IsEmpty()));
}

TEST_P(BenchWork, ColdEagerLoopWritesEverySet) {
  const auto timing = stopwatch_->time_eager(*work_, /*cold=*/true);
  ASSERT_TRUE(timing.ok()) << timing.status().message();
  EXPECT_EQ(timing->calls, 102) << "34 rounds over three sets";
  expect_pass(/*all_sets=*/true);
}

TEST_P(BenchWork, ColdGraphWritesEverySet) {
  const auto timing = stopwatch_->time_graph(*work_, /*cold=*/true, /*replays=*/2);
  ASSERT_TRUE(timing.ok()) << timing.status().message();
  EXPECT_EQ(timing->calls, 2 * 201) << "two replays of 67 rounds over three sets";
  expect_pass(/*all_sets=*/true);
}

INSTANTIATE_TEST_SUITE_P(All, BenchWork, testing::ValuesIn(subjects()),
                         [](const auto& test) { return test.param.name; });

/// A route of which one call in a loop goes wrong: the first output of the checked set is overwritten.
class FaultyWork final : public ProductWork {
 public:
  explicit FaultyWork(std::shared_ptr<const Operands> operands) : ProductWork(std::move(operands)) {}
  Status prepare() {
    MXPROOF_RETURN_IF_ERROR(make_outputs());
    auto right = operands().expected().values();
    values_.assign(right.data, right.data + right.rows * right.cols);
    return {};
  }
  Status enqueue(int set, hipStream_t /*stream*/) const override {
    if (set != checked_set()) return {};
    std::vector<Bf16> output = values_;
    if (wrong_) output.front().bits ^= 1;
    return c_writable(set).write(std::as_bytes(std::span(output)));
  }
  int launches() const override { return 1; }
  void go_wrong() { wrong_ = true; }

 private:
  DeviceBuffer& c_writable(int set) const { return const_cast<DeviceBuffer&>(c(set)); }
  std::vector<Bf16> values_;
  bool wrong_ = false;
};

TEST(ProductCheck, OneWrongBitIsAMismatchAndOneUnwrittenSetToo) {
  auto operands = Operands::make({20, 64, 512}, kSets, kSeed);
  ASSERT_TRUE(operands.ok());
  FaultyWork work(*operands);
  ASSERT_TRUE(work.prepare().ok());
  ASSERT_TRUE(work.poison().ok());
  ASSERT_TRUE(work.enqueue(work.checked_set(), nullptr).ok());
  const Check right = work.check(/*all_sets=*/false);
  EXPECT_EQ(right.verdict, Verdict::bit_equal) << right.message;
  EXPECT_EQ(work.check(/*all_sets=*/true).verdict, Verdict::mismatch) << "the other sets hold poison";
  work.go_wrong();
  ASSERT_TRUE(work.enqueue(work.checked_set(), nullptr).ok());
  const Check wrong = work.check(/*all_sets=*/false);
  EXPECT_EQ(wrong.verdict, Verdict::mismatch);
  EXPECT_NE(wrong.id, right.id);
}

TEST(Operands, DependOnTheSeedAlone) {
  const auto first = Operands::make({4, 32, 64}, 2, kSeed), again = Operands::make({4, 32, 64}, 2, kSeed),
             other = Operands::make({4, 32, 64}, 2, kSeed + 1);
  ASSERT_TRUE(first.ok() && again.ok() && other.ok());
  EXPECT_EQ((*first)->checked_set(), (*again)->checked_set());
  EXPECT_EQ((*first)->checked_b().codes, (*again)->checked_b().codes);
  EXPECT_NE((*first)->checked_b().codes, (*other)->checked_b().codes);
}

TEST(Operands, RefusesAShapeThatCannotBe) {
  EXPECT_FALSE(Operands::make({4, 32, 40}, 1, kSeed).ok());
}

}  // namespace
}  // namespace mxproof::bench
