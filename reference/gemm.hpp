// The exact product of two MXFP4 matrices, C = A * B^T, and all that is known about each of its outputs.
//
//   T_b = 2^(eA_b + eB_b) * dot of the 32 code values of block b      an integer multiple of 2^(eA_b + eB_b -
//   2) c   = T_0 + T_1 + ... exactly                                     then rounded once
//
// A row of A or B with a scale byte 255 makes every output that uses it NaN. An exact sum of zero is +0; a
// sum that is not zero keeps its sign when it rounds to zero.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/compare/expectation.hpp"
#include "common/format/bf16.hpp"
#include "common/format/f16.hpp"
#include "common/matrix.hpp"
#include "common/policy/chip_settings.hpp"
#include "common/status.hpp"

namespace mxproof::reference {

struct GemmOptions {
  unsigned threads = 0;  ///< 0: as many as the machine has.
  int64_t split_k = 1;   ///< Parts into which K may be split, for the bound and the models.
  /// How the chip accumulates, where that is known: then its model alone explains an output, and no bound
  /// does.
  std::optional<MfmaAccumulation> accumulation = {};
};

/// The class of an exact output.
enum class ValueClass {
  nan,        ///< A NaN scale is involved.
  zero,       ///< The exact sum is zero.
  normal,     ///< Rounds to a normal f32.
  subnormal,  ///< Rounds to a subnormal f32, or to zero though it is not zero.
  overflow,   ///< Rounds to Inf in f32.
};
std::string_view name_of(ValueClass value_class);

/// Everything about one output.
struct OutputFacts {
  float f32 = 0;     ///< Exact sum rounded once to f32.
  Bf16 bf16;         ///< ... and from there to bf16: the expected output.
  Bf16 bf16_single;  ///< Exact sum rounded once to bf16; differs from `bf16` on a double rounding.
  Half f16;          ///< Exact sum rounded once to f16.
  ValueClass value_class = ValueClass::zero;
  bool in_exact_zone = false;
  double absolute_sum = 0;            ///< Sum of |T_b|, rounded up.
  std::optional<Bf16Interval> bound;  ///< See OutputExpectation::derived_bound.
};

/// What one accumulation model gives for an output.
struct ModelOutput {
  std::string_view model;
  float f32 = 0;
  Bf16 bf16;
};

/// Where the accumulation models part.
struct ModelReport {
  struct Output {
    int64_t row = 0;
    int64_t col = 0;
    std::vector<ModelOutput> models;
  };
  int64_t outside_zone = 0;      ///< Outputs outside the exact zone; inside it the models cannot differ.
  int64_t differ_in_f32 = 0;     ///< Outputs for which some two models give other f32 values.
  int64_t differ_in_bf16 = 0;    ///< ... and for which that shows in bf16.
  std::vector<Output> examples;  ///< The first outputs that differ in f32, in row-major order.
};

/// The product with its explanation. Cheap facts are computed for all outputs at once, expensive ones when
/// asked for.
class GemmReference final : public OutputExpectation {
 public:
  ~GemmReference() override;
  GemmReference(GemmReference&&) noexcept;
  GemmReference& operator=(GemmReference&&) noexcept;

  MatrixView<const Bf16> values() const override;
  bool in_exact_zone(int64_t row, int64_t col) const override;
  double exact_zone_share() const override;
  std::optional<Bf16Interval> derived_bound(int64_t row, int64_t col) const override;
  std::optional<std::string_view> matching_model(int64_t row, int64_t col, Bf16 actual) const override;

  /// Exact sums rounded once to f32 [M, N].
  MatrixView<const float> f32() const;
  /// Everything about one output.
  OutputFacts facts(int64_t row, int64_t col) const;
  /// Every model's result for one output; empty when it is NaN by its scales.
  std::vector<ModelOutput> model_outputs(int64_t row, int64_t col) const;
  /// Visits all outputs outside the exact zone.
  ModelReport model_report(size_t max_examples = 8) const;
  /// Outputs where rounding through f32 gives another bf16 than rounding once.
  int64_t double_roundings() const;

 private:
  friend Expected<GemmReference> gemm(Mxfp4Matrix, Mxfp4Matrix, const GemmOptions&);
  struct State;
  explicit GemmReference(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// C = A * B^T with A [M, K] and B [N, K]. Empty matrices, different K or a K that is no multiple of 32 are
/// bad input. Takes the operands by value: pass std::move or copies, they are kept for the facts asked for
/// later.
Expected<GemmReference> gemm(Mxfp4Matrix a, Mxfp4Matrix b, const GemmOptions& options = {});

}  // namespace mxproof::reference
