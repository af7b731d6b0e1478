#include "tests/optimized/support/device_case.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "common/random/fill.hpp"
#include "optimized/device/check.hpp"
#include "reference/quantize.hpp"
#include "tools/explain/report.hpp"

namespace mxproof {

std::string shape_text(const GemmShape& shape) {
  return fmt::format("{}x{}x{}", shape.m, shape.n, shape.k);
}

void run_launch(Expected<Launch> launch) {
  expect_ok(expect_value(std::move(launch)).enqueue(nullptr));
  expect_ok(hip_status(hipStreamSynchronize(nullptr), "hipStreamSynchronize"));
}

DeviceBuffer poisoned_bf16(int64_t count) {
  return expect_value(DeviceBuffer::copy_of(std::vector<Bf16>(static_cast<size_t>(count), kPoisonBf16)));
}

Matrix<Bf16> read_rows(const DeviceBuffer& buffer, int64_t rows, int64_t columns, int64_t stride) {
  const auto all = expect_value(buffer.read_all<Bf16>());
  Matrix<Bf16> matrix(rows, columns);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) matrix(r, c) = all[static_cast<size_t>(r * stride + c)];
  }
  return matrix;
}

DeviceCase DeviceCase::from(Matrix<Bf16> a, Mxfp4Matrix b4) {
  Mxfp4Matrix a4 = expect_value(reference::quantize(a.view()));
  const GemmShape shape{a.rows, b4.rows, a.cols};
  auto expected = expect_value(reference::gemm(a4, b4));
  auto a_device = expect_value(DeviceBuffer::copy_of(a.data));
  auto weights = expect_value(Weights::upload(b4));
  return {shape,
          std::move(a),
          std::move(a4),
          std::move(b4),
          std::move(expected),
          std::move(a_device),
          std::move(weights)};
}

DeviceCase DeviceCase::normal(const GemmShape& shape, uint64_t seed) {
  return from(normal_matrix(shape.m, shape.k, seed, TensorId::a),
              expect_value(reference::quantize(normal_matrix(shape.n, shape.k, seed, TensorId::b).view())));
}

Matrix<Bf16> DeviceCase::run(const Plan& plan) const {
  const DeviceBuffer c = poisoned_bf16(shape.m * shape.n);
  GemmPointers pointers;
  pointers.a = a_device.operand(LayoutTag::bf16_rows);
  weights.set(pointers);
  pointers.c = c.operand(LayoutTag::bf16_rows);
  expect_ok(plan.enqueue(pointers, nullptr));
  expect_ok(hip_status(hipStreamSynchronize(nullptr), "hipStreamSynchronize"));
  return read_rows(c, shape.m, shape.n, shape.n);
}

namespace {

void expect_judged(const Acceptance& acceptance, const reference::GemmReference& expected,
                   const Matrix<Bf16>& actual) {
  const Comparison comparison = judge(acceptance, expected, actual.view());
  EXPECT_TRUE(passed(comparison.verdict)) << comparison.message;
  EXPECT_EQ(comparison.outputs, actual.rows * actual.cols);
}

}  // namespace

void expect_bit_equal(const reference::GemmReference& expected, const Matrix<Bf16>& actual) {
  expect_judged(Acceptance::bit_equal(), expected, actual);
}

void expect_bit_equal(const DeviceCase& c, const Matrix<Bf16>& actual) {
  const Comparison comparison = judge(Acceptance::bit_equal(), c.expected, actual.view());
  if (passed(comparison.verdict)) return;
  ADD_FAILURE() << comparison.message << "\n"
                << explain::summarise(explain::output_evidence(c.a, QuantPolicy{}, c.b4, actual));
}

void expect_accepted(const reference::GemmReference& expected, const Matrix<Bf16>& actual) {
  expect_judged(Acceptance::exact_zone(), expected, actual);
}

}  // namespace mxproof
