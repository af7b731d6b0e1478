// Files that travel inside the program: the dashboard's page and the published figures.
// Made at build time from tools/report/page and data/published; see tools/report/CMakeLists.txt.
#pragma once

#include <span>
#include <string_view>

namespace mxproof::report {

struct Asset {
  std::string_view name;  ///< File name without folder.
  std::string_view text;
};

std::span<const Asset> page_assets();
std::span<const Asset> published_assets();

}  // namespace mxproof::report
