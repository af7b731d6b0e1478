// The switches and their file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "common/policy/chip_settings.hpp"

namespace mxproof {
namespace {

using ::testing::HasSubstr;

TEST(ChipSettings, EverySettingSurvivesTheFile) {
  for (const ChipSwitchInfo& info : chip_switches()) {
    for (size_t setting = 0; setting < info.settings.size(); ++setting) {
      ChipSettings settings;
      choose_setting(settings, info.id, setting);
      EXPECT_EQ(chosen_setting(settings, info.id), setting);
      const auto read = parse_chip_settings(chip_settings_text(settings, "a \"chip\"\n"));
      ASSERT_TRUE(read.ok()) << read.status().message();
      EXPECT_EQ(read->settings, settings) << info.name << " " << info.settings[setting];
      EXPECT_TRUE(read->names(info.id));
    }
  }
}

TEST(ChipSettings, NamesAreUniqueAndExplained) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < chip_switches().size(); ++i) {
    const ChipSwitchInfo& info = chip_switches()[i];
    EXPECT_EQ(static_cast<size_t>(info.id), i);
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.about.empty()) << info.name;
    EXPECT_EQ(std::set<std::string_view>(info.settings.begin(), info.settings.end()).size(),
              info.settings.size());
  }
  EXPECT_THAT(info_of(ChipSwitch::mfma_accumulation).settings,
              testing::ElementsAre("sequential", "fused", "truncating", "tree"));
}

TEST(ChipSettings, AnUndeterminedSwitchIsNotNamed) {
  const ChipSwitch open[] = {ChipSwitch::mfma_accumulation};
  const auto read = parse_chip_settings(chip_settings_text({}, "chip", open));
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(read->names(ChipSwitch::mfma_accumulation));
  EXPECT_TRUE(read->names(ChipSwitch::mfma_nan));
  EXPECT_EQ(read->named.size(), chip_switches().size() - 1);
}

TEST(ChipSettings, WhatIsWrongIsSaid) {
  const struct {
    const char* text;
    const char* why;
  } cases[] = {
      {"", "not JSON"},
      {"{\"mxproof_settings\": 1,", "not JSON"},
      {"[]", "not a settings file"},
      {"{}", "not a settings file"},
      {R"({"mxproof_settings": 2})", "is 2, only 1 is known"},
      {R"({"mxproof_settings": "1"})", "is \"1\", only 1 is known"},
      {R"({"mxproof_settings": 1, "setings": {}})", "there is no member \"setings\""},
      {R"({"mxproof_settings": 1, "settings": []})", "\"settings\" is no object"},
      {R"({"mxproof_settings": 1, "settings": {"nan": "x"}})", "there is no switch 'nan'; there are mfma_"},
      {R"({"mxproof_settings": 1, "settings": {"mfma_nan": "x"}})",
       "'x' is no setting of mfma_nan; there are positive, negative"},
      {R"({"mxproof_settings": 1, "settings": {"mfma_nan": 1}})", "'1' is no setting of mfma_nan"},
      {R"({"mxproof_settings": 1, "settings": {"mfma_nan": null}})", "'null' is no setting of mfma_nan"},
  };
  for (const auto& c : cases) {
    const auto read = parse_chip_settings(c.text);
    ASSERT_FALSE(read.ok()) << c.text;
    EXPECT_EQ(read.status().code(), StatusCode::bad_input);
    EXPECT_THAT(read.status().message(), HasSubstr(c.why)) << c.text;
  }
  EXPECT_THAT(read_chip_settings("/nowhere/chip.json").status().message(),
              HasSubstr("/nowhere/chip.json: cannot be read: No such file"));
  EXPECT_THAT(read_chip_settings("/").status().message(), HasSubstr("/: cannot be read: Is a directory"));
  EXPECT_THAT(read_chip_settings("/dev/zero").status().message(), HasSubstr("it has more than"));
}

}  // namespace
}  // namespace mxproof
