// Names, sizes and places of files, and what no file may contain.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "tests/house/source_tree.hpp"

namespace mxproof::house {
namespace {

constexpr size_t kMaxLines = 650;  // aim for 500

// Highway's convention for files that are included once per instruction set: no guard of their own.
bool is_highway_inline(const SourceFile& file) {
  return file.path.ends_with("-inl.hpp");
}

bool is_snake_case(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
  });
}

TEST(Names, FilesAndFoldersAreInSnakeCase) {
  Findings findings;
  for (const SourceFile& file : all_files()) {
    if (!file.is_code()) continue;
    const std::filesystem::path path(file.path);
    for (const auto& part : path.parent_path())
      if (!is_snake_case(part.string())) findings.add(file, 0, fmt::format("folder '{}'", part.string()));
    std::string stem = path.stem().string();
    if (is_highway_inline(file)) stem.resize(stem.size() - std::string_view("-inl").size());
    if (!is_snake_case(stem)) findings.add(file, 0, "file name");
  }
  EXPECT_EQ(findings.text(), "");
}

TEST(Names, TheTopHasNoOtherRooms) {
  const std::set<std::string> known = {"common", "reference", "optimized", "emulator", "tools",
                                       "tests",  "bench",     "data",      ".ci",      ".git"};
  for (const auto& entry : std::filesystem::directory_iterator(root())) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory() || name.starts_with("build") || name == ".cache") continue;
    EXPECT_TRUE(known.contains(name)) << "a new folder at the top: " << name;
  }
}

TEST(Files, EverySourceIsBuilt) {
  std::string lists;
  for (const SourceFile& file : all_files())
    if (file.path.ends_with("CMakeLists.txt"))
      for (const std::string& line : file.lines) lists += line + '\n';
  Findings findings;
  for (const SourceFile& file : all_files()) {
    const std::string name = std::filesystem::path(file.path).filename().string();
    const std::string stem = std::filesystem::path(file.path).stem().string();
    if (file.is_compiled() && lists.find(name) == std::string::npos && lists.find(stem) == std::string::npos)
      findings.add(file, 0, "no CMakeLists.txt names it");
  }
  EXPECT_EQ(findings.text(), "");
}

TEST(Files, HeadersSayWhatTheyAreAndGuardThemselves) {
  Findings findings;
  for (const SourceFile& file : all_files()) {
    if (!file.is_header()) continue;
    if (file.lines.empty() || !file.lines.front().starts_with("//"))
      findings.add(file, 0, "begins without a comment");
    if (!is_highway_inline(file) && std::ranges::find(file.lines, "#pragma once") == file.lines.end())
      findings.add(file, 0, "no #pragma once");
  }
  EXPECT_EQ(findings.text(), "");
}

TEST(Files, NoneIsTooLong) {
  Findings findings;
  std::vector<std::pair<size_t, std::string>> longest;
  for (const SourceFile& file : all_files()) {
    if (!file.is_code()) continue;
    longest.emplace_back(file.lines.size(), file.path);
    if (file.lines.size() > kMaxLines)
      findings.add(file, kMaxLines, fmt::format("{} lines", file.lines.size()));
  }
  EXPECT_EQ(findings.text(), "");
  std::ranges::sort(longest, std::greater());
  for (size_t i = 0; i < std::min<size_t>(5, longest.size()); ++i)
    RecordProperty(longest[i].second, static_cast<int>(longest[i].first));
}

// Paths that only exist on one machine. Written in pieces, so that this file does not hold them.
TEST(Files, NoneNamesAMachine) {
  const std::string slash = "/";
  const std::string patterns[] = {slash + "work/", slash + "home/", slash + "root/", ".." + slash + "shared"};
  Findings findings;
  for (const SourceFile& file : all_files())
    for (size_t i = 0; i < file.lines.size(); ++i)
      for (const std::string& pattern : patterns)
        if (file.lines[i].find(pattern) != std::string::npos) findings.add(file, i, "names " + pattern);
  EXPECT_EQ(findings.text(), "");
}

TEST(Files, NoneHasConflictMarkersOrTabs) {
  const std::string markers[] = {std::string(7, '<') + ' ', std::string(7, '>') + ' '};
  Findings findings;
  for (const SourceFile& file : all_files()) {
    for (size_t i = 0; i < file.lines.size(); ++i) {
      for (const std::string& marker : markers)
        if (file.lines[i].starts_with(marker)) findings.add(file, i, "a conflict marker");
      if (file.is_code() && file.lines[i].find('\t') != std::string::npos) findings.add(file, i, "a tab");
    }
  }
  EXPECT_EQ(findings.text(), "");
}

}  // namespace
}  // namespace mxproof::house
