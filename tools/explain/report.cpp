#include "tools/explain/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/explain/engine.hpp"

namespace mxproof::explain {
namespace {

constexpr size_t kMostAlternatives = 5;

std::string percent(double share) {
  return fmt::format("{:.4g} %", 100 * share);
}

nlohmann::json to_json(const Finding& f) {
  nlohmann::json json = {{"causes", f.causes},
                         {"text", f.text},
                         {"wrong_tested", f.score.wrong},
                         {"wrong_explained", f.score.explained},
                         {"right_tested", f.score.right},
                         {"right_broken", f.score.broken}};
  if (f.region)
    json["region"] = {{"name", f.region->name}, {"text", f.region->text}, {"density", f.region->density}};
  return json;
}

/// Every kind is named once before any is named twice.
std::string listed_alternatives(const Explanation& e) {
  std::vector<std::string> listed = {e.best->text};
  const auto list = [&](const Finding& f) {
    if (std::ranges::find(listed, f.text) == listed.end()) listed.push_back(f.text);
  };
  for (const Finding* f : e.other_kinds()) list(*f);
  const size_t most = std::max(listed.size(), 1 + kMostAlternatives);
  for (const Finding& f : e.alternatives) list(f);
  std::string text;
  for (size_t i = 1; i < std::min(listed.size(), most); ++i)
    text += fmt::format("  this data cannot tell it from: {}\n", listed[i]);
  if (listed.size() > most)
    text += fmt::format("  ... and {} more of these kinds that this data cannot tell apart\n",
                        listed.size() - most);
  return text;
}

}  // namespace

std::string drawn_patterns(const Explanation& e, const std::string& indent) {
  if (e.patterns.empty()) return "";
  std::string text = indent + "pattern: tenths that are wrong (. none, # all)\n";
  for (const Pattern& p : e.patterns) {
    const std::vector<std::string> lines = draw(p);
    text += fmt::format("{}  {}{}\n", indent, p.name, lines.size() == 1 ? ": " + lines.front() : "");
    if (lines.size() == 1) continue;
    for (const std::string& line : lines) text += fmt::format("{}    {}\n", indent, line);
  }
  return text;
}

std::string to_text(const Explanation& e) {
  std::string text = e.headline() + "\n";
  if (e.answer == Answer::right) return text;
  if (e.answer == Answer::explained && e.best) {
    const Score& s = e.best->score;
    if (s.errors() != 0) {
      text += fmt::format(
          "  remains: {} of {} wrong ones tested are not explained, {} of {} right ones would be wrong\n",
          s.wrong - s.explained, s.wrong, s.broken, s.right);
    }
  }
  if (e.answer == Answer::explained) text += listed_alternatives(e);
  if (e.answer == Answer::unknown && e.best) {
    text +=
        fmt::format("  closest, but not good enough: {} ({} of wrong ones explained, {} right ones broken)\n",
                    e.best->text, percent(e.best->score.share()), e.best->score.broken);
  }
  if (e.runner_up) {
    text += fmt::format("  {}: {} ({} of wrong ones explained, {} right ones broken)\n",
                        e.answer == Answer::unknown ? "next" : "runner-up", e.runner_up->text,
                        percent(e.runner_up->score.share()), e.runner_up->score.broken);
  }
  for (const std::string& line : e.observations) text += "  seen: " + line + "\n";
  text += drawn_patterns(e, "  ");
  for (const WrongCell& c : e.first) {
    text += fmt::format("  ({},{}): {} where {} belongs; {}\n", c.at.row, c.at.col, c.actual, c.expected,
                        c.place);
  }
  if (e.answer == Answer::unknown && e.subject == Subject::output)
    text +=
        "  a race looks like this too: run again and give --out for each run; a race differs from run to "
        "run\n";
  text += fmt::format("  {} hypotheses in {:.2f} s\n", e.hypotheses, e.seconds);
  return text;
}

nlohmann::json to_json(const Explanation& e) {
  nlohmann::json json = {{"answer", name_of(e.answer)},
                         {"headline", e.headline()},
                         {"cells", {e.cells.rows, e.cells.cols}},
                         {"wrong", e.wrong},
                         {"observations", e.observations},
                         {"hypotheses", e.hypotheses},
                         {"seconds", e.seconds}};
  if (e.best) json["best"] = to_json(*e.best);
  if (e.runner_up) json["runner_up"] = to_json(*e.runner_up);
  json["alternatives"] = nlohmann::json::array();
  for (const Finding& f : e.alternatives) json["alternatives"].push_back(to_json(f));
  json["patterns"] = nlohmann::json::array();
  for (const Pattern& p : e.patterns) {
    json["patterns"].push_back({{"name", p.name},
                                {"kind", p.kind == Pattern::Kind::share ? "share wrong" : "weight"},
                                {"per_line", p.per_line},
                                {"values", p.values}});
  }
  json["first"] = nlohmann::json::array();
  for (const WrongCell& c : e.first) {
    json["first"].push_back({{"row", c.at.row},
                             {"col", c.at.col},
                             {"expected", c.expected},
                             {"actual", c.actual},
                             {"place", c.place}});
  }
  return json;
}

std::string summarise(const Expected<Evidence>& evidence) {
  if (!evidence) return "no explanation: " + evidence.status().message() + "\n";
  const Expected<Explanation> explanation = explain(*evidence);
  return explanation ? to_text(*explanation) : "no explanation: " + explanation.status().message() + "\n";
}

}  // namespace mxproof::explain
