#include "tools/explain/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

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

std::vector<const Finding*> Explanation::other_kinds() const {
  std::vector<const Finding*> others;
  if (!best) return others;
  for (const Finding& f : alternatives) {
    const auto same = [&](const Finding* other) { return other->kind == f.kind; };
    if (f.kind != best->kind && std::ranges::none_of(others, same)) others.push_back(&f);
  }
  std::ranges::sort(others, {}, [](const Finding* f) { return std::tie(f->description_bits, f->text); });
  return others;
}

std::string Explanation::headline() const {
  const char* what = subject == Subject::quantised ? "blocks" : "outputs";
  if (answer == Answer::right) {
    return fmt::format("right: all {} {} are as expected{}", cells.size(), what,
                       rounded_here ? " once their f32 is rounded to bf16" : "");
  }
  std::string text = name_of(answer);
  if (best && answer != Answer::unknown) text += ": " + best->text;
  // One that is hardly harder to say may as well be it.
  constexpr double kClearlySimpler = 4;
  if (answer == Answer::explained) {
    const std::vector<const Finding*> others = other_kinds();
    const auto rivals = std::ranges::count_if(others, [&](const Finding* f) {
      return f->description_bits < best->description_bits + kClearlySimpler;
    });
    if (rivals > 0) text += fmt::format("; or as likely, {}", others.front()->text);
    if (rivals > 1) text += fmt::format("; or {} more, listed below", rivals - 1);
  }
  if (answer == Answer::unknown) text += ": no cause that is known here fits";
  if (answer == Answer::unstable) return text;
  text += fmt::format(" ({} of {} {} wrong", wrong, cells.size(), what);
  if (answer == Answer::explained && best)
    text += fmt::format(", {:.4g} % of those tested explained", 100 * best->score.share());
  if (rounded_here) text += ", after its f32 was rounded to bf16 here";
  return text + ")";
}

}  // namespace mxproof::explain
