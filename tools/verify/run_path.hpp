// One path over one shape: poison, run, compare.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "common/compare/comparison.hpp"
#include "common/shape.hpp"
#include "tools/verify/inputs.hpp"

namespace mxproof {

/// One line of the report.
struct VerifyRow {
  GemmShape shape;
  std::string path;  ///< The route that ran, or the one asked for when none ran.
  std::string plan;  ///< What the plan decided on; empty when there was none.
  Comparison comparison;
  std::string explanation = {};  ///< Of a mismatch: what causes it, in several lines.
};

/// Says why an output is wrong; called only for a mismatch.
using ExplainOutput = std::function<std::string(const Matrix<Bf16>& c)>;

/// Runs `plan` (or reports why there is none) and compares all of C with the reference. Workspace and C are
/// poisoned first, and bands before and behind C are looked at afterwards: a store into them is an error.
/// Never fails as a call: what goes wrong is the row's verdict.
VerifyRow run_path(const GemmShape& shape, std::optional<Route> route, Expected<Plan>& plan,
                   const DeviceOperands& operands, const reference::GemmReference& expected,
                   const Acceptance& acceptance, const ExplainOutput& explain);

/// The row of a shape that did not get as far as a run.
VerifyRow row_without_run(const GemmShape& shape, std::optional<Route> route, const Acceptance& acceptance,
                          const Status& why);

}  // namespace mxproof
