// What may be written to a terminal, and how.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace mxproof {

/// True when `stream` is a terminal that can move its cursor.
bool is_terminal(std::FILE* stream);

/// True when `stream` is a terminal and the environment does not forbid colour (NO_COLOR set to anything but
/// nothing, see no-color.org; TERM=dumb).
bool wants_colour(std::FILE* stream);

enum class Colour { none, green, yellow, red, bold, dim };

/// `text` between the escape sequences of `colour`, or as it is when `enabled` is false.
std::string coloured(std::string_view text, Colour colour, bool enabled);

/// A message that may quote a file: every control character becomes '?', so that it stays one line and cannot
/// move the cursor.
std::string one_line(std::string_view text);

}  // namespace mxproof
