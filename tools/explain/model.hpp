// Model: a product as a possibly faulty kernel computes it. It starts as the right one; a cause wraps one of
// its parts. Because every part is a function of logical coordinates, a cause is a few lines, two causes
// combine by being applied one after the other, and only the cells under test are ever computed.
//
//   A values -> codes, scales -> decoded \                                   source   narrow
//                                          blocks of 32, weights, accumulate -> cell -> bf16
//   B values -> codes, scales -> decoded /
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "common/format/bf16.hpp"
#include "common/layout/extent.hpp"
#include "tools/explain/evidence.hpp"

namespace mxproof::explain {

/// One operand, [rows, k] elements.
struct OperandModel {
  int64_t rows = 0;
  int64_t k = 0;
  std::function<uint8_t(int64_t row, int64_t k)> code;
  std::function<uint8_t(int64_t row, int64_t block)> scale;
  std::array<double, 16> code_value;    ///< The decoder of codes.
  std::array<double, 256> scale_value;  ///< The decoder of scale bytes.
  /// When set, elements are these numbers and codes and scales play no part.
  std::function<double(int64_t row, int64_t k)> value;

  bool present() const { return rows > 0; }
  int64_t blocks() const { return k / kBlock; }
};

enum class Precision { exact, bf16, f16 };

/// How a sum over K is kept: every `chunk` elements are summed exactly, rounded to `partial`, added to the
/// accumulator, and that is rounded to `accumulator`. Exact stands for f32: in the exact zone it is.
struct Accumulation {
  int64_t chunk = 0;  ///< Elements; 0 means all of K at once.
  Precision partial = Precision::exact;
  Precision accumulator = Precision::exact;
  friend bool operator==(const Accumulation&, const Accumulation&) = default;
};

/// From f32 to the bf16 that is stored. f16_bits: the bits of an f16 take its place.
enum class Narrowing { nearest_even, truncate, half_away, through_f16, f16_bits };

/// What of the f32 result a cell stores: the rounded number, or one half of its 32 bits as they are.
enum class StoredPart { rounded, low_half, high_half };

/// Where a stored cell comes from.
struct Source {
  Coord at;  ///< The product's cell that lands here, when nothing is `stored`.
  double factor = 1;
  double added = 0;            ///< What the kernel adds its result to ...
  bool rounded_first = false;  ///< ... after rounding it to bf16.
  StoredPart part = StoredPart::rounded;
  bool is_constant = false;
  Bf16 constant = {};  ///< What lies here when nothing was computed for it.
};

struct ProductModel {
  OperandModel a;
  OperandModel b;
  /// How often a block's sum is counted, 1 when right; empty means 1 everywhere.
  std::function<double(int64_t row, int64_t col, int64_t block)> weight;
  Accumulation accumulation;
  Narrowing narrowing = Narrowing::nearest_even;
  std::function<Source(int64_t row, int64_t col)> source;
  /// True once a part before `source` was changed: until then the product is the expected output.
  bool product_changed = false;
  /// Relative uncertainty of a number that was fitted to the data (0 when nothing was).
  double fitted_error = 0;
};

/// The right model of this evidence. It refers to the evidence's matrices: keep them alive.
ProductModel right_model(const Evidence& evidence);

/// One predicted output.
struct Prediction {
  Bf16 value;
  /// Values that f32 accumulation in another order could give; equal to `value` nearly always.
  Bf16 low;
  Bf16 high;
  bool agrees(Bf16 actual) const;
};

/// Predicted outputs of some cells, in their order. Fast when cells share rows and columns.
std::vector<Prediction> predict_outputs(const Evidence& evidence, const ProductModel& model,
                                        std::span<const Coord> cells);

/// True when this model's cells can be computed: both operands of a product are known or nothing about it
/// changed. Quantised data needs A alone.
bool can_predict(const Evidence& evidence, const ProductModel& model);

/// For Subject::quantised: the model's block equals the one that was got.
bool block_agrees(const Evidence& evidence, const OperandModel& model, Coord block);

/// The numbers of one row, decoded.
std::vector<double> decode_row(const OperandModel& model, int64_t row);

/// Exact sums of every block of one cell, unweighted: T_0 .. T_{K/32-1}.
std::vector<double> block_sums(const ProductModel& model, Coord cell);

/// How `narrowing` stores a sum that was kept in f32.
Bf16 narrow(double sum, Narrowing narrowing);

}  // namespace mxproof::explain
