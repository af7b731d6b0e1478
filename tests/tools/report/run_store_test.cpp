#include <unistd.h>

#include "tests/support/temp_folder.hpp"
#include "tools/report/run_store.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace mxproof::report {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RunStoreTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  void write_run(const std::string& name, const std::string& date) {
    write(name,
          fmt::format(R"({{"context": {{"date": "{}", "commit": "c", "build_id": "b", "device": "Test GPU"}},
      "benchmarks": [{{"name": "staged/4x2880x512/cold/graph", "real_time": 2, "time_unit": "us",
      "label": "verdict=bit-equal id=1 kind=route"}}]}})",
                      date));
  }

  const TempFolder temp_;
  const fs::path folder_ = temp_.path();
};

TEST_F(RunStoreTest, RunsComeOldestFirstAcrossTimeZones) {
  write_run("a.json", "2031-05-06T12:00:00+05:00");  // 07:00 UTC
  write_run("b.json", "2031-05-06T06:00:00+00:00");
  write_run("c.json", "2031-05-06T03:00:00-03:30");  // 06:30 UTC
  const auto store = read_store(folder_.string());
  ASSERT_TRUE(store.ok());
  ASSERT_EQ(store->runs.size(), 3u);
  EXPECT_EQ(store->runs[0].file, "b.json");
  EXPECT_EQ(store->runs[1].file, "c.json");
  EXPECT_EQ(store->runs[2].file, "a.json");
}

TEST_F(RunStoreTest, UnusableFilesHideNothing) {
  write_run("good.json", "2031-05-06T12:00:00Z");
  write("broken.json", "{\"context\"");
  write("foreign.json", "{\"results\": []}");
  write("notes.txt", "not a run");
  const auto store = read_store(folder_.string());
  ASSERT_TRUE(store.ok());
  EXPECT_EQ(store->runs.size(), 1u);
  ASSERT_EQ(store->problems.size(), 2u);
  EXPECT_THAT(store->problems[0], HasSubstr("broken.json: the JSON is cut off"));
  EXPECT_THAT(store->problems[1], HasSubstr("foreign.json: not Google Benchmark JSON"));
}

TEST_F(RunStoreTest, MissingFolderIsBadInput) {
  const auto store = read_store((folder_ / "none").string());
  ASSERT_FALSE(store.ok());
  EXPECT_THAT(store.status().message(), HasSubstr("cannot be read as a folder of runs"));
}

}  // namespace
}  // namespace mxproof::report
