// What a written file replaces and what it must leave in place.
#include "common/array/byte_source.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/support/temp_folder.hpp"

namespace mxproof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ArrayWriting : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.file(name); }
  std::string text(const std::string& name) const {
    std::ifstream stream(file(name));
    std::ostringstream all;
    all << stream.rdbuf();
    return all.str();
  }
  void write(const std::string& name, const std::string& what) const {
    const Status status = write_text(file(name), what);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  size_t files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator{}));
  }
  TempFolder folder_;
};

TEST_F(ArrayWriting, AFileIsReplacedAndKeepsItsPermissions) {
  write("f", "a long first text");
  ASSERT_EQ(::chmod(file("f").c_str(), 0640), 0);
  write("f", "second");
  EXPECT_EQ(text("f"), "second");
  EXPECT_EQ(fs::status(file("f")).permissions(), fs::perms{0640});
  EXPECT_EQ(files(), 1u) << "no temporary file stays";
}

TEST_F(ArrayWriting, ALinkStaysAndItsTargetIsReplaced) {
  write("target", "first");
  fs::create_symlink("target", file("link"));
  fs::create_symlink("later", file("dangling"));
  write("link", "second");
  write("dangling", "third");
  EXPECT_TRUE(fs::is_symlink(file("link")));
  EXPECT_EQ(text("target"), "second");
  EXPECT_TRUE(fs::is_symlink(file("dangling")));
  EXPECT_EQ(text("later"), "third");
}

TEST_F(ArrayWriting, APipeGetsTheTextAndStays) {
  ASSERT_EQ(::mkfifo(file("pipe").c_str(), 0600), 0);
  const int reader = ::open(file("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  write("pipe", "through the pipe");
  char got[32] = {};
  EXPECT_EQ(::read(reader, got, sizeof got - 1), 16);
  ::close(reader);
  EXPECT_STREQ(got, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(file("pipe")));
}

TEST_F(ArrayWriting, ADeviceStays) {
  if (::mknod(file("null").c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) GTEST_SKIP() << "needs root";
  if (!std::ofstream(file("null"))) GTEST_SKIP() << "no device works in this folder";
  write("null", "nothing");
  EXPECT_TRUE(fs::is_character_file(file("null")));
  ASSERT_EQ(::mknod(file("full").c_str(), S_IFCHR | 0600, makedev(1, 7)), 0);
  EXPECT_THAT(write_text(file("full"), "much").message(), HasSubstr("full: cannot write: No space left"));
  EXPECT_TRUE(fs::is_character_file(file("full")));
}

TEST_F(ArrayWriting, WhatCannotBeWrittenIsSaidAndStays) {
  fs::create_directory(file("folder"));
  for (const std::string& wrong : {file("folder"), folder_.file("")}) {
    EXPECT_THAT(write_text(wrong, "x").message(), HasSubstr(wrong + ": cannot write: is a directory"));
    EXPECT_THAT(check_writable(wrong).message(), HasSubstr("is a directory"));
  }
  EXPECT_THAT(write_text(file("none/f"), "x").message(), HasSubstr("No such file or directory"));
  EXPECT_THAT(check_writable(file("none/f")).message(), HasSubstr("its directory does not exist"));
  EXPECT_TRUE(check_writable(file("new")).ok());
  EXPECT_TRUE(check_writable("/dev/null").ok()) << "a device may be written to where its folder may not";
  write("old", "kept");
  ASSERT_EQ(::chmod(file("old").c_str(), 0400), 0);
  if (::access(file("old").c_str(), W_OK) == 0) return;  // nothing is forbidden to root
  EXPECT_THAT(write_text(file("old"), "x").message(), HasSubstr("Permission denied"));
  EXPECT_EQ(text("old"), "kept");
}

}  // namespace
}  // namespace mxproof
