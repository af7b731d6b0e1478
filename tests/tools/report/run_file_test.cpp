#include "tools/report/run_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace mxproof::report {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

json context() {
  return {{"date", "2031-05-06T09:08:09+02:00"},
          {"commit", "0123abcd"},
          {"dirty", "false"},
          {"build_id", "b1"},
          {"device", "Test GPU"},
          {"emulated", "false"}};
}

json entry(double time, const std::string& verdict = "bit-equal") {
  return {{"name", "staged/4x2880x512/cold/graph"},
          {"run_type", "iteration"},
          {"repetitions", 3},
          {"iterations", 100},
          {"real_time", time},
          {"cpu_time", 1.0},
          {"time_unit", "us"},
          {"flop", 11796480},
          {"label", "verdict=" + verdict + " id=00ff kind=route"}};
}

std::string run_text(const std::vector<json>& entries, const json& run_context = context()) {
  return json{{"context", run_context}, {"benchmarks", entries}}.dump();
}

TEST(RunFile, RepeatsBecomeOneRow) {
  json nanoseconds = entry(2500);
  nanoseconds["time_unit"] = "ns";
  json median = entry(2);
  median["run_type"] = "aggregate";
  median["name"] = "staged/4x2880x512/cold/graph_median";
  const auto run = parse_run(run_text({entry(2), entry(3), nanoseconds, median}), "r.json");
  ASSERT_TRUE(run.ok()) << run.status().message();
  ASSERT_EQ(run->rows.size(), 1u);
  const Row& row = run->rows[0];
  EXPECT_THAT(row.times_us, ElementsAre(2, 3, 2.5));
  EXPECT_EQ(row.verdict, "bit-equal");
  EXPECT_EQ(row.id, "00ff");
  EXPECT_EQ(row.kind, "route");
  EXPECT_EQ(row.counters.at("flop"), 11796480);
  EXPECT_EQ(row.counters.count("real_time"), 0u);
  EXPECT_EQ(run->context.time, 1935817689);  // date -u -d 2031-05-06T07:08:09 +%s
  EXPECT_FALSE(run->context.dirty);
}

TEST(RunFile, OneWrongRepeatTakesTheTimeFromAll) {
  json wrong = entry(0, "mismatch");
  wrong["error_occurred"] = true;
  wrong["error_message"] = "3 of 11520 outputs differ";
  const auto run = parse_run(run_text({entry(2), wrong, entry(2)}), "r.json");
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->rows[0].verdict, "mismatch");
  EXPECT_EQ(run->rows[0].message, "3 of 11520 outputs differ");
  EXPECT_THAT(run->rows[0].times_us, IsEmpty());
}

TEST(RunFile, MismatchWithATimeStillShowsNone) {
  const auto run = parse_run(run_text({entry(2, "mismatch")}), "r.json");
  ASSERT_TRUE(run.ok());
  EXPECT_THAT(run->rows[0].times_us, IsEmpty());
}

TEST(RunFile, RowWithoutAVerdictIsUnverified) {
  for (const char* label : {"", "fast", "verdict=great", "verdict="}) {
    json bare = entry(2);
    bare["label"] = label;
    const auto run = parse_run(run_text({bare}), "r.json");
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(run->rows[0].verdict, "unverified") << label;
    EXPECT_THAT(run->rows[0].times_us, IsEmpty());
  }
}

TEST(RunFile, TimeThatIsNotPositiveIsAnError) {
  for (const json& time : {json(0), json(-1.5), json("2"), json(nullptr)}) {
    json odd = entry(1);
    odd["real_time"] = time;
    const auto run = parse_run(run_text({odd}), "r.json");
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(run->rows[0].verdict, "error") << time;
    EXPECT_THAT(run->rows[0].message, HasSubstr("not a positive number"));
  }
  json odd = entry(1);
  odd["time_unit"] = "fortnights";
  EXPECT_EQ(parse_run(run_text({odd}), "r.json")->rows[0].verdict, "error");
}

TEST(RunFile, EmulatedRunsNeverHaveTimes) {
  for (const char* key : {"device", "emulated"}) {
    json emulated = context();
    emulated[key] = std::string(key) == "device" ? "gfx950 (emulated)" : "true";
    const auto run = parse_run(run_text({entry(2)}, emulated), "r.json");
    ASSERT_TRUE(run.ok());
    EXPECT_TRUE(run->context.emulated) << key;
    EXPECT_EQ(run->rows[0].verdict, "bit-equal");
    EXPECT_THAT(run->rows[0].times_us, IsEmpty());
  }
}

std::string error_of(const std::string& text) {
  const auto run = parse_run(text, "r.json");
  if (run.ok()) return "accepted";
  EXPECT_EQ(run.status().code(), StatusCode::bad_input);
  EXPECT_THAT(run.status().message(), testing::StartsWith("r.json: "));
  EXPECT_EQ(run.status().message().find('\n'), std::string::npos);
  return run.status().message();
}

TEST(RunFile, MalformedTextIsOneClearError) {
  EXPECT_THAT(error_of(""), HasSubstr("empty"));
  EXPECT_THAT(error_of("  \n"), HasSubstr("empty"));
  EXPECT_THAT(error_of("{\n \"a\": nope}"), HasSubstr("line 2"));
  EXPECT_THAT(error_of("hello"), HasSubstr("line 1"));
  EXPECT_THAT(error_of("{\"context\": {\"date\": \"\xff\"}}"), HasSubstr("not JSON"));
  EXPECT_THAT(error_of("[1, 2]"), HasSubstr("not Google Benchmark JSON"));
  EXPECT_THAT(error_of("42"), HasSubstr("not Google Benchmark JSON"));
  EXPECT_THAT(error_of("{\"results\": []}"), HasSubstr("not Google Benchmark JSON"));
  EXPECT_THAT(error_of("{\"context\": {}, \"benchmarks\": {}}"), HasSubstr("not Google Benchmark JSON"));
}

TEST(RunFile, ForeignRunsAreOneClearError) {
  json other = context();
  other.erase("build_id");
  EXPECT_THAT(error_of(run_text({entry(1)}, other)), HasSubstr("no 'build_id'"));
  other = context();
  other["date"] = "yesterday";
  EXPECT_THAT(error_of(run_text({entry(1)}, other)), HasSubstr("date 'yesterday'"));
  json stranger = entry(1);
  stranger["name"] = "BM_Sort/1024";
  EXPECT_THAT(error_of(run_text({entry(1), stranger})), HasSubstr("'BM_Sort/1024'"));
  EXPECT_THAT(error_of(run_text({7})), HasSubstr("no objects"));
  EXPECT_THAT(error_of(run_text({})), HasSubstr("no single repeat"));
  json aggregate = entry(1);
  aggregate["run_type"] = "aggregate";
  EXPECT_THAT(error_of(run_text({aggregate})), HasSubstr("aggregates_only"));
}

TEST(RunFile, EveryTruncationIsAnErrorThatSaysSo) {
  const std::string whole = run_text({entry(1), entry(2)});
  for (size_t length = 1; length < whole.size(); ++length) {
    EXPECT_THAT(error_of(whole.substr(0, length)), HasSubstr("cut off")) << length;
  }
}

TEST(RunFile, FlippedBytesNeverCrash) {
  const std::string whole = run_text({entry(1), entry(2)});
  std::mt19937 random(11);
  size_t refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string text = whole;
    for (int flips = 0; flips < 3; ++flips) text[random() % text.size()] = static_cast<char>(random());
    refused += !parse_run(text, "r.json").ok();
  }
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace mxproof::report
