// One product with everything a test needs of it: inputs, their device buffers, and what the reference says.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/compare/judge.hpp"
#include "common/matrix.hpp"
#include "common/random/fill.hpp"
#include "common/shape.hpp"
#include "optimized/device/check.hpp"
#include "optimized/plan/plan.hpp"
#include "optimized/weights/weights.hpp"
#include "reference/gemm.hpp"

namespace mxproof {

/// The value, or a test failure with the error's text (and then an abort of the test by exception).
template <class T>
T expect_value(Expected<T> expected) {
  if (!expected.ok()) {
    ADD_FAILURE() << expected.status().message();
    throw std::runtime_error("no value: " + expected.status().message());
  }
  return std::move(expected).value();
}

inline void expect_ok(const Status& status) {
  if (!status.ok()) {
    ADD_FAILURE() << status.message();
    throw std::runtime_error("not ok: " + status.message());
  }
}

std::string shape_text(const GemmShape& shape);
inline void PrintTo(const GemmShape& shape, std::ostream* out) {
  *out << shape_text(shape);
}

/// Enqueues the launch on the default stream and waits for it.
void run_launch(Expected<Launch> launch);

/// Device memory holding `count` bf16 of kPoisonBf16.
DeviceBuffer poisoned_bf16(int64_t count);

/// Rows of a device buffer whose rows are `stride` elements apart.
Matrix<Bf16> read_rows(const DeviceBuffer& buffer, int64_t rows, int64_t columns, int64_t stride);

struct DeviceCase {
  GemmShape shape;
  Matrix<Bf16> a;
  Mxfp4Matrix a4;  ///< as the reference quantises it
  Mxfp4Matrix b4;
  reference::GemmReference expected;

  DeviceBuffer a_device;
  Weights weights;

  /// Standard normal A and B, B quantised by the reference.
  static DeviceCase normal(const GemmShape& shape, uint64_t seed);
  static DeviceCase from(Matrix<Bf16> a, Mxfp4Matrix b4);

  /// Runs a plan into a poisoned output.
  Matrix<Bf16> run(const Plan& plan) const;
};

/// Every output has the expected bits; says where the first does not.
void expect_bit_equal(const reference::GemmReference& expected, const Matrix<Bf16>& actual);
/// The same for a case's whole output; says also what causes a difference.
void expect_bit_equal(const DeviceCase& c, const Matrix<Bf16>& actual);

/// Bit-equal inside the exact zone, a named model or the derived bound outside.
void expect_accepted(const reference::GemmReference& expected, const Matrix<Bf16>& actual);

}  // namespace mxproof
