// Which room may include which:
//
//   tests, bench, tools  ->  reference, optimized, emulator  ->  common
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/house/source_tree.hpp"

namespace mxproof::house {
namespace {

const std::map<std::string, std::set<std::string>>& arrows() {
  static const std::map<std::string, std::set<std::string>> kArrows = {
      {"common", {"common"}},
      {"reference", {"reference", "common"}},
      {"optimized", {"optimized", "common"}},
      {"emulator", {"emulator", "common"}},
      {"tools", {"tools", "reference", "optimized", "emulator", "common"}},
      {"bench", {"bench", "tools", "reference", "optimized", "emulator", "common"}},
      {"tests", {"tests", "tools", "bench", "reference", "optimized", "emulator", "common"}},
  };
  return kArrows;
}

template <class Check>
void for_each_line_of_code(Check check) {
  size_t lines = 0;
  for (const SourceFile& file : all_files()) {
    if (!file.is_code()) continue;
    for (size_t i = 0; i < file.lines.size(); ++i, ++lines) check(file, i, file.lines[i]);
  }
  ASSERT_GT(lines, 1000u) << "the sources were not found";
}

TEST(Arrows, EveryIncludeGoesTheRightWayAndIsWrittenFromTheRoot) {
  Findings findings;
  size_t includes = 0;
  for_each_line_of_code([&](const SourceFile& file, size_t index, const std::string& line) {
    const std::string target = quoted_include(line);
    if (target.empty()) return;
    ++includes;
    const std::string room = target.substr(0, target.find('/'));
    if (!arrows().contains(room))
      findings.add(file, index, fmt::format("\"{}\" is not written from the root of the repository", target));
    else if (!arrows().at(file.room).contains(room))
      findings.add(file, index, fmt::format("{} may not include {} (\"{}\")", file.room, room, target));
  });
  EXPECT_GT(includes, 50u);
  EXPECT_EQ(findings.text(), "");
}

TEST(Arrows, CommonAndReferenceKnowNoGpu) {
  Findings findings;
  for_each_line_of_code([&](const SourceFile& file, size_t index, const std::string& line) {
    const std::string target = angled_include(line);
    if ((file.room == "common" || file.room == "reference") &&
        (target.starts_with("hip/") || target.starts_with("cuda") || target.starts_with("hsa/")))
      findings.add(file, index, fmt::format("<{}>", target));
  });
  EXPECT_EQ(findings.text(), "");
}

TEST(Arrows, TheKernelsKnowNoEmulator) {
  Findings findings;
  for_each_line_of_code([&](const SourceFile& file, size_t index, const std::string& line) {
    if (file.room == "optimized" &&
        (line.find("emulator") != std::string::npos || line.find("Emulator") != std::string::npos))
      findings.add(file, index, "mentions the emulator: " + line);
  });
  EXPECT_EQ(findings.text(), "");
}

// The rule itself, on lines that must and must not count as includes.
TEST(Arrows, IncludesAreRecognised) {
  EXPECT_EQ(quoted_include("#include \"common/shape.hpp\"  // why"), "common/shape.hpp");
  EXPECT_EQ(quoted_include("  #  include \"a/b.hpp\""), "a/b.hpp");
  EXPECT_EQ(quoted_include("// #include \"a/b.hpp\""), "");
  EXPECT_EQ(quoted_include("#include <a/b.hpp>"), "");
  EXPECT_EQ(angled_include("#include <hip/hip_runtime.h>"), "hip/hip_runtime.h");
}

}  // namespace
}  // namespace mxproof::house
