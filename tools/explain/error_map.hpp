// The error map: outputs coloured by how they are wrong, with a tile grid over it, as an SVG in one page.
#pragma once

#include <string>

#include "common/layout/extent.hpp"
#include "tools/explain/evidence.hpp"
#include "tools/explain/explanation.hpp"

namespace mxproof::explain {

/// The page: the answer, the map, what was seen, the first wrong cells. `tile` is the grid drawn over the
/// map, in cells. Large results are drawn in bins of several cells.
std::string error_map_page(const Evidence& evidence, const Explanation& explanation, Extent tile);

}  // namespace mxproof::explain
