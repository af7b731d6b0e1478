// A trial: one hypothesis held against the cells of a sample.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/explain/evidence.hpp"
#include "tools/explain/explanation.hpp"
#include "tools/explain/model.hpp"
#include "tools/explain/sample.hpp"

namespace mxproof::explain {

struct Trial {
  std::vector<uint8_t> wrong_agrees;  ///< Per wrong cell of the sample: predicted as it is.
  std::vector<uint8_t> right_agrees;
  std::vector<uint64_t> wrong_value;  ///< What was predicted, as bits (a hash, for blocks).
  std::vector<uint64_t> right_value;
  std::vector<float>
      wrong_bits;  ///< Information in the cell: how surprising its value is to who expects the right one.

  int64_t explained() const;
};

Trial try_model(const Evidence& evidence, const ProductModel& model, const Sample& sample);

/// Score of a trial, with the hypothesis confined to `region` when that is not null: outside of it cells are
/// taken to be right. Information lies in the values and in which cells are wrong and which are not.
Score score_of(const Trial& trial, const Sample& sample, const Region* region);

/// Equal for trials that predict the same numbers, confined to their regions.
uint64_t fingerprint_of(const Evidence& evidence, const Trial& trial, const Sample& sample,
                        const Region* region);

/// The one power of two, other than 1, by which all wrong cells differ from the prediction; 1 if there is
/// none, if it is absurd, or if the model predicts what is expected.
double common_factor(const Evidence& evidence, const ProductModel& model, const std::vector<Coord>& cells);

}  // namespace mxproof::explain
