// When is a row slower? The rule behind every regression flag, on the page and in `report --check`.
//
// A row is slower when all of these hold:
//   1. its median rose by more than the threshold, max(6 %, 5 standard errors of the two medians), where the
//      standard error comes from the median absolute deviation of each side's repeats;
//   2. the middle halves of the repeats do not touch: its lower quartile is above the old upper quartile;
//   3. it still rose by more than the threshold after dividing by the drift: the median change of the peers
//      and floors of the same two runs (code that did not change), when at least three were measured.
// 6 % is 4.2 sigma of the difference of two medians that each wander by 1 % from run to run, and leaves 2.8
// sigma to a slowdown of 10 %. Rows with fewer than five repeats on either side are not judged.
//
// Counts (emulated devices) are exact: a rise of more than 1 % is a regression.
// Peers and floors are not judged.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.hpp"
#include "tools/report/run_file.hpp"

namespace mxproof::report {

inline constexpr double kSmallestChange = 0.06;
inline constexpr double kStandardErrors = 5;
inline constexpr size_t kFewestRepeats = 5;
inline constexpr size_t kFewestControls = 3;
inline constexpr double kSmallestCountChange = 0.01;

/// The rule in a few sentences, for the page and for --help.
std::string_view noise_rule_text();

enum class Outcome {
  same,
  faster,
  slower,        ///< A regression.
  few_repeats,   ///< Not judged.
  lost,          ///< Passed before and does not pass now: a regression.
  not_compared,  ///< Had no value before (it failed, or is new).
  missing,       ///< Was there before and is not now.
};
std::string_view name_of(Outcome outcome);
constexpr bool is_regression(Outcome outcome) {
  return outcome == Outcome::slower || outcome == Outcome::lost || outcome == Outcome::missing;
}

/// One row held against an older one.
struct Change {
  std::string row;
  Outcome outcome = Outcome::not_compared;
  double before = 0;     ///< Median time in us, or executed wave-instructions for emulated devices.
  double after = 0;      ///< The same, now.
  double change = 0;     ///< after / before - 1.
  double threshold = 0;  ///< The smallest rise that would have counted.
  std::string message;   ///< For `lost`: the new verdict and its message.
};

/// Judges two sets of repeats. `drift` is the change of the controls, 0 for none.
Change judge_times(std::span<const double> before, std::span<const double> after, double drift = 0);

/// Judges a row against an older one of the same name, both from the same device.
Change judge_row(const Row& before, const Row& after, bool emulated, double drift = 0);

/// True for peers and floors: measured beside our code to tell its changes from the machine's.
bool is_control(const Row& row);

/// The median change of peers and floors between two runs; nothing when fewer than three can be compared.
std::optional<double> drift_between(const RunFile& before, const RunFile& after);

struct RunComparison {
  std::vector<Change> changes;  ///< Rows of the old run in its order, then new ones.
  std::optional<double> drift;
  size_t count(Outcome outcome) const;
  bool regressed() const;
};

struct CompareOptions {
  bool same_build = false;   ///< Allow equal build ids: measures the rule's own noise.
  bool common_only = false;  ///< Ignore rows that are missing from the new run.
};

/// Compares two runs. Bad input: different devices, equal build ids (the second binary is not what it claims
/// to be), no row in common, fewer than five repeats in a row.
Expected<RunComparison> compare_runs(const RunFile& before, const RunFile& after,
                                     const CompareOptions& options = {});

}  // namespace mxproof::report
