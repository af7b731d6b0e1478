// Acceptance: by which rule an output counts as right. A tolerance here is either zero, derived, or the named
// rule of someone else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/status.hpp"

namespace mxproof {

enum class AcceptanceKind {
  bit_equal,   ///< Every output has the expected bits.
  exact_zone,  ///< Bit-equal inside the exact zone; outside it any named accumulation model or the derived
               ///< bound.
  contest,     ///< |actual - expected| <= atol + rtol * |expected|, on bf16.
  ulp,         ///< At most `max_ulp` bf16 values away from the expected one.
};

/// Policies never let these pass: a NaN where a number is expected (or the reverse), an Inf for a finite
/// value (or the reverse), an unwritten output. `bit_equal` and `exact_zone` also insist on the sign of zero.
struct Acceptance {
  AcceptanceKind kind = AcceptanceKind::exact_zone;
  int64_t max_ulp = 0;
  double rtol = 0;
  double atol = 0;

  static constexpr Acceptance bit_equal() { return {AcceptanceKind::bit_equal, 0, 0, 0}; }
  static constexpr Acceptance exact_zone() { return {AcceptanceKind::exact_zone, 0, 0, 0}; }
  /// The check of the public GEMM contest for this chip: rtol = atol = 1e-2.
  static constexpr Acceptance contest() { return {AcceptanceKind::contest, 0, 1e-2, 1e-2}; }
  static constexpr Acceptance ulp(int64_t n) { return {AcceptanceKind::ulp, n, 0, 0}; }

  /// "bit-equal", "exact-zone", "contest" or "ulp N".
  std::string name() const;

  friend bool operator==(const Acceptance&, const Acceptance&) = default;
};

/// From a name as `Acceptance::name` gives it ("ulp 2", "ulp:2" and "ulp2" are the same). Anything else is
/// bad input.
Expected<Acceptance> parse_acceptance(std::string_view text);

}  // namespace mxproof
