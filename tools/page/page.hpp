// Self-contained HTML pages: one file, no network, light and dark, keyboard and pointer.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace mxproof::page {

/// Text with the characters that HTML gives a meaning escaped.
std::string escaped(std::string_view text);

enum class Script {
  linked_grids,  ///< Draws every element of class "linked-grids" from its data; see linked_grids.js.
  error_map,     ///< Makes every element of class "error-map" speak; see error_map.js.
};

/// A whole page. `body` is HTML; `data` is what its script reads, under the ids that it names.
std::string make(std::string_view title, std::string_view body, Script script, const nlohmann::json& data);

}  // namespace mxproof::page
