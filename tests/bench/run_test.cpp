// What a run writes, read back by the program that will read it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/run/build_id.hpp"
#include "bench/run/row_label.hpp"
#include "bench/run/run.hpp"
#include "tools/report/noise_rule.hpp"
#include "tools/report/run_file.hpp"

namespace mxproof::bench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class SampleRun : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  /// Runs the sample program; its exit code.
  int run(const std::string& arguments, const std::string& environment = "") const {
    const int status = std::system(
        fmt::format("{} {} {} >{}/log 2>&1", environment, MXPROOF_SAMPLE_RUN, arguments, folder_.string())
            .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string log() const { return text_of(folder_ / "log"); }
  static std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  const fs::path folder_ = fs::path(testing::TempDir()) / fmt::format("mxproof_run_{}", getpid());
};

TEST_F(SampleRun, IsReadBackWithVerdictsAndContext) {
  EXPECT_EQ(run("--out=" + path("a.json")), 1) << "a wrong row fails the run";
  const auto read = report::read_run(path("a.json"));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->context.device, "Sample GPU");
  EXPECT_THAT(read->context.build_id, SizeIs(40));
  EXPECT_EQ(read->context.seed, "7");
  EXPECT_EQ(read->context.state_before, "sm 1980 MHz");
  EXPECT_EQ(read->context.state_after, "sm 1980 MHz");
  EXPECT_THAT(read->context.compiler, testing::Not(IsEmpty()));
  EXPECT_FALSE(read->context.emulated);
  ASSERT_THAT(read->rows, SizeIs(5));
  for (const report::Row& row : read->rows) {
    EXPECT_EQ(row.kind, "route");
    EXPECT_EQ(row.id, "0123456789abcdef");
    if (row.name.path == "fused") {
      EXPECT_EQ(row.verdict, "mismatch");
      EXPECT_EQ(row.message, "7 of 11520 outputs differ");
      EXPECT_THAT(row.times_us, IsEmpty());
    } else if (row.name.path == "one_kernel") {
      EXPECT_EQ(row.verdict, "refused");
      EXPECT_THAT(row.times_us, IsEmpty());
    } else {
      EXPECT_THAT(row.times_us, SizeIs(9));
      EXPECT_EQ(row.counters.at("flop"), 11796480);
    }
  }
}

TEST_F(SampleRun, WrongRowHasNoTimeInTheFileEither) {
  run("--out=" + path("a.json"));
  size_t wrong = 0;
  const auto written = nlohmann::json::parse(text_of(folder_ / "a.json"));
  for (const auto& entry : written["benchmarks"]) {
    if (entry["name"] != "fused/4x2880x512/cold/graph") continue;
    ++wrong;
    EXPECT_TRUE(entry["error_occurred"]);
    EXPECT_EQ(entry["real_time"], 0.0);
  }
  EXPECT_EQ(wrong, 9u);
}

TEST_F(SampleRun, NamesNoMachine) {
  run("--out=" + path("a.json"));
  char host[256] = {};
  ASSERT_EQ(gethostname(host, sizeof(host) - 1), 0);
  const auto context = nlohmann::json::parse(text_of(folder_ / "a.json"))["context"];
  EXPECT_EQ(context["host_name"], "");
  EXPECT_EQ(context["executable"], "mxproof_bench");
}

TEST_F(SampleRun, NeverOverwrites) {
  std::ofstream(path("a.json")) << "mine";
  EXPECT_EQ(run("--out=" + path("a.json")), 2);
  EXPECT_EQ(text_of(folder_ / "a.json"), "mine");
  EXPECT_THAT(log(), HasSubstr("runs are never overwritten"));
}

TEST_F(SampleRun, StoreGetsItsOwnName) {
  run("--store=" + path("store"));
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(path("store"))) {
    ++files;
    EXPECT_THAT(entry.path().filename().string(),
                testing::ContainsRegex("^[0-9]{8}T[0-9]{6}-.*-sample-gpu.json$"));
  }
  EXPECT_EQ(files, 1u);
}

TEST_F(SampleRun, BadFlagsAreExitTwo) {
  EXPECT_EQ(run("--out="), 2);
  EXPECT_EQ(run("--out=a --store=b"), 2);
  EXPECT_EQ(run("--no_such_flag"), 2);
}

TEST_F(SampleRun, FilterThatSelectsNothingFails) {
  EXPECT_EQ(run("--benchmark_filter=nothing"), 1);
  EXPECT_THAT(log(), HasSubstr("nothing ran"));
  EXPECT_EQ(run("--benchmark_list_tests"), 0);
}

TEST_F(SampleRun, SameBinaryIsRefusedAndSlowdownIsFound) {
  run("--out=" + path("a.json"));
  run("--out=" + path("b.json"), "SAMPLE_SLOWDOWN=1.1");
  const auto a = report::read_run(path("a.json")), b = report::read_run(path("b.json"));
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_THAT(report::compare_runs(*a, *b).status().message(), HasSubstr("same binary"));
  const auto comparison = report::compare_runs(*a, *b, {.same_build = true});
  ASSERT_TRUE(comparison.ok());
  EXPECT_EQ(comparison->count(report::Outcome::slower), 3u);
}

TEST(BuildId, IsTheLinkersHash) {
  const std::string id = build_id();
  EXPECT_THAT(id, SizeIs(40));
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(RowLabel, HashFollowsTheBytes) {
  // Published test vectors of FNV-1a.
  const auto hash = [](std::string_view text) { return hash_bytes(std::as_bytes(std::span(text))); };
  EXPECT_EQ(hash(""), 0xcbf29ce484222325u);
  EXPECT_EQ(hash("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(hash("foobar"), 0x85944171f73967e8u);
}

TEST(RowLabel, SaysVerdictIdAndKind) {
  Check check;
  check.verdict = Verdict::within_bound;
  check.id = 0xab;
  EXPECT_EQ(row_label(check, Kind::peer), "verdict=within-bound id=00000000000000ab kind=peer");
  check.no_output = true;
  EXPECT_EQ(row_label(check, Kind::floor), "verdict=no-output id=00000000000000ab kind=floor");
}

TEST(Check, OnlyAPassAllowsATime) {
  for (const Verdict verdict : {Verdict::mismatch, Verdict::refused, Verdict::error}) {
    Check check;
    check.verdict = verdict;
    EXPECT_FALSE(check.allows_time());
  }
  EXPECT_EQ(Check::of(Status::refused("no")).verdict, Verdict::refused);
  EXPECT_EQ(Check::of(Status::device("no")).verdict, Verdict::error);
}

}  // namespace
}  // namespace mxproof::bench
