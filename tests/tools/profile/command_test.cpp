// `mxproof profile` as its users run it, on the device of this build.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/temp_folder.hpp"
#include "tests/tools/run_program.hpp"

namespace mxproof {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

constexpr bool kEmulated = std::string_view(MXPROOF_TEST_DEVICE) == "emulator";

ProgramResult profile(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"profile", "--device", MXPROOF_TEST_DEVICE});
  return run_mxproof(arguments);
}

TEST(Profile, EveryPathStepByStep) {
  const TempFolder folder;
  const ProgramResult result =
      profile({"--shapes", "4x48x512,33x32x192", "--json", folder.file("profile.json")});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, AllOf(HasSubstr("unshuffle_scales"), HasSubstr("gemm_direct"),
                                HasSubstr("whole call"), HasSubstr("8 of 8 profiled on ")));
  std::ifstream stream(folder.file("profile.json"));
  const json report = json::parse(stream);
  ASSERT_EQ(report["results"].size(), 8u);
  for (const json& row : report["results"]) {
    SCOPED_TRACE(row.dump());
    EXPECT_EQ(row["verdict"], "bit-equal");
    EXPECT_EQ(row["steps"].size(), row["launches"].get<size_t>());
    int64_t bytes = 0;
    double us = 0;
    const char* time = kEmulated ? "modelled_us" : "device_us";
    for (const json& step : row["steps"]) {
      bytes += step["bytes"].get<int64_t>();
      us += step[time].get<double>();
      EXPECT_GT(step[time].get<double>(), 0);
      EXPECT_EQ(step.contains("wave_instructions"), kEmulated);
      EXPECT_EQ(step.contains("enqueue_us"), !kEmulated);
    }
    EXPECT_EQ(row["bytes"], bytes);
    EXPECT_NEAR(row[time].get<double>(), us, 1e-9);
    EXPECT_GE(row["dispatch_share"].get<double>(), 0);
    EXPECT_LE(row["dispatch_share"].get<double>(), 1);
    EXPECT_EQ(row.contains("call_us"), !kEmulated);
  }
}

TEST(Profile, OneLaunchIsOneStepAndTheModelIsCalledSo) {
  const ProgramResult result = profile({"--shapes", "4x48x512", "--path", "direct", "--seed", "7"});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("seed 7"), HasSubstr("1 of 1 profiled")));
  const char* word = kEmulated ? "modelled us" : "device us";
  const char* other = kEmulated ? "device us" : "modelled us";
  EXPECT_THAT(result.out, AllOf(HasSubstr(word), testing::Not(HasSubstr(other))));
}

TEST(Profile, WhatAPathDoesNotTakeIsNamed) {
  const ProgramResult some = profile({"--shapes", "4x20x96", "--path", "one_kernel,direct"});
  EXPECT_EQ(some.exit_code, 0) << some.out << some.err;
  EXPECT_THAT(some.out, AllOf(HasSubstr("4x20x96 direct: refused: "), HasSubstr("1 of 2 profiled")));
  const ProgramResult none = profile({"--shapes", "4x20x96", "--path", "direct"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.out, HasSubstr("nothing ran, which is no success"));
}

TEST(Profile, BadFlags) {
  for (const std::vector<std::string>& flags : {std::vector<std::string>{"--shapes", "4x5"},
                                                {"--path", "teleport"},
                                                {"--seed", "x"},
                                                {"--nonsense"}}) {
    const ProgramResult result = profile(flags);
    EXPECT_EQ(result.exit_code, 2) << flags.front();
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
}

}  // namespace
}  // namespace mxproof
