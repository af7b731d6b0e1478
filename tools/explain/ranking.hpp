// Which hypotheses are worth a test on all cells, and which of those tested is the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "tools/explain/explanation.hpp"
#include "tools/explain/hypothesis.hpp"

namespace mxproof::explain {

/// One that did well on a sample.
struct Promising {
  Hypothesis hypothesis;
  double share = 0;          ///< Of the sample's wrong cells that it explains.
  int64_t broken = 0;        ///< Right cells of the sample that it would break.
  uint64_t fingerprint = 0;  ///< Of what it predicts for the sample.
};

/// The best first, and of those that are equally good the shortest. Those of one kind that predict the same
/// take turns with other kinds, so that no kind crowds out another.
std::vector<Promising> worth_testing(std::vector<Promising> promising);

/// One that was tested on all cells.
struct Ranked {
  Finding finding;
  size_t rank = 0;
};

/// Fills best, alternatives and runner-up. `convinces` says whether a finding by itself would be an answer.
void rank_findings(std::vector<Ranked> found, const std::function<bool(const Finding&)>& convinces,
                   Explanation& out);

/// Share of wrong cells that a cause must account for.
inline constexpr double kEnough = 0.98;

/// Explains enough of the wrong cells and breaks few right ones.
bool is_enough(const Score& score);

}  // namespace mxproof::explain
