// Linear least squares; the only place that knows a library for it.
#pragma once

#include <optional>
#include <vector>

namespace mxproof::explain {

/// x that makes coefficients * x come nearest to `values`: one row of `unknowns` coefficients a value.
/// Nothing when there are fewer values than unknowns, or a number is not finite.
std::optional<std::vector<double>> least_squares(const std::vector<double>& coefficients, size_t unknowns,
                                                 const std::vector<double>& values);

}  // namespace mxproof::explain
