#include "common/report/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace mxproof {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool is_terminal(std::FILE* stream) {
  return ::isatty(::fileno(stream)) == 1 && environment("TERM") != "dumb" && !environment("TERM").empty();
}

bool wants_colour(std::FILE* stream) {
  return is_terminal(stream) && environment("NO_COLOR").empty();
}

std::string coloured(std::string_view text, Colour colour, bool enabled) {
  constexpr const char* kCodes[] = {"0", "32", "33", "31", "1", "2"};
  if (!enabled || colour == Colour::none) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<size_t>(colour)], text);
}

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
  return line;
}

}  // namespace mxproof
