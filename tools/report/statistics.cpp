#include "tools/report/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace mxproof::report {

double quantile(std::span<const double> values, double q) {
  assert(!values.empty() && q >= 0 && q <= 1);
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  const double fraction = position - static_cast<double>(below);
  return sorted[below] + fraction * (sorted[above] - sorted[below]);
}

double median(std::span<const double> values) {
  return quantile(values, 0.5);
}

Summary summarize(std::span<const double> values) {
  assert(!values.empty());
  Summary summary;
  summary.count = values.size();
  summary.median = median(values);
  summary.low = quantile(values, 0.25);
  summary.high = quantile(values, 0.75);
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - summary.median));
  // 1.4826 makes the median absolute deviation estimate sigma for normally distributed values.
  summary.spread = 1.4826 * median(deviations) / summary.median;
  return summary;
}

double geometric_mean(std::span<const double> values) {
  assert(!values.empty());
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace mxproof::report
