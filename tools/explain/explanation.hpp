// Explanation: what the engine found, ready to be printed, drawn or written as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/format/bf16.hpp"
#include "common/layout/extent.hpp"
#include "tools/explain/evidence.hpp"
#include "tools/explain/pattern.hpp"
#include "tools/explain/region.hpp"

namespace mxproof::explain {

enum class Answer {
  right,      ///< Nothing is wrong.
  explained,  ///< One cause, alone, in a region or with a second one, accounts for (nearly) everything.
  located,    ///< Where it is wrong is a clear shape; what the wrong numbers are is not known.
  unstable,   ///< Runs of the same call differ from one another.
  unknown,    ///< Nothing fits: the observations are the answer.
};
const char* name_of(Answer answer);

/// How far a hypothesis got, on the cells that were tested.
struct Score {
  int64_t wrong = 0;      ///< Wrong cells tested ...
  int64_t explained = 0;  ///< ... that are predicted bit for bit.
  int64_t right = 0;      ///< Right cells tested ...
  int64_t broken = 0;     ///< ... that would be wrong if the hypothesis were true.
  double bits = 0;        ///< Information in what is explained: what guessing it would have taken.

  int64_t errors() const { return wrong - explained + broken; }
  double share() const {
    return wrong == 0 ? 0 : static_cast<double>(explained) / static_cast<double>(wrong);
  }
};

struct Finding {
  std::vector<std::string> causes;  ///< Names; two when they combine.
  std::string text;
  std::optional<Region> region = {};  ///< When the cause acts only there.
  Score score = {};
  std::string kind = {};  ///< Findings of one kind differ in parameters only.
  bool weak = false;      ///< In so few rows that chance may do it: no answer, but it may equal one.
  double description_bits =
      0;                     ///< What it takes to say it: of those that predict the same the least is best.
  uint64_t fingerprint = 0;  ///< Equal for findings that predict the same.
};

/// A wrong cell, where it lies, and what holds it on the way.
struct WrongCell {
  Coord at;
  std::string expected;
  std::string actual;
  std::string place = {};  ///< Byte, lane, register.
};

struct Explanation {
  Answer answer = Answer::unknown;
  Subject subject = Subject::output;
  bool rounded_here = false;  ///< As in the evidence.
  Extent cells;
  int64_t wrong = 0;

  std::optional<Finding> best;  ///< For `explained` and `located`; otherwise the closest, if any came near.
  std::vector<Finding> alternatives;  ///< Predict the same numbers on this data: it cannot tell them apart.
  std::optional<Finding> runner_up;   ///< The next best that predicts something else.

  std::vector<Region> regions;            ///< Shapes that hold all wrong cells, tightest first.
  std::vector<std::string> observations;  ///< What was seen, whatever the answer.
  std::vector<WrongCell> first;           ///< The first few wrong cells.
  std::vector<Pattern> patterns;          ///< How wrong ones spread, when nothing explains them.
  int64_t hypotheses = 0;                 ///< Tried, pairs included.
  double seconds = 0;

  /// One alternative of every other kind than the answer's, the simplest first.
  std::vector<const Finding*> other_kinds() const;

  /// One line: "explained: B's nibbles are swapped in every byte (100 % of 5123 wrong outputs)".
  std::string headline() const;
};

}  // namespace mxproof::explain
