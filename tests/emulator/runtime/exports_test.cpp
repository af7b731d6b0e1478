// What the library offers, against what AMD's does: a program that needs a symbol more does not start.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <set>
#include <string>

namespace mxproof::emulator {
namespace {

// Names of symbols and of versions ("hip_5.2"), without the versions of symbols.
std::set<std::string> exports(const std::string& library) {
  std::set<std::string> names;
  FILE* pipe = ::popen((MXPROOF_NM " -D --defined-only '" + library + "'").c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  std::array<char, 1024> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) {
    const std::string text = line.data();  // "0000000000053220 T hipMalloc@@hip_4.2"
    const size_t start = text.rfind(' ') + 1;
    names.insert(text.substr(start, text.find_first_of("@\n", start) - start));
  }
  EXPECT_EQ(::pclose(pipe), 0) << library;
  return names;
}

TEST(Exports, EverySymbolAndVersionOfAmdsLibraryIsThere) {
  // Of its debugger, and conversions of the compiler's support library that leaked out of it.
  const std::set<std::string> not_hips = {"__gnu_f2h_ieee", "__gnu_h2f_ieee", "amd_dbgapi_get_build_id",
                                          "amd_dbgapi_get_build_name", "amd_dbgapi_get_git_hash"};
  const std::set<std::string> ours = exports(MXPROOF_DROPIN);
  const std::set<std::string> theirs = exports(MXPROOF_AMDHIP64);
  EXPECT_GT(theirs.size(), 300U) << MXPROOF_AMDHIP64;
  for (const std::string& name : theirs) EXPECT_TRUE(ours.contains(name) || not_hips.contains(name)) << name;
}

TEST(Exports, NothingElseIsVisible) {
  for (const std::string& name : exports(MXPROOF_DROPIN)) {
    const bool is_type = name.starts_with("_ZT");  // of the C++ library, which every library shares
    EXPECT_TRUE(name.find("hip") != std::string::npos || is_type) << name;
  }
}

}  // namespace
}  // namespace mxproof::emulator
