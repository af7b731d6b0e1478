// Patterns: how the wrong cells spread over rows, columns, tiles, lanes and registers, and over K. They are
// what is left to look at when no cause fits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/explain/evidence.hpp"
#include "tools/explain/region.hpp"

namespace mxproof::explain {

struct Pattern {
  enum class Kind {
    share,   ///< Of the cells that belong to the bin: how many are wrong, 0..1; NaN where there are none.
    weight,  ///< Of a part of K in the wrong sums; see part_weights.hpp.
  };
  std::string name;  ///< "lanes of a 16x16x128 result"
  Kind kind = Kind::share;
  int64_t per_line = 0;  ///< Values that belong side by side.
  std::vector<double> values;
};

std::vector<Pattern> patterns_of(const Evidence& evidence, const WrongMap& map);

/// Lines of text: a share is a digit of tenths, '.' for none and '#' for all. One line when all are alike.
std::vector<std::string> draw(const Pattern& pattern);

}  // namespace mxproof::explain
