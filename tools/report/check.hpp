// `report --check BASE NEW`: two runs held against each other, for CI.
#pragma once

#include <string>

#include "common/status.hpp"
#include "tools/report/noise_rule.hpp"

namespace mxproof::report {

/// Reads both files and compares them. The text says which rows are slower, lost or missing, which are
/// faster, and how many were judged; `regressed` is the exit code of CI.
struct CheckResult {
  std::string text;
  bool regressed = false;
};
Expected<CheckResult> check_files(const std::string& base, const std::string& fresh,
                                  const CompareOptions& options);

}  // namespace mxproof::report
