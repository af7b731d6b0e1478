// From the files that a user has to evidence.
#pragma once

#include <string>
#include <vector>

#include "common/array/array.hpp"
#include "common/status.hpp"
#include "tools/explain/evidence.hpp"

namespace mxproof::explain {

/// What was given. Files are .npy, .safetensors[:TENSOR], or raw bytes as FILE@DTYPE:ROWSxCOLS.
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
  int64_t k = 0;
};

/// Reads an array, raw ones included.
Expected<Array> read_any_array(const std::string& name);

Expected<Evidence> gather(const Inputs& inputs);

}  // namespace mxproof::explain
