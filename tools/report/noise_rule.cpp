#include "tools/report/noise_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "tools/report/statistics.hpp"

namespace mxproof::report {
namespace {

/// The standard error of a median is this many times that of a mean (normal distribution).
constexpr double kMedianOverMean = 1.2533;

double relative_error_of_median(const Summary& summary) {
  return kMedianOverMean * summary.spread / std::sqrt(static_cast<double>(summary.count));
}

/// What emulated rows are compared by; 0 when the row has no such count.
double wave_instructions(const Row& row) {
  const auto found = row.counters.find("wave_instructions");
  return found == row.counters.end() ? 0 : found->second;
}

bool has_value(const Row& row, bool emulated) {
  return verdict_allows_time(row.verdict) && (emulated ? wave_instructions(row) > 0 : row.has_time());
}

Change judge_counts(double before, double after) {
  Change change;
  change.before = before;
  change.after = after;
  change.change = after / before - 1;
  change.threshold = kSmallestCountChange;
  change.outcome = change.change > kSmallestCountChange    ? Outcome::slower
                   : change.change < -kSmallestCountChange ? Outcome::faster
                                                           : Outcome::same;
  return change;
}

std::unordered_map<std::string_view, const Row*> rows_by_name(const RunFile& run) {
  std::unordered_map<std::string_view, const Row*> rows;
  for (const Row& row : run.rows) rows.emplace(row.text, &row);
  return rows;
}

Status check_comparable(const RunFile& before, const RunFile& after, const CompareOptions& options) {
  if (before.context.device != after.context.device) {
    return Status::bad_input(fmt::format("{} ran on '{}' and {} on '{}'; compare runs of one device",
                                         before.file, before.context.device, after.file,
                                         after.context.device));
  }
  if (!options.same_build && before.context.build_id == after.context.build_id) {
    return Status::bad_input(
        fmt::format("{} and {} come from the same binary (build id {}); rebuild before measuring, or say "
                    "--same-build to measure noise",
                    before.file, after.file, before.context.build_id));
  }
  return {};
}

}  // namespace

std::string_view noise_rule_text() {
  return "A row counts as slower when its median rose by more than 6 % and by more than 5 standard errors "
         "(from "
         "the median absolute deviation of the repeats of both runs), the middle halves of the repeats do "
         "not "
         "overlap, and the rise remains after dividing by the drift: the median change of the peers and "
         "floors "
         "measured in the same two runs, where there are at least three. Rows with fewer than five repeats "
         "are "
         "not judged. Each run is held against the last earlier one of another build on the same device. "
         "Counts from emulated devices are exact: more than 1 % is a regression. A row that passed and no "
         "longer does is always one. Peers and floors themselves are not judged.";
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::same:
      return "same";
    case Outcome::faster:
      return "faster";
    case Outcome::slower:
      return "slower";
    case Outcome::few_repeats:
      return "few repeats";
    case Outcome::lost:
      return "lost";
    case Outcome::not_compared:
      return "not compared";
    case Outcome::missing:
      return "missing";
  }
  return "";
}

Change judge_times(std::span<const double> before, std::span<const double> after, double drift) {
  Change change;
  const Summary old_times = summarize(before);
  const Summary new_times = summarize(after);
  change.before = old_times.median;
  change.after = new_times.median;
  change.change = change.after / change.before - 1;
  change.threshold = std::max(
      kSmallestChange,
      kStandardErrors * std::hypot(relative_error_of_median(old_times), relative_error_of_median(new_times)));
  if (before.size() < kFewestRepeats || after.size() < kFewestRepeats) {
    change.outcome = Outcome::few_repeats;
    return change;
  }
  const double corrected = (1 + change.change) / (1 + drift) - 1;
  const bool rose = change.change > change.threshold && corrected > change.threshold;
  const bool fell = change.change < -change.threshold && corrected < -change.threshold;
  change.outcome = rose && new_times.low > old_times.high   ? Outcome::slower
                   : fell && new_times.high < old_times.low ? Outcome::faster
                                                            : Outcome::same;
  return change;
}

Change judge_row(const Row& before, const Row& after, bool emulated, double drift) {
  Change change;
  if (!has_value(before, emulated)) {
    change.outcome = Outcome::not_compared;
  } else if (!has_value(after, emulated)) {
    change.outcome = Outcome::lost;
    change.message = after.message.empty() ? after.verdict : after.verdict + ": " + after.message;
  } else if (emulated) {
    change = judge_counts(wave_instructions(before), wave_instructions(after));
  } else {
    change = judge_times(before.times_us, after.times_us, drift);
  }
  change.row = after.text;
  return change;
}

bool is_control(const Row& row) {
  return row.kind == "peer" || row.kind == "floor";
}

std::optional<double> drift_between(const RunFile& before, const RunFile& after) {
  const auto old_rows = rows_by_name(before);
  std::vector<double> changes;
  for (const Row& row : after.rows) {
    if (!is_control(row)) continue;
    const auto found = old_rows.find(row.text);
    if (found == old_rows.end() || !row.has_time() || !found->second->has_time()) continue;
    changes.push_back(median(row.times_us) / median(found->second->times_us) - 1);
  }
  if (changes.size() < kFewestControls) return std::nullopt;
  return median(changes);
}

size_t RunComparison::count(Outcome outcome) const {
  return static_cast<size_t>(
      std::count_if(changes.begin(), changes.end(), [&](const Change& c) { return c.outcome == outcome; }));
}

bool RunComparison::regressed() const {
  return std::any_of(changes.begin(), changes.end(),
                     [](const Change& c) { return is_regression(c.outcome); });
}

Expected<RunComparison> compare_runs(const RunFile& before, const RunFile& after,
                                     const CompareOptions& options) {
  if (Status status = check_comparable(before, after, options); !status) return status;
  RunComparison comparison;
  comparison.drift = drift_between(before, after);
  const double drift = comparison.drift.value_or(0);
  const auto old_rows = rows_by_name(before);
  const auto new_rows = rows_by_name(after);
  size_t judged = 0;
  for (const Row& row : before.rows) {
    if (is_control(row)) continue;
    const auto found = new_rows.find(row.text);
    if (found == new_rows.end()) {
      if (options.common_only) continue;
      Change change;
      change.row = row.text;
      change.outcome = Outcome::missing;
      comparison.changes.push_back(std::move(change));
      continue;
    }
    comparison.changes.push_back(judge_row(row, *found->second, after.context.emulated, drift));
    const Change& change = comparison.changes.back();
    if (change.outcome == Outcome::few_repeats) {
      return Status::bad_input(
          fmt::format("row {} has {} repeats in {} and {} in {}; the rule needs {}, so run "
                      "with --benchmark_repetitions=9",
                      row.text, row.times_us.size(), before.file, found->second->times_us.size(), after.file,
                      kFewestRepeats));
    }
    if (change.outcome != Outcome::not_compared) ++judged;
  }
  if (judged == 0) {
    return Status::bad_input(fmt::format("{} and {} have no passing row in common, so nothing was compared",
                                         before.file, after.file));
  }
  for (const Row& row : after.rows) {
    if (is_control(row) || old_rows.contains(row.text)) continue;
    Change change;
    change.row = row.text;
    comparison.changes.push_back(std::move(change));
  }
  return comparison;
}

}  // namespace mxproof::report
