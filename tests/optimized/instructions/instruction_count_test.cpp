// Wave-instructions of the routes that the tuned table picks, quantising included, against those of a
// hand-written vendor GEMM (which quantises nothing) on the same shapes. Counted by the emulator; a GPU does
// not tell.
#include <gtest/gtest.h>

#include "optimized/device/info.hpp"
#include "tests/optimized/instructions/counts_file.hpp"
#include "tests/optimized/support/device_case.hpp"
#include "tests/optimized/support/seed.hpp"

namespace mxproof {
namespace {

struct Budget {
  GemmShape shape;
  int64_t vendor_instructions;
};

void PrintTo(const Budget& budget, std::ostream* out) {
  *out << shape_text(budget.shape);
}

constexpr Budget kBudgets[] = {{{4, 2880, 512}, 45'000},
                               {{16, 2112, 7168}, 117'000},
                               {{32, 4096, 512}, 60'000},
                               {{64, 7168, 2048}, 343'000},
                               {{256, 3072, 1536}, 525'000}};

class InstructionCount : public testing::TestWithParam<Budget> {};

TEST_P(InstructionCount, IsBelowTheVendors) {
  MXPROOF_TRACE_SEED();
  const DeviceInfo device = expect_value(device_info());
  if (device.name.find("emulated") == std::string::npos) GTEST_SKIP() << device.name << " does not count";
  ASSERT_TRUE(CountsFile().is_on()) << "run this through ctest, or set MXPROOF_EMU_COUNTS to a file";

  const DeviceCase c = DeviceCase::normal(GetParam().shape, run_seed());
  GemmRequest request;
  request.shape = GetParam().shape;
  const Plan plan = expect_value(Plan::make(request));
  EXPECT_NE(plan.describe().find("tuned"), std::string::npos) << plan.describe();
  const CountsFile counts;
  expect_bit_equal(c.expected, c.run(plan));
  int64_t counted = 0;
  for (const nlohmann::json& launch : counts.launches())
    counted += launch.at("wave_instructions").get<int64_t>();
  RecordProperty("wave_instructions", std::to_string(counted));
  std::printf("%s: %lld wave-instructions, vendor %lld; %s\n", shape_text(c.shape).c_str(),
              static_cast<long long>(counted), static_cast<long long>(GetParam().vendor_instructions),
              plan.describe().c_str());
  EXPECT_GT(counted, 0);
  EXPECT_LT(counted, GetParam().vendor_instructions);
}

INSTANTIATE_TEST_SUITE_P(Shapes, InstructionCount, testing::ValuesIn(kBudgets),
                         [](const auto& test) { return shape_text(test.param.shape); });

}  // namespace
}  // namespace mxproof
