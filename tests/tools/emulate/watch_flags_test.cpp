// --watch and its relatives, as a user gives them: exit codes, text and files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/tools/run_program.hpp"

namespace mxproof {
namespace {

using ::testing::HasSubstr;

constexpr const char* kKernels = MXPROOF_WATCH_KERNELS;

std::string temp(const std::string& name) {
  return testing::TempDir() + "watch_flags_" + name;
}

/// `mxproof run` of a kernel of tests/emulator/watch/kernels.hip.
std::vector<std::string> run_arguments(const std::string& kernel, const std::vector<std::string>& flags,
                                       const std::string& block = "64") {
  std::vector<std::string> arguments = {
      "run",   kKernels,  "--device", "emulator", "--kernel",
      kernel,  "--block", block,      "--arg",    "out:f32:4096:" + temp(kernel + ".npy"),
      "--arg", "0"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return arguments;
}

nlohmann::json read_json(const std::string& name) {
  std::ifstream file(name);
  EXPECT_TRUE(file.good()) << name;
  return nlohmann::json::parse(file, nullptr, false);
}

TEST(WatchFlags, AReportMakesTheExitCode3) {
  const std::string file = temp("report.json");
  std::remove(file.c_str());
  const ProgramResult result =
      run_mxproof(run_arguments("lds_race_late", {"--watch", "all", "--watch-json", file}, "128"));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("libmxproof_hip: lds-race: kernel lds_race_late at pc 0x"));
  EXPECT_THAT(result.err, HasSubstr("the watchers report 1 fault in 1 kernel, in 1 launch:"));
  EXPECT_THAT(result.out, HasSubstr("lds_race_late.npy")) << "what the program prints still comes out";
  const auto json = read_json(file);
  EXPECT_EQ(json["launches"], 1);
  ASSERT_EQ(json["reports"].size(), 1U);
  const auto& report = json["reports"][0];
  EXPECT_EQ(report["watcher"], "lds-race");
  EXPECT_EQ(report["kernel"], "lds_race_late");
  EXPECT_THAT(report["instruction"].get<std::string>(), HasSubstr("ds_read_b32"));
  EXPECT_EQ(report["work_group"], (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(report["wave"], 0);
  EXPECT_EQ(report["lane"], 0);
  EXPECT_EQ(report["address"], 508);
  EXPECT_THAT(report["text"].get<std::string>(), HasSubstr("s_waitcnt"));
}

TEST(WatchFlags, ACleanKernelKeepsTheProgramsExitCode) {
  const std::string file = temp("clean.json");
  const ProgramResult result =
      run_mxproof(run_arguments("lds_race_late_mended", {"--watch", "all", "--watch-json", file}, "128"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const auto json = read_json(file);
  EXPECT_EQ(json["launches"], 1);
  EXPECT_EQ(json["reports"].size(), 0U);
  EXPECT_EQ(json["watchers"].size(), 11U) << "all but those that have to be asked for";
}

TEST(WatchFlags, EmulateWatchesAnyProgram) {
  std::vector<std::string> arguments = {"emulate", "--watch", "uninit-register", "--", MXPROOF_PROGRAM};
  const auto run = run_arguments("uninit_vgpr", {});
  arguments.insert(arguments.end(), run.begin(), run.end());
  const ProgramResult result = run_mxproof(arguments);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("uses v40, which was never written in this lane"));
}

TEST(WatchFlags, TheEnvironmentDoesTheSame) {
  const ProgramResult result =
      run_mxproof(run_arguments("uninit_vgpr", {}), {"MXPROOF_EMU_WATCH=uninit-register"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("uses v40"));
}

TEST(WatchFlags, TheBudgetEndsALoop) {
  const ProgramResult result = run_mxproof(run_arguments("loop", {"--budget", "5000", "--watch", "loop"}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("loop: kernel loop at pc"));
  EXPECT_THAT(result.err, HasSubstr("it stays in pc 0x"));
}

TEST(WatchFlags, WithoutWatchersAStoppedLaunchIsAnError) {
  const ProgramResult result = run_mxproof(run_arguments("loop", {"--budget", "5000"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("ran past its instruction budget"));
}

TEST(WatchFlags, CountsHaveWhatALaunchDid) {
  const std::string file = temp("counts.jsonl");
  std::remove(file.c_str());
  const ProgramResult result = run_mxproof(run_arguments("counts", {"--counts", file}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto line = read_json(file);
  EXPECT_EQ(line["kernel"], "counts");
  EXPECT_EQ(line["global"]["load_bytes"], 64 * 16 + 2 * 64 * 4);
  EXPECT_EQ(line["global"]["load_sectors"]["requested"], 16 + 64 + 8);
  EXPECT_EQ(line["global"]["load_sectors"]["distinct"], 72);
  EXPECT_EQ(line["global"]["load_sectors"]["redundant"], 16);
  EXPECT_EQ(line["lds"]["conflict_cycles"], 62 + 63);
  EXPECT_EQ(line["resources"]["lds_bytes"], 16384);
  EXPECT_EQ(line["resources"]["groups_per_compute_unit"], 10) << "160 KB over 16 KB";
  EXPECT_EQ(line["resources"]["waves_per_simd"], 2.5);
  EXPECT_EQ(line["modelled_us"], line["modelled"]["lds_us"]);
  EXPECT_GT(line["resources"]["vgprs"], 0);
}

TEST(WatchFlags, BadValuesAreOneLine) {
  for (const auto& [flags, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--watch", "everything"}, "'everything' is no watcher; there are all, bounds, lds-bounds"},
           {{"--watch-json", "f.json"}, "nothing is watched"},
           {{"--budget", "none"}, "MXPROOF_EMU_BUDGET=none: must be"},
           {{"--order", "sideways"}, "must be asc, desc or shuffled:SEED"}}) {
    const ProgramResult result = run_mxproof(run_arguments("counts", flags));
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
}

TEST(WatchFlags, TheHelpListsWatchersAndVariables) {
  for (const char* command : {"emulate", "run"}) {
    const ProgramResult result = run_mxproof({command, "--help"});
    for (const char* part :
         {"lds-race", "descriptor", "exit code 3", "MXPROOF_EMU_WATCH", "MXPROOF_EMU_COUNTS"})
      EXPECT_THAT(result.out, HasSubstr(part)) << command;
  }
}

}  // namespace
}  // namespace mxproof
