#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/tools/run_program.hpp"

namespace mxproof {
namespace {

using ::testing::HasSubstr;

TEST(Emulate, RunsAProgramWithItsArguments) {
  const ProgramResult result =
      run_mxproof({"emulate", "--", MXPROOF_HIP_PROGRAM, "--gtest_filter=DeviceApi.ThereIsADevice"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 test from 1 test suite ran"));
}

TEST(Emulate, TheExitCodeIsTheProgramsOwn) {
  EXPECT_EQ(run_mxproof({"emulate", "--", "sh", "-c", "exit 37"}).exit_code, 37);
}

// HIP 6 renumbered both enumerations.
TEST(Emulate, AProgramGetsTheNumbersOfTheHipThatItIsLinkedWith) {
  for (const auto& [major, numbers] : {std::pair{"5", "memory type 1, node type 6"},
                                       {"6", "memory type 2, node type 5"},
                                       {"7", "memory type 2, node type 5"}}) {
    const ProgramResult result =
        run_mxproof({"emulate", "--", MXPROOF_BIN "linked_hip_program_" + std::string(major)});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, std::string("gfx950 (emulated), 256 CUs, ") + numbers + "\n") << "HIP " << major;
    EXPECT_EQ(result.err, "") << "HIP " << major;
  }
}

TEST(Emulate, ManagedVariablesAreSharedWithTheHost) {
  const ProgramResult result = run_mxproof({"emulate", "--", MXPROOF_BIN "managed_program"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "20 40 60 14\n");
  EXPECT_EQ(result.err, "") << "the loader finds the versions of HIP's symbols";
}

TEST(Emulate, TheDefaultStreamMayBeTheThreadsOwn) {
  const ProgramResult result = run_mxproof({"emulate", "--", MXPROOF_BIN "per_thread_program"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "111 112 113 114\n");
  EXPECT_EQ(result.err, "") << "the loader finds the versions of HIP's symbols";
}

TEST(Emulate, CountsHaveOneLineALaunch) {
  const std::string file = testing::TempDir() + "emulate_counts.jsonl";
  std::remove(file.c_str());
  const ProgramResult result =
      run_mxproof({"emulate", "--threads", "1", "--order", "desc", "--counts", file, "--",
                   MXPROOF_HIP_PROGRAM, "--gtest_filter=LaunchApi.ScalesAVector"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::ifstream lines(file);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const auto launch = nlohmann::json::parse(line);
  EXPECT_THAT(launch["kernel"].get<std::string>(), HasSubstr("scale"));
  EXPECT_EQ(launch["device"], "gfx950 (emulated)");
  EXPECT_EQ(launch["grid"], (std::vector<int>{16, 1, 1}));
  EXPECT_EQ(launch["block"], (std::vector<int>{64, 1, 1}));
  EXPECT_EQ(launch["groups"], 16);
  EXPECT_EQ(launch["waves"], 16);
  uint64_t by_class = 0;
  uint64_t by_mnemonic = 0;
  for (const auto& count : launch["by_class"]) by_class += count.get<uint64_t>();
  for (const auto& count : launch["by_mnemonic"]) by_mnemonic += count.get<uint64_t>();
  EXPECT_EQ(launch["wave_instructions"], by_class);
  EXPECT_EQ(launch["wave_instructions"], by_mnemonic);
  EXPECT_EQ(launch["by_mnemonic"]["s_endpgm"], 16);
  EXPECT_FALSE(std::getline(lines, line)) << "one launch";
}

// An executable file of text; execvp would have a shell run it.
std::string text_file() {
  const std::string file = testing::TempDir() + "emulate_text";
  std::ofstream(file) << "echo run by a shell\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

TEST(Emulate, BadInputIsOneLine) {
  const std::string text = text_file();
  struct {
    std::vector<std::string> arguments;
    const char* message;
  } const cases[] = {
      {{"emulate"}, "PROGRAM"},
      {{"emulate", "--", "/no/such/program"}, "/no/such/program: No such file"},
      {{"emulate", "--", "no_such_program_anywhere"}, "no_such_program_anywhere: No such file"},
      {{"emulate", "--", MXPROOF_SAMPLES "/sample_o3.co"},
       "sample_o3.co: a code object, no program; `mxproof run`"},
      {{"emulate", "--", text}, "no program: neither an executable for this machine nor a script"},
      {{"emulate", "--order", "up", "--", "true"}, "MXPROOF_EMU_ORDER=up: must be"},
      {{"emulate", "--threads", "0", "--", "true"}, "MXPROOF_EMU_THREADS=0: must be"},
  };
  for (const auto& c : cases) {
    const ProgramResult result = run_mxproof(c.arguments);
    EXPECT_EQ(result.exit_code, 2) << c.message;
    EXPECT_THAT(result.err, HasSubstr(c.message));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
}

}  // namespace
}  // namespace mxproof
