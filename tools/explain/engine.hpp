// The engine: tries every cause on a small sample, the promising ones on (nearly) all cells, then pairs.
#pragma once

#include <functional>
#include <string_view>

#include "common/status.hpp"
#include "tools/explain/evidence.hpp"
#include "tools/explain/explanation.hpp"

namespace mxproof::explain {

struct EngineOptions {
  unsigned threads = 0;  ///< 0: as many as the machine has.
  bool pairs = true;     ///< Try two causes at once when no single one does.
  /// Called now and then with the share done (0..1) and what is being done.
  std::function<void(double done, std::string_view what)> progress;
};

/// What is wrong with the evidence's result. Evidence whose parts disagree is bad input.
///
/// An answer `explained` needs a finding that predicts at least 98 % of the wrong cells bit for bit, breaks
/// right cells in no more than 2 % as many places, and says so much about the wrong cells that chance would
/// not give it to any of the hypotheses tried (Score::bits). Of those that explain as much the one that takes
/// least to say is the answer; the others are named too, and so are those that are nearly as good.
Expected<Explanation> explain(const Evidence& evidence, const EngineOptions& options = {});

}  // namespace mxproof::explain
