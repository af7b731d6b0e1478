// data/public_reports.json lists mistakes that people reported in public. Each has a test case that exists,
// or says why it can have none, and every case that is named after public reports is on the list.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/house/source_tree.hpp"

namespace mxproof::house {
namespace {

std::string text_of(const SourceFile& file) {
  std::string text;
  for (const std::string& line : file.lines) text += line + '\n';
  return text;
}

nlohmann::json public_reports() {
  for (const SourceFile& file : all_files()) {
    if (file.path == "data/public_reports.json") return nlohmann::json::parse(text_of(file));
  }
  return {};
}

/// "Suite.Name" of every GoogleTest in the tree.
std::set<std::string> test_cases() {
  static const std::regex kTest(R"(^TEST(?:_F|_P)?\((\w+), (\w+)\))");
  std::set<std::string> names;
  for (const SourceFile& file : all_files()) {
    if (file.room != "tests" || !file.is_compiled()) continue;
    for (const std::string& line : file.lines) {
      std::smatch match;
      if (std::regex_search(line, match, kTest)) names.insert(match[1].str() + "." + match[2].str());
    }
  }
  return names;
}

TEST(PublicReportList, EveryReportHasItsCaseOrAReason) {
  const nlohmann::json list = public_reports();
  ASSERT_GE(list.size(), 90u);
  const std::set<std::string> cases = test_cases();
  ASSERT_GT(cases.size(), 500u);
  std::set<std::string> reports;
  for (const nlohmann::json& entry : list) {
    SCOPED_TRACE(entry.dump());
    EXPECT_FALSE(entry.at("reports").empty());
    for (const nlohmann::json& report : entry["reports"])
      EXPECT_TRUE(reports.insert(report.get<std::string>()).second) << report << " is listed twice";
    EXPECT_FALSE(entry.at("about").get<std::string>().empty());
    EXPECT_NE(entry.contains("cases"), entry.contains("why_no_case"));
    if (entry.contains("why_no_case")) {
      EXPECT_FALSE(entry["why_no_case"].get<std::string>().empty());
      continue;
    }
    EXPECT_FALSE(entry["cases"].empty());
    for (const nlohmann::json& name : entry["cases"])
      EXPECT_TRUE(cases.contains(name.get<std::string>())) << "there is no test " << name;
  }
}

TEST(PublicReportList, HoldsEveryCaseThatIsNamedAfterIt) {
  std::set<std::string> listed;
  for (const nlohmann::json& entry : public_reports()) {
    if (!entry.contains("cases")) continue;
    for (const nlohmann::json& name : entry["cases"]) listed.insert(name.get<std::string>());
  }
  for (const std::string& name : test_cases()) {
    if (name.starts_with("PublicReports.")) {
      EXPECT_TRUE(listed.contains(name)) << name;
    }
  }
}

}  // namespace
}  // namespace mxproof::house
