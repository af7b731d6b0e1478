// The corpus: every planted fault over several shapes, and how the engine did on it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/shape.hpp"
#include "tools/explain/corpus/lab.hpp"
#include "tools/explain/explanation.hpp"

namespace mxproof::explain {

/// Faults that the causes were written for.
std::vector<Fault> all_faults();

/// Shapes on which thresholds were chosen, others on which the engine is scored, and those of the faults that
/// no cause was written for and of small results.
std::vector<GemmShape> tuning_shapes();
std::vector<GemmShape> scoring_shapes();
std::vector<GemmShape> unforeseen_shapes();
std::vector<GemmShape> small_shapes();

enum class Outcome {
  right,              ///< The true cause is the answer, or among those that predict the same.
  no_answer,          ///< "unknown" although there is a cause: not helpful, not harmful.
  confidently_wrong,  ///< Another cause is the answer.
};

struct CorpusTrial {
  std::string fault;
  GemmShape shape;
  std::string truth;
  std::string answer;  ///< Name of the cause found, "unknown" or "right".
  Outcome outcome = Outcome::right;
  bool among_equals = false;  ///< The true cause is named second or later, with equal predictions.
  std::string headline;
  double seconds = 0;
};

struct CorpusResult {
  std::vector<CorpusTrial> trials;
  int64_t count(Outcome v) const;
  double share_right() const;
};

/// Runs every fault on every shape, or each on one of them in turn, with seeds derived from `seed`.
/// `on_trial` is called after each.
enum class Coverage { every_shape, one_shape_each };
CorpusResult run_corpus(const std::vector<Fault>& faults, const std::vector<GemmShape>& shapes, uint64_t seed,
                        Coverage coverage, const std::function<void(const CorpusTrial&)>& on_trial = {});

/// What is promised: the true cause in 95 of 100 trials, and never another one with confidence.
bool is_good_enough(const CorpusResult& result);

/// Judges one explanation against a fault's truth.
CorpusTrial judge_trial(const Fault& fault, const Explanation& explanation);

/// True cause down, answer across: "truth -> answer: count" lines, and the totals.
std::string confusion_table(const CorpusResult& result);

}  // namespace mxproof::explain
