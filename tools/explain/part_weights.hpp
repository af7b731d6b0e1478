// With what weight each part of K enters the sums that were got. Sums are linear in their parts, so least
// squares over wrong outputs finds it: 1 for a part that is summed as it should be, 2 for one that counts
// twice, and 0 for one that is missing or has something unrelated in its place. That says where along K a
// fault sits even when nothing says what it is.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "common/layout/extent.hpp"
#include "tools/explain/evidence.hpp"

namespace mxproof::explain {

struct PartWeights {
  std::vector<double> values;  ///< One a part.
  double error = 0;            ///< Standard error of a typical one.
};

/// A part is a block of 32 elements. Nothing when the operands are not known, K is longer than 8192, or there
/// are too few cells: some more than blocks are needed.
std::optional<PartWeights> weights_of_blocks(const Evidence& evidence, std::span<const Coord> cells);

/// 32 parts: elements 0 of all blocks, elements 1, ...
std::optional<PartWeights> weights_of_places(const Evidence& evidence, std::span<const Coord> cells);

}  // namespace mxproof::explain
