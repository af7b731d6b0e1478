// Evidence: everything that is known about one wrong (or right) result. The engine never sees more than this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/compare/poison.hpp"
#include "common/format/bf16.hpp"
#include "common/layout/extent.hpp"
#include "common/matrix.hpp"
#include "common/policy/quant_policy.hpp"
#include "common/shape.hpp"
#include "common/status.hpp"

namespace mxproof::explain {

enum class OperandId { a, b };
constexpr const char* name_of(OperandId id) {
  return id == OperandId::a ? "A" : "B";
}

/// What the numbers under question are.
enum class Subject {
  output,     ///< C = A * B^T; a cell is one output (row, column).
  quantised,  ///< Codes and scales of A; a cell is one block of 32 elements (row, block).
};

/// Everything but `runs` and `expected` (`got` and `wanted` for quantised data) is optional: the less there
/// is, the fewer causes can be tried.
struct Evidence {
  Subject subject = Subject::output;

  std::optional<Matrix<float>> a_values;  ///< [M, K], what A's quantiser was given.
  std::optional<Matrix<float>> b_values;  ///< [N, K]
  std::optional<Mxfp4Matrix> a;           ///< [M, K], what a right kernel multiplies.
  std::optional<Mxfp4Matrix> b;           ///< [N, K]
  QuantPolicy policy;                     ///< How a right kernel quantises.
  int64_t k = 0;                          ///< Elements along K when no operand tells; 0 when unknown.

  Matrix<Bf16> expected;                 ///< [M, N]
  std::vector<Matrix<Bf16>> runs;        ///< Outputs [M, N] of the same call; the first is explained.
  std::optional<Matrix<Bf16>> previous;  ///< What the output buffer held before, when that is known.
  Bf16 poison = kPoisonBf16;             ///< What it was filled with otherwise.

  /// Per output, row by row: 1 where it differs and no rule accepts that. Empty: wherever bits differ (two
  /// NaN are equal).
  std::vector<uint8_t> wrong;

  /// The output was of a finer type, and whoever gathered this rounded it to bf16: how bf16 was rounded says
  /// nothing about the kernel then.
  bool rounded_here = false;

  std::vector<std::string> notes;  ///< What whoever gathered this wants to be reported.

  Mxfp4Matrix wanted;  ///< Right codes and scales, for Subject::quantised.
  Mxfp4Matrix got;     ///< The kernel's codes and scales.

  /// Rows and columns of cells.
  Extent cells() const;
  /// Wrong cells, row by row: `wrong`, or the cells that differ.
  std::vector<uint8_t> wrong_cells() const;
  /// Elements along K, 0 when unknown.
  int64_t elements() const;
};

/// Checks that all parts agree in shape; the error names the part that does not.
Status validate(const Evidence& evidence);

/// Evidence about a product from its quantised operands: `expected` is computed by the reference.
Expected<Evidence> output_evidence(Mxfp4Matrix a, Mxfp4Matrix b, Matrix<Bf16> actual);

/// As above from A as bf16, quantised here by `policy`.
Expected<Evidence> output_evidence(const Matrix<Bf16>& a, const QuantPolicy& policy, Mxfp4Matrix b,
                                   Matrix<Bf16> actual);

/// Evidence about quantised data: `wanted` is computed from the values by `policy`.
Expected<Evidence> quantised_evidence(const Matrix<float>& values, const QuantPolicy& policy,
                                      Mxfp4Matrix got);

/// bf16 values widened.
Matrix<float> widen(const Matrix<Bf16>& values);

}  // namespace mxproof::explain
