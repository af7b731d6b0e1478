// JSON text to a value, with the place of the first mistake.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "common/status.hpp"

namespace mxproof::report {

/// Parses `text`. A mistake is bad input: "FILE: not JSON at line 3, column 7 (near 'xyz')"; text that ends
/// too early says so.
Expected<nlohmann::json> parse_json(std::string_view text, const std::string& file);

/// The whole file as text; bad input when it cannot be read.
Expected<std::string> read_text(const std::string& path);

}  // namespace mxproof::report
