#include "emulator/runtime/environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <ostream>

#include "tests/support/temp_folder.hpp"

namespace mxproof::emulator {
namespace {

using ::testing::HasSubstr;

// Sets one variable while it lives.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Setting() { ::unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
};

TEST(Environment, DefaultsWithoutSettings) {
  const Expected<Environment> environment = Environment::read();
  ASSERT_TRUE(environment.ok()) << environment.status().message();
  EXPECT_EQ(environment->threads, 0U);
  EXPECT_EQ(environment->order, GroupOrder::ascending);
  EXPECT_TRUE(environment->counts_file.empty());
  EXPECT_EQ(environment->chip, &kGfx950);
}

TEST(Environment, ReadsEverySetting) {
  const Setting threads("MXPROOF_EMU_THREADS", "3");
  const Setting order("MXPROOF_EMU_ORDER", "shuffled:18446744073709551615");
  const Setting counts("MXPROOF_EMU_COUNTS", "some file.jsonl");
  const Setting budget("MXPROOF_EMU_BUDGET", "12345");
  const Setting watch("MXPROOF_EMU_WATCH", "wait,lds-race");
  const Setting watch_file("MXPROOF_EMU_WATCH_JSON", "watch.json");
  const Setting chip("MXPROOF_EMU_CHIP", "gfx942");
  const Expected<Environment> environment = Environment::read();
  ASSERT_TRUE(environment.ok()) << environment.status().message();
  EXPECT_EQ(environment->threads, 3U);
  EXPECT_EQ(environment->order, GroupOrder::shuffled);
  EXPECT_EQ(environment->order_seed, UINT64_MAX);
  EXPECT_EQ(environment->counts_file, "some file.jsonl");
  EXPECT_EQ(environment->budget, 12345U);
  EXPECT_TRUE(environment->watchers.has(Watcher::wait));
  EXPECT_TRUE(environment->watchers.has(Watcher::lds_race));
  EXPECT_FALSE(environment->watchers.has(Watcher::barrier));
  EXPECT_EQ(environment->watch_file, "watch.json");
  EXPECT_EQ(environment->chip, &kGfx942);
}

TEST(Environment, ReadsAFileOfSettings) {
  const TempFolder folder;
  std::ofstream(folder.file("chip.json"))
      << R"({"mxproof_settings": 1, "settings": {"mfma_nan": "negative"}})";
  const Setting settings("MXPROOF_SETTINGS", folder.file("chip.json").c_str());
  const Expected<Environment> environment = Environment::read();
  ASSERT_TRUE(environment.ok()) << environment.status().message();
  EXPECT_EQ(environment->settings.mfma_nan, MfmaNan::negative);
  const Setting missing("MXPROOF_SETTINGS", "/nowhere.json");
  EXPECT_THAT(Environment::read().status().message(),
              HasSubstr("MXPROOF_SETTINGS=/nowhere.json: cannot be read"));
}

TEST(Environment, ReadsDescending) {
  const Setting order("MXPROOF_EMU_ORDER", "descending");
  const Expected<Environment> environment = Environment::read();
  ASSERT_TRUE(environment.ok());
  EXPECT_EQ(environment->order, GroupOrder::descending);
}

struct BadSetting {
  const char* name;
  const char* value;
  const char* message;
};

void PrintTo(const BadSetting& setting, std::ostream* out) {
  *out << setting.name << '=' << setting.value;
}

class BadSettings : public ::testing::TestWithParam<BadSetting> {};

TEST_P(BadSettings, AreErrors) {
  const Setting setting(GetParam().name, GetParam().value);
  const Expected<Environment> environment = Environment::read();
  ASSERT_FALSE(environment.ok());
  EXPECT_EQ(environment.status().code(), StatusCode::bad_input);
  EXPECT_THAT(environment.status().message(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Environment, BadSettings,
    ::testing::Values(BadSetting{"MXPROOF_EMU_THREADS", "0", "1 to 1024"},
                      BadSetting{"MXPROOF_EMU_THREADS", "-1", "1 to 1024"},
                      BadSetting{"MXPROOF_EMU_THREADS", "2x", "1 to 1024"},
                      BadSetting{"MXPROOF_EMU_THREADS", "", "1 to 1024"},
                      BadSetting{"MXPROOF_EMU_THREADS", "99999999999", "1 to 1024"},
                      BadSetting{"MXPROOF_EMU_ORDER", "random", "shuffled:SEED"},
                      BadSetting{"MXPROOF_EMU_ORDER", "shuffled", "shuffled:SEED"},
                      BadSetting{"MXPROOF_EMU_ORDER", "shuffled:", "shuffled:SEED"},
                      BadSetting{"MXPROOF_EMU_COUNTS", "", "must be a file name"},
                      BadSetting{"MXPROOF_EMU_CHIP", "gfx90a", "gfx950 or gfx942"},
                      BadSetting{"MXPROOF_EMU_BUDGET", "0", "must be a number from 1"},
                      BadSetting{"MXPROOF_EMU_WATCH", "all,races", "'races' is no watcher"},
                      BadSetting{"MXPROOF_EMU_WATCH", "", "there are all, bounds"},
                      BadSetting{"MXPROOF_EMU_WATCH_JSON", "f", "nothing is watched"},
                      BadSetting{"MXPROOF_EMU_THREAD", "2", "there is no such setting"}));

}  // namespace
}  // namespace mxproof::emulator
