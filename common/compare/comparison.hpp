// The outcome of holding an output against what was expected.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/bf16.hpp"
#include "common/policy/acceptance.hpp"

namespace mxproof {

enum class Verdict {
  bit_equal,     ///< All outputs have the expected bits.
  within_bound,  ///< Some bits differ, and the acceptance policy lets every one of them pass.
  mismatch,
  refused,  ///< The path does not support this input, and said so.
  error,    ///< The run itself failed.
};

/// "bit-equal", "within-bound", "mismatch", "refused", "error".
std::string_view name_of(Verdict verdict);

/// True for the verdicts that count as a pass.
constexpr bool passed(Verdict verdict) {
  return verdict == Verdict::bit_equal || verdict == Verdict::within_bound;
}

/// How one output differs from the expected one. The first class that applies counts.
enum class Difference {
  none,          ///< Same bits, or NaN where NaN is expected.
  unwritten,     ///< Still the poison.
  nan,           ///< NaN for a number, or a number for NaN.
  inf,           ///< Inf for a finite value, a finite value for Inf, or the wrong Inf.
  sign_of_zero,  ///< -0 for +0 or the reverse.
  value,         ///< Two different finite numbers.
};
inline constexpr int kDifferenceCount = 6;

std::string_view name_of(Difference difference);

/// One differing output.
struct OutputDifference {
  int64_t row = 0;
  int64_t col = 0;
  Bf16 expected;
  Bf16 actual;
  Difference difference = Difference::none;
  bool in_exact_zone = false;
  bool accepted = false;  ///< The policy lets it pass.
  std::string_view
      accepted_by;  ///< Model name or "derived bound", "contest", "ulp"; empty when not accepted.
};

struct Comparison {
  Verdict verdict = Verdict::error;
  Acceptance acceptance;
  int64_t outputs = 0;     ///< Outputs that were compared; zero is an error, never a pass.
  int64_t bit_equal = 0;   ///< Outputs with the expected bits (or NaN as expected).
  int64_t mismatches = 0;  ///< Outputs that the policy does not let pass.
  int64_t accepted = 0;    ///< Outputs whose bits differ and that the policy lets pass.
  int64_t non_finite = 0;  ///< Outputs of which NaN or Inf is expected.
  int64_t by_difference[kDifferenceCount] = {};  ///< Counts, indexed by `Difference`.
  int64_t max_ulp = 0;  ///< Largest distance between two finite values, in bf16 values lying between them.
  double exact_zone_share = 0;
  bool all_zero = false;  ///< Every actual output is +-0 although not every expected one is.
  std::optional<OutputDifference>
      first;  ///< First mismatch in row-major order, else first accepted difference.
  std::vector<OutputDifference> examples;  ///< The first few mismatches, in row-major order.
  std::string message;  ///< One sentence for verdicts `refused` and `error`, and for a mismatch.

  int64_t count(Difference d) const { return by_difference[static_cast<int>(d)]; }
};

/// Distance between two finite bf16 as a count of steps on the number line; +0 and -0 are 0 apart.
int64_t ulp_distance(Bf16 a, Bf16 b);

/// The class of one pair. `poison` is what the output was filled with before the run.
Difference classify(Bf16 expected, Bf16 actual, Bf16 poison);

}  // namespace mxproof
