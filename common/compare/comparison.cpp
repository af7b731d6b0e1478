#include "common/compare/comparison.hpp"

#include <cstdlib>

namespace mxproof {
namespace {

bool is_inf(Bf16 x) {
  return (x.bits & 0x7fff) == 0x7f80;
}
bool is_zero(Bf16 x) {
  return (x.bits & 0x7fff) == 0;
}

/// Position of a bf16 on the number line, both zeros at 0.
int64_t line_position(Bf16 x) {
  const int64_t magnitude = x.bits & 0x7fff;
  return (x.bits & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::bit_equal:
      return "bit-equal";
    case Verdict::within_bound:
      return "within-bound";
    case Verdict::mismatch:
      return "mismatch";
    case Verdict::refused:
      return "refused";
    case Verdict::error:
      return "error";
  }
  return "?";
}

std::string_view name_of(Difference difference) {
  switch (difference) {
    case Difference::none:
      return "none";
    case Difference::unwritten:
      return "unwritten";
    case Difference::nan:
      return "nan";
    case Difference::inf:
      return "inf";
    case Difference::sign_of_zero:
      return "sign-of-zero";
    case Difference::value:
      return "value";
  }
  return "?";
}

int64_t ulp_distance(Bf16 a, Bf16 b) {
  return std::llabs(line_position(a) - line_position(b));
}

Difference classify(Bf16 expected, Bf16 actual, Bf16 poison) {
  if (actual == poison && expected != poison) return Difference::unwritten;
  if (expected.is_nan() || actual.is_nan()) {
    return expected.is_nan() && actual.is_nan() ? Difference::none : Difference::nan;
  }
  if (expected == actual) return Difference::none;
  if (is_inf(expected) || is_inf(actual)) return Difference::inf;
  if (is_zero(expected) && is_zero(actual)) return Difference::sign_of_zero;
  return Difference::value;
}

}  // namespace mxproof
