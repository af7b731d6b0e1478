// What holds for every command, because main sees to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/support/temp_folder.hpp"

namespace mxproof {
namespace {

TEST(VerifyOutput, ThatDoesNotArriveIsNoPass) {
  const TempFolder folder;
  for (const std::string arguments : {"--version", "layout", "verify --help", "identify --help"}) {
    const std::string command =
        std::string(MXPROOF_PROGRAM) + " " + arguments + " > /dev/full 2> " + folder.file("err.txt");
    const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): only a shell redirects
    EXPECT_EQ(WEXITSTATUS(status), 1) << arguments;
    std::ifstream stream(folder.file("err.txt"));
    std::ostringstream said;
    said << stream.rdbuf();
    EXPECT_EQ(said.str(), "mxproof: standard output cannot be written: No space left on device\n");
  }
}

}  // namespace
}  // namespace mxproof
