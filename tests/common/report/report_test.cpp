// Tables, progress and colour: what a terminal shows and what a file does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include "common/report/build_info.hpp"
#include "common/report/progress.hpp"
#include "common/report/table.hpp"
#include "common/report/terminal.hpp"

namespace mxproof {
namespace {

using testing::HasSubstr;

TEST(Table, AlignsItsCells) {
  const Table table({{"shape", 8}, {"count", 0, true}}, /*colour=*/false);
  EXPECT_EQ(table.head(),
            "shape     count\n"
            "--------  -----\n");
  EXPECT_EQ(table.row({{"1x2x3"}, {"7"}}), "1x2x3         7\n");
  EXPECT_EQ(table.row({{"wider than that"}, {"123456"}}), "wider than that  123456\n");
}

TEST(Table, ColourTakesNoWidth) {
  const Table table({{"a", 4}, {"b", 4}}, /*colour=*/true);
  EXPECT_EQ(table.row({{"x", Colour::red}, {"y"}}), "\x1b[31mx\x1b[0m     y\n");
}

TEST(Table, CountsCharactersNotBytes) {
  EXPECT_EQ(display_width("±6 µs"), 5u);
}

TEST(OneLine, LeavesNoControlCharacter) {
  EXPECT_EQ(one_line("a\nb\tc\x1b[31md\x7f"), "a?b?c?[31md?");
  EXPECT_EQ(one_line("µs"), "µs");
}

// A pseudo-terminal to write to, and what it was shown.
class Terminal {
 public:
  Terminal() {
    winsize size{.ws_row = 24, .ws_col = 60, .ws_xpixel = 0, .ws_ypixel = 0};
    EXPECT_EQ(::openpty(&reader_, &writer_, nullptr, nullptr, &size), 0);
    stream_ = ::fdopen(writer_, "w");
    ::setenv("TERM", "xterm", 1);
    ::unsetenv("NO_COLOR");
  }
  ~Terminal() {
    std::fclose(stream_);
    ::close(reader_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  std::FILE* stream() { return stream_; }
  std::string shown() {
    std::fflush(stream_);
    std::array<char, 4096> buffer;
    const ssize_t got = ::read(reader_, buffer.data(), buffer.size());
    return got > 0 ? std::string(buffer.data(), static_cast<size_t>(got)) : std::string();
  }

 private:
  int reader_ = -1;
  int writer_ = -1;
  std::FILE* stream_ = nullptr;
};

TEST(Colour, IsForTerminalsThatWantIt) {
  Terminal terminal;
  EXPECT_TRUE(is_terminal(terminal.stream()));
  EXPECT_TRUE(wants_colour(terminal.stream()));
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(wants_colour(terminal.stream()));
  EXPECT_TRUE(is_terminal(terminal.stream()));
  ::setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(wants_colour(terminal.stream()));
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(wants_colour(terminal.stream()));
  EXPECT_FALSE(is_terminal(terminal.stream()));

  std::FILE* file = std::tmpfile();
  ::setenv("TERM", "xterm", 1);
  EXPECT_FALSE(is_terminal(file));
  EXPECT_FALSE(wants_colour(file));
  std::fclose(file);
}

TEST(Progress, DrawsOnATerminalAndCleansUp) {
  Terminal terminal;
  {
    Progress progress(4, terminal.stream());
    progress.advance(1, "first step");
    EXPECT_EQ(terminal.shown(), "\r\x1b[K[######..................]  25 %  first step");
    progress.advance(1, std::string(100, 'x'));
    const std::string second = terminal.shown();
    EXPECT_THAT(second, HasSubstr("[############............]  50 %"));
    EXPECT_EQ(second.size(), 4 + 59u) << "cut to one column less than the terminal has";
    progress.advance(100, "more than all");
    EXPECT_THAT(terminal.shown(), HasSubstr("100 %"));
  }
  EXPECT_EQ(terminal.shown(), "\r\x1b[K");
}

TEST(Progress, IsSilentInAFile) {
  std::FILE* file = std::tmpfile();
  {
    Progress progress(4, file);
    progress.advance(1, "first step");
  }
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

TEST(BuildInfo, HasAllItsFields) {
  const nlohmann::json json = to_json(build_info());
  for (const char* key : {"version", "commit", "compiler", "flags", "build_type", "platform"}) {
    ASSERT_TRUE(json.contains(key)) << key;
    EXPECT_TRUE(json[key].is_string()) << key;
    EXPECT_FALSE(json[key].get<std::string>().empty()) << key;
  }
  EXPECT_TRUE(json["dirty"].is_boolean());
  EXPECT_TRUE(build_info().commit == "unknown" || build_info().commit.size() == 40) << build_info().commit;
}

}  // namespace
}  // namespace mxproof
