// Style and scripts of the pages, which travel inside the program. Made at build time from this folder.
#pragma once

#include <string_view>

namespace mxproof::page {

/// The text of one of the folder's files; the name must exist.
std::string_view asset(std::string_view name);

}  // namespace mxproof::page
