// Byte offsets past 2^31: two rows of A, then of C, so far apart that the second lies beyond.
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

  Operand operand() const { return {data_, bytes_, LayoutTag::bf16_rows}; }
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

TEST(LargeOffsets, RowsOfAPastTwoGiB) {
  run_routes(kFarStride, kShape.n);
}
TEST(LargeOffsets, RowsOfCPastTwoGiB) {
  run_routes(kShape.k, kFarStride);
}

}  // namespace
}  // namespace mxproof
