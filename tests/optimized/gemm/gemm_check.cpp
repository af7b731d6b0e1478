#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "common/format/e8m0.hpp"
#include "optimized/gemm/gemm.hpp"
#include "reference/round.hpp"
#include "tests/optimized/registry/kernel_checks.hpp"
#include "tests/optimized/support/device_case.hpp"

namespace mxproof {
namespace {

/// A quantised on the device side of the test: codes, and scales in a buffer whose padding is NaN.
struct QuantisedA {
  explicit QuantisedA(const Mxfp4Matrix& a4)
      : layout({a4.rows, a4.cols / kBlock}), extent{a4.rows, a4.cols / 2} {
    std::vector<uint8_t> shuffled(static_cast<size_t>(layout.padded().size()), kE8m0Nan);
    for (int64_t r = 0; r < a4.rows; ++r) {
      for (int64_t c = 0; c < layout.logical().cols; ++c) {
        shuffled[static_cast<size_t>(layout.offset({r, c}))] = a4.scale_row(r)[c];
      }
    }
    codes = expect_value(DeviceBuffer::copy_of(a4.codes));
    scales = expect_value(DeviceBuffer::copy_of(shuffled));
  }
  DeviceCodes codes_view() const { return {codes.as(), CodesRowMajor(extent)}; }
  DeviceScales32x8 scales_view() const { return {scales.as(), layout}; }

  Scale32x8 layout;
  Extent extent;
  DeviceBuffer codes;
  DeviceBuffer scales;
};

DeviceCodes16x16 shuffled_b(const DeviceCase& c) {
  return {c.weights.shuffled().as(), Codes16x16({c.shape.n, c.shape.row_bytes()})};
}
DeviceScales32x8 scales_b(const DeviceCase& c) {
  return {c.weights.scales().as(), Scale32x8({c.shape.n, c.shape.blocks()})};
}

/// Fills the padding of B's `scale_32x8` buffer with NaN.
void poison_scale_padding(DeviceCase& c) {
  const Scale32x8 layout({c.shape.n, c.shape.blocks()});
  auto bytes = expect_value(c.weights.scales().read_all<uint8_t>());
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (is_padding(layout, layout.coord(static_cast<int64_t>(i)))) bytes[i] = kE8m0Nan;
  }
  expect_ok(hip_status(hipMemcpy(c.weights.scales().as(), bytes.data(), bytes.size(), hipMemcpyHostToDevice),
                       "hipMemcpy"));
}

/// Runs `launch(c)` of every tile into a poisoned C with a row stride, and compares; what lies between rows
/// stays.
template <class F>
void check_tiles(KernelId kernel, const DeviceCase& c, F launch) {
  const auto tiles = tile_variants(kernel);
  ASSERT_FALSE(tiles.empty());
  const int64_t stride = c.shape.n + 4;
  for (const TileConfig& tile : tiles) {
    SCOPED_TRACE(to_string(tile));
    const DeviceBuffer out = poisoned_bf16(c.shape.m * stride);
    run_launch(launch(DeviceBf16{out.as<Bf16>(), c.shape.m, c.shape.n, stride}, tile));
    expect_bit_equal(c, read_rows(out, c.shape.m, c.shape.n, stride));
    const Matrix<Bf16> all = read_rows(out, c.shape.m, stride, stride);
    for (int64_t r = 0; r < c.shape.m; ++r) {
      for (int64_t col = c.shape.n; col < stride; ++col)
        ASSERT_EQ(all(r, col), kPoisonBf16) << r << "," << col;
    }
  }
}

}  // namespace

void check_gemm_a4w4(const GemmShape& shape, uint64_t seed) {
  DeviceCase c = DeviceCase::normal(shape, seed);
  poison_scale_padding(c);
  const QuantisedA a(c.a4);
  check_tiles(KernelId::gemm_a4w4, c, [&](DeviceBf16 out, TileConfig tile) {
    return gemm_a4w4_launch(a.codes_view(), a.scales_view(), shuffled_b(c), scales_b(c), out, tile);
  });
}

void check_gemm_a16w4(const GemmShape& shape, uint64_t seed) {
  const DeviceCase c = DeviceCase::normal(shape, seed);
  check_tiles(KernelId::gemm_a16w4, c, [&](DeviceBf16 out, TileConfig tile) {
    return gemm_a16w4_launch({c.a_device.as<const Bf16>(), shape.m, shape.k, shape.k},
                             {c.weights.codes().as(), CodesRowMajor({shape.n, shape.row_bytes()})},
                             {c.weights.row_scales().as(), ScaleRowMajor({shape.n, shape.blocks()})}, out,
                             tile);
  });
}

void check_gemm_direct(const GemmShape& shape, uint64_t seed) {
  DeviceCase c = DeviceCase::normal(shape, seed);
  poison_scale_padding(c);
  check_tiles(KernelId::gemm_direct, c, [&](DeviceBf16 out, TileConfig tile) {
    return gemm_direct_launch({c.a_device.as<const Bf16>(), shape.m, shape.k, shape.k}, shuffled_b(c),
                              scales_b(c), out, tile);
  });
}

void check_gemm_splitk(const GemmShape& shape, uint64_t seed) {
  DeviceCase c = DeviceCase::normal(shape, seed);
  poison_scale_padding(c);
  const QuantisedA a(c.a4);
  const auto chunks = static_cast<int>(ceil_div(shape.k, 256));
  for (const int splits : {1, (chunks + 1) / 2, chunks}) {
    for (const TileConfig& tile : tile_variants(KernelId::gemm_splitk)) {
      SCOPED_TRACE(to_string(tile) + fmt::format(", {} splits", splits));
      const auto partials =
          expect_value(DeviceBuffer::make(splits * shape.m * shape.n * int64_t{sizeof(float)}));
      run_launch(gemm_splitk_launch(a.codes_view(), a.scales_view(), shuffled_b(c), scales_b(c),
                                    partials.as<float>(), splits, tile));
      // Inside the exact zone every partial sum is exact, so that their sum in double is too.
      const auto slices = expect_value(partials.read_all<float>());
      for (int64_t i = 0; i < shape.m * shape.n; ++i) {
        double sum = 0;
        for (int64_t s = 0; s < splits; ++s)
          sum += double{slices[static_cast<size_t>(s * shape.m * shape.n + i)]};
        ASSERT_EQ(sum, double{c.expected.f32().data[i]})
            << "row " << i / shape.n << ", column " << i % shape.n;
      }
    }
  }
}

void check_reduce_splitk(const GemmShape& shape, uint64_t seed) {
  constexpr int kSplits = 5;
  const Matrix<Bf16> values = normal_matrix(kSplits * shape.m, shape.n, seed, TensorId::test);
  std::vector<float> partials;
  // Bits below bf16's, so that the rounding at the end matters.
  for (const Bf16 v : values.data) partials.push_back(v.to_float() / 3.0f);
  const auto device = expect_value(DeviceBuffer::copy_of(partials));
  for (const int64_t stride : {shape.n, shape.n + 1}) {
    const DeviceBuffer out = poisoned_bf16(shape.m * stride);
    run_launch(
        reduce_splitk_launch(device.as<const float>(), kSplits, {out.as<Bf16>(), shape.m, shape.n, stride}));
    const Matrix<Bf16> actual = read_rows(out, shape.m, shape.n, stride);
    for (int64_t i = 0; i < shape.m * shape.n; ++i) {
      float sum = 0;
      for (int64_t s = 0; s < kSplits; ++s) sum += partials[static_cast<size_t>(s * shape.m * shape.n + i)];
      ASSERT_EQ(actual.data[static_cast<size_t>(i)], reference::round_to_bf16(sum)) << "output " << i;
    }
  }
}

}  // namespace mxproof
