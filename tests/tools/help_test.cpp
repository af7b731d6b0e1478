// The help is part of the interface: a change of it is a change of data/golden/help, made on purpose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/tools/run_program.hpp"

namespace mxproof {
namespace {

std::string golden(const std::string& name) {
  std::ifstream file(MXPROOF_SOURCE_DIR "/data/golden/help/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Help, OfTheProgramListsEveryCommand) {
  const ProgramResult result = run_mxproof({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  for (const char* part : {"verify", "Examples:", "--version"})
    EXPECT_THAT(result.out, testing::HasSubstr(part));
}

TEST(Help, OfVerifyIsTheGoldenOne) {
  const ProgramResult result = run_mxproof({"verify", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, golden("verify.txt"))
      << "if this is meant: build/bin/mxproof verify --help > data/golden/help/verify.txt";
}

TEST(Help, OfEveryCommandHasExamplesOfItsOwnAndExitCodes) {
  for (const char* command : {"verify", "profile", "quantize", "dequantize", "gemm", "explain", "identify",
                              "probe-data", "layout", "report"}) {
    const ProgramResult result = run_mxproof({command, "--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    for (const std::string& part :
         {std::string("Exit code: 0"), std::string("Examples:\n  mxproof ") + command})
      EXPECT_THAT(result.out, testing::HasSubstr(part)) << command;
  }
}

TEST(Help, FitsATerminalOf120Columns) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"verify", "--help"},
                                                    {"quantize", "--help"},
                                                    {"dequantize", "--help"},
                                                    {"gemm", "--help"},
                                                    {"explain", "--help"},
                                                    {"identify", "--help"},
                                                    {"probe-data", "--help"},
                                                    {"layout", "--help"}}) {
    std::istringstream text(run_mxproof(arguments).out);
    for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 120u) << line;
  }
}

TEST(Version, NamesCommitAndCompiler) {
  const ProgramResult result = run_mxproof({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out,
              testing::MatchesRegex("mxproof [0-9.]+ \\([0-9a-f]{12}( with changes)?, [^,]+, [a-z]+\\)\n|"
                                    "mxproof [0-9.]+ \\(unknown, [^,]+, [a-z]+\\)\n"));
}

}  // namespace
}  // namespace mxproof
