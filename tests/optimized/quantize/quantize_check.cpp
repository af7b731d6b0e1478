#include <gtest/gtest.h>

#include "common/random/fill.hpp"
#include "optimized/quantize/quantize.hpp"
#include "reference/quantize.hpp"
#include "tests/optimized/registry/kernel_checks.hpp"
#include "tests/optimized/support/device_case.hpp"
#include "tools/explain/matcher.hpp"

namespace mxproof {
namespace {

/// A [m, k] with rows `k + 8` apart, and what the reference makes of it.
struct StridedInput {
  explicit StridedInput(const GemmShape& shape, uint64_t seed)
      : rows(shape.m),
        cols(shape.k),
        stride(shape.k + 8),
        wide(normal_matrix(rows, stride, seed, TensorId::a)) {
    expected =
        expect_value(reference::quantize(MatrixView<const Bf16>{wide.data.data(), rows, cols, stride}));
    device = expect_value(DeviceBuffer::copy_of(wide.data));
    codes = expect_value(DeviceBuffer::make(rows * cols / 2));
  }
  DeviceConstBf16 view() const { return {device.as<const Bf16>(), rows, cols, stride}; }
  DeviceCodes codes_view() const { return {codes.as(), CodesRowMajor({rows, cols / 2})}; }
  Matrix<float> values() const {
    Matrix<float> out(rows, cols);
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t k = 0; k < cols; ++k) out(r, k) = wide(r, k).to_float();
    }
    return out;
  }
  Extent scale_extent() const { return {rows, cols / kBlock}; }

  int64_t rows;
  int64_t cols;
  int64_t stride;
  Matrix<Bf16> wide;
  Mxfp4Matrix expected;
  DeviceBuffer device;
  DeviceBuffer codes;
};

}  // namespace

void check_quantize(const GemmShape& shape, uint64_t seed) {
  const StridedInput input(shape, seed);
  const auto scales = expect_value(DeviceBuffer::make(input.scale_extent().size()));
  run_launch(
      quantize_launch(input.view(), input.codes_view(), {scales.as(), ScaleRowMajor(input.scale_extent())}));
  Mxfp4Matrix actual(input.rows, input.cols);
  actual.codes = expect_value(input.codes.read_all<uint8_t>());
  actual.scales = expect_value(scales.read_all<uint8_t>());
  EXPECT_EQ(actual.codes.size(), input.expected.codes.size());
  EXPECT_THAT(actual, explain::IsQuantised(input.values(), QuantPolicy{}));
}

void check_quantize_shuffle(const GemmShape& shape, uint64_t seed) {
  const StridedInput input(shape, seed);
  const Scale32x8 layout(input.scale_extent());
  const auto scales = expect_value(DeviceBuffer::make(layout.padded().size()));
  run_launch(quantize_shuffle_launch(input.view(), input.codes_view(), {scales.as(), layout}));
  EXPECT_EQ(expect_value(input.codes.read_all<uint8_t>()), input.expected.codes);
  const auto actual = expect_value(scales.read_all<uint8_t>());
  for (int64_t offset = 0; offset < layout.padded().size(); ++offset) {
    const Coord c = layout.coord(offset);
    const uint8_t expected = is_padding(layout, c) ? kPoison : input.expected.scale_row(c.row)[c.col];
    ASSERT_EQ(int{actual[static_cast<size_t>(offset)]}, int{expected})
        << "byte " << offset << ", row " << c.row << ", block " << c.col;
  }
}

}  // namespace mxproof
