// From the files that a user has to evidence.
#pragma once

#include <string>
#include <vector>

#include "common/status.hpp"
#include "tools/explain/evidence.hpp"

namespace mxproof::explain {

/// What was given; files as in tools/array_argument.
struct Inputs {
  std::string a;         ///< Numbers to quantise, or a quantised matrix.
  std::string a_scales;  ///< When `a` holds codes alone.
  std::string b;
  std::string b_scales;
  std::vector<std::string> outputs;
  std::string expected;
  std::string previous;
  std::string codes;  ///< Quantised data under question.
  std::string scales;
  std::string codes_layout = "codes_row_major";
  std::string scales_layout = "scale_row_major";
  std::string policy = "even";
  std::string packing;  ///< Of quantised operands; empty: what their files say, or low-first.
  int64_t k = 0;
  bool nan_expected = false;  ///< NaN in `expected` is meant.
};

Expected<Evidence> gather(const Inputs& inputs);

}  // namespace mxproof::explain
