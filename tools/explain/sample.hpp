// Which cells hypotheses are tested on.
#pragma once

#include <cstdint>
#include <vector>

#include "common/layout/extent.hpp"
#include "tools/explain/evidence.hpp"
#include "tools/explain/region.hpp"

namespace mxproof::explain {

struct Sample {
  std::vector<Coord> wrong;
  std::vector<Coord> right;
};

/// A few hundred cells in a few dozen rows, wrong and right ones, spread over the result; in random order, so
/// that any prefix is spread too. The same every time.
Sample screening_sample(const WrongMap& map);

/// A handful of wrong cells in three rows, for trying thousands of pairs.
Sample probe_sample(const WrongMap& map);

/// All cells, or whole rows spread over the result when there are more than about 2^18. `k` bounds the memory
/// that decoded operands take.
Sample full_sample(const WrongMap& map, int64_t k);

}  // namespace mxproof::explain
