// Robust statistics over a handful of repeats: medians, because GPU times have outliers on one side.
#pragma once

#include <cstddef>
#include <span>

namespace mxproof::report {

/// What is shown of a row's repeats.
struct Summary {
  size_t count = 0;
  double median = 0;
  double low = 0;     ///< Lower quartile.
  double high = 0;    ///< Upper quartile.
  double spread = 0;  ///< 1.4826 * median absolute deviation / median: a robust relative standard deviation.
};

/// Quantile `q` in [0, 1] by linear interpolation between order statistics. `values` must not be empty.
double quantile(std::span<const double> values, double q);
double median(std::span<const double> values);
/// `values` must not be empty, all positive.
Summary summarize(std::span<const double> values);
/// Geometric mean; `values` must not be empty, all positive.
double geometric_mean(std::span<const double> values);

}  // namespace mxproof::report
