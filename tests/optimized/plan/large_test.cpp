// Byte offsets past 2^31: two rows of A, then of C, so far apart that the second lies beyond; and a B of more
// than 2^31 bytes.
#include <gtest/gtest.h>

#include "optimized/device/check.hpp"
#include "tests/optimized/support/device_case.hpp"
#include "tests/optimized/support/seed.hpp"

namespace mxproof {
namespace {

/// Device memory that is not filled, as filling it would touch gigabytes.
class SparseMemory {
 public:
  explicit SparseMemory(int64_t bytes) : bytes_(bytes) {
    expect_ok(hip_status(hipMalloc(&data_, static_cast<size_t>(bytes)), "hipMalloc"));
  }
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;
  ~SparseMemory() { (void)hipFree(data_); }

  Operand operand(LayoutTag layout = LayoutTag::bf16_rows) const { return {data_, bytes_, layout}; }
  uint8_t* at(int64_t offset) const { return static_cast<uint8_t*>(data_) + offset; }

 private:
  void* data_ = nullptr;
  int64_t bytes_;
};

/// Elements from row 0 to row 1: the second row starts past 2^31 bytes.
constexpr int64_t kFarStride = (int64_t{1} << 30) + 64;
constexpr GemmShape kShape{2, 32, 320};

/// Runs every route with rows of A and C so far apart.
void run_routes(int64_t a_stride, int64_t c_stride) {
  MXPROOF_TRACE_SEED();
  const DeviceCase c = DeviceCase::normal(kShape, run_seed());
  const SparseMemory a(2 * (a_stride + kShape.k));
  const SparseMemory out(2 * (c_stride + kShape.n));
  const auto copy = [](void* to, const void* from, int64_t count, hipMemcpyKind kind) {
    expect_ok(hip_status(hipMemcpy(to, from, static_cast<size_t>(2 * count), kind), "hipMemcpy"));
  };
  for (int64_t r = 0; r < kShape.m; ++r)
    copy(a.at(2 * r * a_stride), &c.a(r, 0), kShape.k, hipMemcpyHostToDevice);
  GemmPointers pointers;
  pointers.a = a.operand();
  c.weights.set(pointers);
  pointers.c = out.operand();

  for (const Route route : kRoutes) {
    SCOPED_TRACE(route_name(route));
    const std::vector<Bf16> poison(static_cast<size_t>(kShape.n), kPoisonBf16);
    for (int64_t r = 0; r < kShape.m; ++r) {
      copy(out.at(2 * r * c_stride), poison.data(), kShape.n, hipMemcpyHostToDevice);
    }
    GemmRequest request;
    request.shape = kShape;
    request.route = route;
    request.a_stride = a_stride;
    request.c_stride = c_stride;
    expect_ok(expect_value(Plan::make(request)).enqueue(pointers, nullptr));
    expect_ok(hip_status(hipStreamSynchronize(nullptr), "hipStreamSynchronize"));
    Matrix<Bf16> actual(kShape.m, kShape.n);
    for (int64_t r = 0; r < kShape.m; ++r) {
      copy(&actual(r, 0), out.at(2 * r * c_stride), kShape.n, hipMemcpyDeviceToHost);
    }
    expect_bit_equal(c.expected, actual);
  }
}

/// Copies a case's small B to the end of a large one whose other rows are zero, and multiplies by all of it.
class LargeB : public testing::TestWithParam<Route> {
 protected:
  static constexpr int64_t kDepth = 4096;
  static constexpr int64_t kLastRows = 32;  ///< The rows of B that are not zero.
  static constexpr int64_t kColumns =
      (int64_t{1} << 32) / kDepth + kLastRows;  ///< 2^31 bytes lie before them.
  static constexpr int64_t kRowBytes = kDepth / 2;
  static constexpr int64_t kScaleBytes = kDepth / kBlock;

  static void copy_to(void* to, const DeviceBuffer& from) {
    expect_ok(hip_status(hipMemcpy(to, from.as(), static_cast<size_t>(from.bytes()), hipMemcpyDeviceToDevice),
                         "hipMemcpy"));
  }
};

TEST_P(LargeB, TheLastRowsOfBAreFound) {
  MXPROOF_TRACE_SEED();
  const GemmShape small{3, kLastRows, kDepth};
  const DeviceCase c = DeviceCase::normal(small, run_seed());
  const SparseMemory codes(kColumns * kRowBytes);
  const SparseMemory scales(kColumns * kScaleBytes);
  const auto fill = [](const SparseMemory& memory, int value) {
    const Operand all = memory.operand();
    expect_ok(hip_status(hipMemset(all.data, value, static_cast<size_t>(all.bytes)), "hipMemset"));
  };
  fill(codes, 0);
  fill(scales, 127);
  // In every layout whole tiles of rows follow each other, so that the last rows are the last bytes.
  const bool row_major = GetParam() == Route::one_kernel;
  copy_to(codes.at((kColumns - kLastRows) * kRowBytes), row_major ? c.weights.codes() : c.weights.shuffled());
  const DeviceBuffer& tile = c.weights.scales();  // padded to 256 rows
  expect_ok(hip_status(hipMemcpy(scales.at((kColumns - kLastRows) * kScaleBytes), tile.as(),
                                 static_cast<size_t>(kLastRows * kScaleBytes), hipMemcpyDeviceToDevice),
                       "hipMemcpy"));
  const DeviceBuffer out = poisoned_bf16(small.m * kColumns);
  GemmPointers pointers;
  pointers.a = c.a_device.operand(LayoutTag::bf16_rows);
  pointers.b_codes = codes.operand(LayoutTag::codes_row_major);
  pointers.b_shuffled = codes.operand(LayoutTag::codes_16x16);
  pointers.b_scales = scales.operand(LayoutTag::scale_32x8);
  pointers.c = out.operand(LayoutTag::bf16_rows);
  GemmRequest request;
  request.shape = {small.m, kColumns, kDepth};
  request.route = GetParam();
  expect_ok(expect_value(Plan::make(request)).enqueue(pointers, nullptr));
  expect_ok(hip_status(hipStreamSynchronize(nullptr), "hipStreamSynchronize"));

  const Matrix<Bf16> all = read_rows(out, small.m, kColumns, kColumns);
  Matrix<Bf16> last(small.m, kLastRows);
  for (int64_t m = 0; m < small.m; ++m) {
    for (int64_t n = 0; n < kColumns - kLastRows; ++n) ASSERT_EQ(all(m, n).bits, 0) << m << "," << n;
    std::copy_n(&all(m, kColumns - kLastRows), kLastRows, &last(m, 0));
  }
  expect_bit_equal(c.expected, last);
}

// One route: two gigabytes take a while, and the others find their rows of B by the same code or by less.
INSTANTIATE_TEST_SUITE_P(Routes, LargeB, testing::Values(Route::direct),
                         [](const auto& test) { return std::string(route_name(test.param)); });

TEST(LargeOffsets, RowsOfAPastTwoGiB) {
  run_routes(kFarStride, kShape.n);
}
TEST(LargeOffsets, RowsOfCPastTwoGiB) {
  run_routes(kShape.k, kFarStride);
}

}  // namespace
}  // namespace mxproof
