// LDS bank conflicts of every route's kernels, by the emulator's model of the banks
// (emulator/watch/lds_banks.hpp): there are none.
#include <gtest/gtest.h>

#include <map>

#include "optimized/device/info.hpp"
#include "tests/optimized/instructions/counts_file.hpp"
#include "tests/optimized/support/device_case.hpp"
#include "tests/optimized/support/seed.hpp"

namespace mxproof {
namespace {

/// Small and large tiles, tails of M and K, split-K.
constexpr GemmShape kShapes[] = {{5, 48, 96},      {16, 2112, 7168}, {33, 272, 1856},
                                 {64, 7168, 2048}, {129, 2880, 512}, {256, 3072, 1536}};

TEST(BankConflicts, NoKernelHasAny) {
  MXPROOF_TRACE_SEED();
  const DeviceInfo device = expect_value(device_info());
  if (device.name.find("emulated") == std::string::npos) GTEST_SKIP() << device.name << " does not count";
  const CountsFile counts;
  ASSERT_TRUE(counts.is_on()) << "run this through ctest, or set MXPROOF_EMU_COUNTS to a file";
  for (const GemmShape& shape : kShapes) {
    const DeviceCase c = DeviceCase::normal(shape, run_seed());
    for (const Route route : kRoutes) {
      if (shape.k % 64 != 0 && route != Route::one_kernel) continue;
      GemmRequest request;
      request.shape = shape;
      request.route = route;
      expect_accepted(c.expected, c.run(expect_value(Plan::make(request))));
    }
  }
  std::map<std::string, int64_t> cycles;  // of the kernels that use LDS
  for (const nlohmann::json& launch : counts.launches()) {
    const auto kernel = launch.at("kernel").get<std::string>();
    EXPECT_EQ(launch.at("lds").at("conflict_cycles"), 0) << kernel << launch.at("lds");
    if (launch.at("lds").at("cycles") > 0) cycles[kernel] += launch.at("lds").at("cycles").get<int64_t>();
  }
  EXPECT_GE(cycles.size(), 6U) << "GEMM kernels and tiles";
  for (const auto& [kernel, sum] : cycles) EXPECT_GT(sum, 0) << kernel;
}

}  // namespace
}  // namespace mxproof
