#include "emulator/select/select_device.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>

#include "emulator/select/amd_gpu.hpp"
#include "tests/support/temp_folder.hpp"

namespace mxproof::emulator {
namespace {

using ::testing::HasSubstr;

using Answers = std::map<std::string, std::string>;

// Runs the probe under a shell with these variables and arguments, and reads its answers.
Answers probe(const std::string& environment, const std::string& arguments = "",
              const std::string& program = MXPROOF_SELECT_PROBE) {
  const std::string command =
      "env -u MXPROOF_DEVICE -u LD_PRELOAD " + environment + " " + program + " " + arguments + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  Answers answers;
  char line[4096];
  while (fgets(line, sizeof(line), pipe) != nullptr) {
    const std::string text(line);
    const size_t equals = text.find('=');
    if (equals == std::string::npos) {
      ADD_FAILURE() << "the probe prints nothing else, but: " << text;
      continue;
    }
    answers[text.substr(0, equals)] = text.substr(equals + 1, text.size() - equals - 2);
  }
  EXPECT_EQ(pclose(pipe), 0);
  return answers;
}

std::string code(StatusCode value) {
  return std::to_string(static_cast<int>(value));
}

bool has_gpu() {
  return find_amd_gpu().ok();
}

TEST(SelectDevice, EmulatorIsLoadedOnceWithTheSameArguments) {
  const Answers answers = probe("MXPROOF_DEVICE=emulator", "one 'two three' ''");
  EXPECT_EQ(answers.at("code"), code(StatusCode::ok)) << answers.at("message");
  EXPECT_EQ(answers.at("emulator"), "1");
  EXPECT_EQ(answers.at("arguments"), "one;two three;;");
}

TEST(SelectDevice, ChildrenChooseForThemselves) {
  EXPECT_EQ(probe("MXPROOF_DEVICE=emulator").at("LD_PRELOAD"), "(unset)");
  // A preload of the user's own stays.
  const Answers answers = probe("MXPROOF_DEVICE=emulator LD_PRELOAD=libm.so.6");
  EXPECT_EQ(answers.at("emulator"), "1");
  EXPECT_EQ(answers.at("LD_PRELOAD"), "libm.so.6");
}

TEST(SelectDevice, AutoTakesTheEmulatorWithoutAGpu) {
  for (const char* environment : {"", "MXPROOF_DEVICE=auto", "MXPROOF_DEVICE="}) {
    const Answers answers = probe(environment);
    EXPECT_EQ(answers.at("code"), code(StatusCode::ok)) << answers.at("message");
    EXPECT_EQ(answers.at("emulator"), has_gpu() ? "0" : "1") << environment;
  }
}

TEST(SelectDevice, GpuIsRefusedWithoutOne) {
  const Answers answers = probe("MXPROOF_DEVICE=gpu");
  EXPECT_EQ(answers.at("emulator"), "0");
  EXPECT_EQ(answers.at("code"), code(has_gpu() ? StatusCode::ok : StatusCode::refused));
  if (!has_gpu()) {
    EXPECT_THAT(answers.at("message"), HasSubstr("no usable AMD GPU"));
  }
}

TEST(SelectDevice, AnotherValueIsBadInput) {
  const Answers answers = probe("MXPROOF_DEVICE=cpu");
  EXPECT_EQ(answers.at("code"), code(StatusCode::bad_input));
  EXPECT_THAT(answers.at("message"), HasSubstr("MXPROOF_DEVICE=cpu: must be auto, gpu or emulator"));
}

TEST(SelectDevice, DoesNotRestartForEver) {
  // The mark of the restart without the library: it did not load.
  const Answers answers = probe("MXPROOF_DEVICE=emulator MXPROOF_RESTARTED_WITH_PRELOAD=");
  EXPECT_EQ(answers.at("code"), code(StatusCode::internal));
  EXPECT_THAT(answers.at("message"), HasSubstr("did not load"));
}

TEST(SelectDevice, AMissingLibraryIsNamed) {
  const TempFolder folder;
  const std::string copy = folder.file("bin/select_probe");
  const std::string make = "mkdir -p " + folder.file("bin") + " && cp " MXPROOF_SELECT_PROBE " " + copy;
  ASSERT_EQ(std::system(make.c_str()), 0);
  const Answers answers = probe("MXPROOF_DEVICE=emulator", "", copy);
  EXPECT_EQ(answers.at("code"), code(StatusCode::internal));
  EXPECT_THAT(answers.at("message"), HasSubstr(folder.file("lib/libmxproof_hip.so")));
}

}  // namespace
}  // namespace mxproof::emulator
