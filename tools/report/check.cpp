#include "tools/report/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tools/report/run_file.hpp"

namespace mxproof::report {
namespace {

std::string describe(const Change& change, bool emulated) {
  const char* unit = emulated ? "wave-instructions" : "us";
  switch (change.outcome) {
    case Outcome::slower:
    case Outcome::faster:
      return fmt::format("{:<7} {}: {:.4g} -> {:.4g} {} ({:+.1f} %, threshold {:.1f} %)",
                         name_of(change.outcome), change.row, change.before, change.after, unit,
                         100 * change.change, 100 * change.threshold);
    case Outcome::lost:
      return fmt::format("lost    {}: {}", change.row, change.message);
    case Outcome::missing:
      return fmt::format("missing {}: in the base run only", change.row);
    case Outcome::same:
    case Outcome::few_repeats:
    case Outcome::not_compared:
      break;
  }
  return {};
}

}  // namespace

Expected<CheckResult> check_files(const std::string& base, const std::string& fresh,
                                  const CompareOptions& options) {
  auto before = read_run(base);
  if (!before) return before.status();
  auto after = read_run(fresh);
  if (!after) return after.status();
  auto comparison = compare_runs(*before, *after, options);
  if (!comparison) return comparison.status();
  CheckResult result;
  result.regressed = comparison->regressed();
  auto out = std::back_inserter(result.text);
  const bool emulated = after->context.emulated;
  fmt::format_to(out, "{}: {} ({}) against {} ({})\n", after->context.device, after->file,
                 after->context.commit, before->file, before->context.commit);
  if (comparison->drift) {
    fmt::format_to(out, "peers and floors drifted by {:+.1f} %\n", 100 * *comparison->drift);
  }
  double coarsest = 0;
  size_t judged = 0;
  for (const Change& change : comparison->changes) {
    const std::string line = describe(change, emulated);
    if (!line.empty()) fmt::format_to(out, "{}\n", line);
    judged += change.outcome == Outcome::same || change.outcome == Outcome::slower ||
              change.outcome == Outcome::faster || change.outcome == Outcome::lost;
    coarsest = std::max(coarsest, change.threshold);
  }
  fmt::format_to(
      out, "{} rows judged: {} slower, {} lost, {} missing, {} faster, {} the same; {} new or unjudged\n",
      judged, comparison->count(Outcome::slower), comparison->count(Outcome::lost),
      comparison->count(Outcome::missing), comparison->count(Outcome::faster),
      comparison->count(Outcome::same), comparison->count(Outcome::not_compared));
  if (!emulated) {
    fmt::format_to(out, "smallest rise that every row could show: {:.1f} %\n", 100 * coarsest);
  }
  return result;
}

}  // namespace mxproof::report
