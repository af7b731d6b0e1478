// What can be seen of a wrong result without knowing its cause.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/explain/evidence.hpp"
#include "tools/explain/region.hpp"

namespace mxproof::explain {

/// Sentences: kinds of wrong values, ratios, how they spread over rows, columns, tiles, lanes, and whether
/// they grow with the row.
std::vector<std::string> observe(const Evidence& evidence, const WrongMap& map,
                                 const std::vector<Region>& regions);

/// When runs of the same call differ: how many distinct ones, where, and by how much. Nothing otherwise.
std::optional<std::string> differing_runs(const Evidence& evidence);

/// Cells at which not all runs agree.
WrongMap unstable_cells(const Evidence& evidence);

}  // namespace mxproof::explain
