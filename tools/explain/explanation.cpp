#include "tools/explain/explanation.hpp"

#include <fmt/format.h>

namespace mxproof::explain {

const char* name_of(Answer answer) {
  switch (answer) {
    case Answer::right:
      return "right";
    case Answer::explained:
      return "explained";
    case Answer::located:
      return "located";
    case Answer::unstable:
      return "unstable";
    case Answer::unknown:
      return "unknown";
  }
  return "?";
}

std::string Explanation::headline() const {
  const char* what = subject == Subject::quantised ? "blocks" : "outputs";
  if (answer == Answer::right) return fmt::format("right: all {} {} are as expected", cells.size(), what);
  std::string text = name_of(answer);
  if (best && answer != Answer::unknown) text += ": " + best->text;
  if (answer == Answer::unknown) text += ": no cause that is known here fits";
  if (answer == Answer::unstable) return text;
  text += fmt::format(" ({} of {} {} wrong", wrong, cells.size(), what);
  if (answer == Answer::explained && best)
    text += fmt::format(", {:.4g} % of those tested explained", 100 * best->score.share());
  return text + ")";
}

}  // namespace mxproof::explain
