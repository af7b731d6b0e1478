#include "tools/explain/by_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace mxproof::explain {
namespace {

/// Wrong outputs of one kind of difference.
enum class CellKind { unwritten, special, zero, number };

CellKind kind_of(const Evidence& e, size_t i, bool zeros_apart) {
  const Bf16 actual = e.runs.front().data[i];
  if (actual == e.poison) return CellKind::unwritten;
  if (!std::isfinite(actual.to_float())) return CellKind::special;
  return zeros_apart && actual.to_float() == 0 ? CellKind::zero : CellKind::number;
}

/// The same evidence with all other kinds made right.
Evidence only_kind(const Evidence& evidence, const std::vector<uint8_t>& wrong, CellKind kind,
                   bool zeros_apart) {
  Evidence e = evidence;
  e.runs.resize(1);
  e.wrong = wrong;
  for (size_t i = 0; i < wrong.size(); ++i) {
    if (wrong[i] == 0 || kind_of(evidence, i, zeros_apart) == kind) continue;
    e.wrong[i] = 0;
    e.runs.front().data[i] = e.expected.data[i];
  }
  return e;
}

void append(const Finding& part, Finding& together) {
  together.causes.insert(together.causes.end(), part.causes.begin(), part.causes.end());
  together.text += (together.text.empty() ? "" : "; and elsewhere ") + part.text;
  together.score.wrong += part.score.wrong;
  together.score.explained += part.score.explained;
  together.score.right = part.score.right;
  together.score.broken += part.score.broken;
  together.score.bits += part.score.bits;
  together.kind += part.kind;
  together.description_bits += part.description_bits;
}

/// One finding for every kind of wrong output, put together; and the same with one of them replaced by
/// another that predicts the same, in turn.
void put_together(const std::vector<Explanation>& parts, Explanation& out) {
  Finding best;
  for (const Explanation& part : parts) append(*part.best, best);
  out.alternatives.clear();
  for (size_t i = 0; i < parts.size(); ++i) {
    for (const Finding* other : parts[i].other_kinds()) {
      Finding together;
      for (size_t j = 0; j < parts.size(); ++j) append(i == j ? *other : *parts[j].best, together);
      out.alternatives.push_back(std::move(together));
    }
  }
  out.best = std::move(best);
}

/// Explains every kind by itself; true when all of several are.
bool explain_kinds(const Evidence& evidence, const EngineOptions& options, bool zeros_apart,
                   Explanation& out) {
  const std::vector<uint8_t> wrong = evidence.wrong_cells();
  std::set<CellKind> kinds;
  for (size_t i = 0; i < wrong.size(); ++i) {
    if (wrong[i] != 0) kinds.insert(kind_of(evidence, i, zeros_apart));
  }
  if (kinds.size() < 2 || (zeros_apart && !kinds.contains(CellKind::zero))) return false;
  EngineOptions quiet = options;
  quiet.progress = nullptr;
  std::vector<std::string> notes;
  std::vector<Explanation> parts;
  for (CellKind kind : kinds) {
    Expected<Explanation> e = explain(only_kind(evidence, wrong, kind, zeros_apart), quiet);
    if (!e) continue;
    out.hypotheses += e->hypotheses;
    if (e->answer != Answer::explained || !e->best) continue;
    notes.push_back(
        fmt::format("{} of the wrong ones are explained by themselves: {}", e->wrong, e->best->text));
    parts.push_back(std::move(*e));
  }
  if (parts.size() == kinds.size()) {
    out.answer = Answer::explained;
    put_together(parts, out);
    out.patterns.clear();
    return true;
  }
  for (std::string& note : notes) {
    if (std::ranges::find(out.observations, note) == out.observations.end())
      out.observations.push_back(std::move(note));
  }
  return false;
}

}  // namespace

void explain_by_kind(const Evidence& evidence, const EngineOptions& options, Explanation& out) {
  if (evidence.subject != Subject::output) return;
  // A zero may be a number like others, or what a tile holds that nobody summed.
  if (!explain_kinds(evidence, options, false, out)) explain_kinds(evidence, options, true, out);
}

}  // namespace mxproof::explain
