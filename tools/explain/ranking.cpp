#include "tools/explain/ranking.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace mxproof::explain {
namespace {

constexpr size_t kMostFullTests = 24;

}  // namespace

bool is_enough(const Score& score) {
  const double wrong = static_cast<double>(score.wrong);
  return static_cast<double>(score.explained) >= kEnough * wrong &&
         static_cast<double>(score.broken) <= (1 - kEnough) * wrong;
}

std::vector<Promising> worth_testing(std::vector<Promising> promising) {
  std::ranges::sort(promising, {}, [](const Promising& p) {
    return std::tuple(-p.share, p.broken != 0, p.hypothesis.description_bits(), p.hypothesis.rank);
  });
  std::map<std::pair<std::string, uint64_t>, size_t> alike;
  std::vector<std::pair<size_t, Promising>> in_turn;
  for (Promising& p : promising) {
    const size_t turn = alike[{p.hypothesis.kind(), p.fingerprint}]++;
    in_turn.emplace_back(turn, std::move(p));
  }
  std::ranges::sort(in_turn, {}, [](const auto& x) {
    const Promising& p = x.second;
    return std::tuple(-p.share, x.first, p.broken != 0, p.hypothesis.description_bits(), p.hypothesis.rank);
  });
  std::vector<Promising> chosen;
  for (auto& [turn, p] : in_turn) {
    if (chosen.size() < kMostFullTests) chosen.push_back(std::move(p));
  }
  return chosen;
}

void rank_findings(std::vector<Ranked> found, const std::function<bool(const Finding&)>& convinces,
                   Explanation& out) {
  std::ranges::sort(found, {}, [&](const Ranked& r) {
    return std::tuple(r.finding.weak, r.finding.score.errors(), !convinces(r.finding),
                      r.finding.description_bits, r.rank);
  });
  // One that errs a little more is as good: data with some noise in it cannot tell.
  const auto equals_best = [&](const Finding& f) {
    return f.fingerprint == out.best->fingerprint ||
           (is_enough(f.score) && f.score.errors() < 2 * out.best->score.errors() + 3);
  };
  for (Ranked& r : found) {
    if (!out.best) {
      out.best = std::move(r.finding);
    } else if (equals_best(r.finding)) {
      out.alternatives.push_back(std::move(r.finding));
    } else if (!out.runner_up) {
      out.runner_up = std::move(r.finding);
    }
  }
}

}  // namespace mxproof::explain
