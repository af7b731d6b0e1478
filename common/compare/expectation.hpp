// What a judge needs to know about a right output. The reference implements this; nothing here computes one.
#pragma once

#include <optional>
#include <string_view>

#include "common/format/bf16.hpp"
#include "common/matrix.hpp"

namespace mxproof {

/// All bf16 values from `low` to `high`, ordered as numbers, both ends included. Never contains a NaN.
struct Bf16Interval {
  Bf16 low;
  Bf16 high;
};

class OutputExpectation {
 public:
  virtual ~OutputExpectation() = default;

  /// The expected outputs [M, N]: the exact sum rounded once to f32, then once to bf16.
  virtual MatrixView<const Bf16> values() const = 0;

  /// True when every order, grouping and split of the accumulation gives the same f32 (see
  /// reference/exact_zone.hpp).
  virtual bool in_exact_zone(int64_t row, int64_t col) const = 0;

  /// Share of the finite outputs that lie inside the exact zone, 0..1; 0 when none is finite.
  virtual double exact_zone_share() const = 0;

  /// The results that rounding errors of any accumulation in f32 can explain. Nothing when partial sums may
  /// overflow, because then no bound holds, and when the expected value is NaN.
  virtual std::optional<Bf16Interval> derived_bound(int64_t row, int64_t col) const = 0;

  /// Name of an accumulation model whose output has exactly the bits of `actual`; nothing when there is none.
  virtual std::optional<std::string_view> matching_model(int64_t row, int64_t col, Bf16 actual) const = 0;
};

}  // namespace mxproof
