// Hypothesis: one or two candidates applied in order, and perhaps a factor on top; and how much it takes to
// say it. Of hypotheses that predict the same the shortest is the answer.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/explain/cause.hpp"
#include "tools/explain/region.hpp"

namespace mxproof::explain {

struct Hypothesis {
  std::vector<const Candidate*> parts;
  double factor = 1;
  size_t rank = 0;  ///< Order of the registry; smaller is likelier.

  /// Information that was taken from the wrong output itself.
  double fitted_bits() const;
  /// What it takes to say it: which cause, which candidate of it, what was fitted, what is only supposed.
  double description_bits() const;
  /// Names of its causes and the operands they act on: those of one kind differ in parameters only.
  std::string kind() const;
  std::vector<std::string> causes() const;
  std::string text() const;
};

ProductModel model_of(const ProductModel& right, const Hypothesis& hypothesis);

/// What it takes to say that the hypothesis acts in this region only; more when the region cuts across the
/// operand that it acts on, as a misread row of B shows in every row of the output.
double description_bits(const Hypothesis& hypothesis, const Region& region);

/// A fault of an operand takes whole rows of it (columns of the output, for B). Over a few of them, picked
/// for being wrong, one misreading of a row or another fits by chance, however many outputs they make, unless
/// it changes more of these rows than `bits` of chance allow.
bool may_act_in(const ProductModel& right, const Hypothesis& hypothesis, const Region& region, double bits);

}  // namespace mxproof::explain
