#include "tools/explain/corpus/corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <set>

#include "tools/explain/engine.hpp"

namespace mxproof::explain {
namespace {

bool names_any(const Finding& finding, const std::vector<std::string_view>& truth) {
  return std::any_of(finding.causes.begin(), finding.causes.end(), [&](const std::string& c) {
    return std::find(truth.begin(), truth.end(), c) != truth.end();
  });
}

/// Both of a pair must be named; the same cause twice must be named twice.
bool names_truth(const Finding& finding, const Fault& fault) {
  if (!names_any(finding, fault.truth)) return false;
  if (fault.second.empty()) return finding.causes.size() == 1;
  return finding.causes.size() >= 2 && names_any(finding, fault.second);
}

/// A fault may change nothing on small data; then there is nothing to find.
bool has_no_effect(const Fault& fault, const Evidence& evidence) {
  if (std::ranges::find(fault.truth, "right") != fault.truth.end()) return false;
  return std::ranges::count(evidence.wrong_cells(), 1) == 0;
}

std::string answer_of(const Explanation& e) {
  if (e.answer == Answer::right || e.answer == Answer::unknown || !e.best) return name_of(e.answer);
  return fmt::format("{}", fmt::join(e.best->causes, " + "));
}

}  // namespace

std::vector<Fault> all_faults() {
  std::vector<Fault> all;
  for (auto list : {faults_in_codes, faults_in_scales, faults_in_quantiser, faults_in_sum, faults_in_output,
                    faults_of_two, faults_unknown, faults_in_quantised_data}) {
    for (Fault& fault : list()) all.push_back(std::move(fault));
  }
  return all;
}

std::vector<GemmShape> tuning_shapes() {
  return {{32, 128, 512}, {64, 192, 1152}};
}
std::vector<GemmShape> scoring_shapes() {
  return {{48, 208, 832}, {20, 304, 1600}, {80, 160, 640}};
}
std::vector<GemmShape> unforeseen_shapes() {
  return {{40, 272, 448}, {112, 96, 704}, {24, 352, 320}};
}
std::vector<GemmShape> small_shapes() {
  return {{1, 64, 512}, {4, 48, 128}, {7, 48, 384}, {17, 32, 128}, {33, 64, 256}};
}

CorpusTrial judge_trial(const Fault& fault, const Explanation& e) {
  CorpusTrial trial;
  trial.fault = fault.name;
  trial.truth = fault.truth.front();
  if (!fault.second.empty()) trial.truth += fmt::format(" + {}", fault.second.front());
  trial.answer = answer_of(e);
  trial.headline = e.headline();
  trial.seconds = e.seconds;
  const auto says = [&](std::string_view name) {
    return std::find(fault.truth.begin(), fault.truth.end(), name) != fault.truth.end();
  };
  if (e.answer == Answer::right) {
    trial.outcome = says("right") ? Outcome::right : Outcome::confidently_wrong;
  } else if (e.answer == Answer::unknown) {
    trial.outcome = says("unknown") ? Outcome::right : Outcome::no_answer;
  } else if (e.best && names_truth(*e.best, fault)) {
    trial.outcome = Outcome::right;
  } else if (std::any_of(e.alternatives.begin(), e.alternatives.end(),
                         [&](const Finding& f) { return names_truth(f, fault); })) {
    trial.outcome = Outcome::right;
    trial.among_equals = true;
  } else {
    // "Located" says where without saying why: true as far as it goes.
    trial.outcome =
        e.answer == Answer::located && !says("unknown") ? Outcome::no_answer : Outcome::confidently_wrong;
  }
  return trial;
}

int64_t CorpusResult::count(Outcome outcome) const {
  return std::count_if(trials.begin(), trials.end(),
                       [&](const CorpusTrial& t) { return t.outcome == outcome; });
}
double CorpusResult::share_right() const {
  return trials.empty() ? 0 : static_cast<double>(count(Outcome::right)) / static_cast<double>(trials.size());
}

bool is_good_enough(const CorpusResult& result) {
  return result.share_right() >= 0.95 && result.count(Outcome::confidently_wrong) == 0;
}

CorpusResult run_corpus(const std::vector<Fault>& faults, const std::vector<GemmShape>& shapes, uint64_t seed,
                        Coverage coverage, const std::function<void(const CorpusTrial&)>& on_trial) {
  CorpusResult result;
  std::vector<bool> done(faults.size(), false);
  for (size_t s = 0; s < shapes.size(); ++s) {
    const Lab lab(shapes[s], seed + s);
    for (size_t f = 0; f < faults.size(); ++f) {
      // In turn; a fault that makes no sense for its shape moves on to the next.
      const bool turn = coverage == Coverage::every_shape || (!done[f] && f % shapes.size() <= s);
      const std::optional<Evidence> evidence = turn ? faults[f].plant(lab) : std::nullopt;
      if (!evidence || has_no_effect(faults[f], *evidence)) continue;
      done[f] = true;
      const Expected<Explanation> explanation = explain(*evidence);
      assert(explanation && "planted evidence is well-formed");
      CorpusTrial trial = judge_trial(faults[f], *explanation);
      trial.shape = shapes[s];
      if (on_trial) on_trial(trial);
      result.trials.push_back(std::move(trial));
    }
  }
  return result;
}

std::string confusion_table(const CorpusResult& result) {
  std::map<std::string, std::map<std::string, int64_t>> table;
  size_t width = 5;
  for (const CorpusTrial& t : result.trials) {
    ++table[t.truth][t.outcome == Outcome::right && t.truth != t.answer && !t.among_equals
                         ? t.answer + " (same thing)"
                     : t.among_equals ? t.answer + " (and the true one: equal predictions)"
                                      : t.answer];
    width = std::max(width, t.truth.size());
  }
  std::string text = fmt::format("{:<{}}  answers\n", "truth", width);
  for (const auto& [truth, answers] : table) {
    std::string row;
    for (const auto& [answer, count] : answers)
      row += fmt::format("{}{} x{}", row.empty() ? "" : ", ", answer, count);
    text += fmt::format("{:<{}}  {}\n", truth, width, row);
  }
  std::set<std::string> faults;
  for (const CorpusTrial& t : result.trials) faults.insert(t.fault);
  const auto equals = std::count_if(result.trials.begin(), result.trials.end(),
                                    [](const CorpusTrial& t) { return t.among_equals; });
  text += fmt::format(
      "\n{} faults, {} trials: {} right ({:.1f} %; {} of them named beside one that predicts the same), "
      "{} without an answer, {} confidently wrong\n",
      faults.size(), result.trials.size(), result.count(Outcome::right), 100 * result.share_right(), equals,
      result.count(Outcome::no_answer), result.count(Outcome::confidently_wrong));
  for (const CorpusTrial& t : result.trials) {
    if (t.outcome == Outcome::right) continue;
    text +=
        fmt::format("  {} {}x{}x{}: {}: {}\n", t.outcome == Outcome::no_answer ? "no answer " : "WRONG     ",
                    t.shape.m, t.shape.n, t.shape.k, t.fault, t.headline);
  }
  return text;
}

}  // namespace mxproof::explain
