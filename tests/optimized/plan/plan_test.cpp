#include "optimized/plan/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "optimized/device/info.hpp"
#include "tests/optimized/support/device_case.hpp"
#include "tests/optimized/support/seed.hpp"

namespace mxproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Plan make_plan(const GemmShape& shape, Route route, int splits = 1) {
  GemmRequest request;
  request.shape = shape;
  request.route = route;
  request.splits = splits;
  return expect_value(Plan::make(request));
}

std::string refusal(const GemmRequest& request) {
  const auto plan = Plan::make(request);
  EXPECT_FALSE(plan.ok());
  return plan.status().message();
}

class PlanOnRoute : public testing::TestWithParam<Route> {};

TEST_P(PlanOnRoute, MatchesTheReferenceWithOneToThreeLaunches) {
  MXPROOF_TRACE_SEED();
  for (const GemmShape& shape : {GemmShape{4, 96, 512}, GemmShape{33, 48, 704}, GemmShape{257, 16, 64}}) {
    SCOPED_TRACE(shape_text(shape));
    const DeviceCase c = DeviceCase::normal(shape, run_seed());
    const Plan plan = make_plan(shape, GetParam());
    expect_bit_equal(c.expected, c.run(plan));
  }
}

TEST_P(PlanOnRoute, ResultsDoNotDependOnTheWorkspace) {
  MXPROOF_TRACE_SEED();
  const GemmShape shape{20, 80, 832};
  const DeviceCase c = DeviceCase::normal(shape, run_seed());
  for (const int splits : {1, 3}) {
    if (splits > 1 && GetParam() != Route::fused) continue;
    Plan plan = make_plan(shape, GetParam(), splits);
    for (const int poison : {0x00, 0x7f, 0xff}) {
      expect_ok(plan.poison_workspace(static_cast<uint8_t>(poison)));
      expect_bit_equal(c.expected, c.run(plan));
    }
  }
}

TEST_P(PlanOnRoute, TenRunsGiveOneResult) {
  MXPROOF_TRACE_SEED();
  const GemmShape shape{19, 112, 1088};
  const DeviceCase c = DeviceCase::normal(shape, run_seed());
  const Plan plan = make_plan(shape, GetParam(), GetParam() == Route::fused ? 5 : 1);
  std::set<std::vector<uint16_t>> results;
  for (int run = 0; run < 10; ++run) {
    std::vector<uint16_t> bits;
    for (const Bf16 v : c.run(plan).data) bits.push_back(v.bits);
    results.insert(bits);
  }
  EXPECT_EQ(results.size(), 1u);
}

TEST_P(PlanOnRoute, StridedAAndC) {
  MXPROOF_TRACE_SEED();
  const GemmShape shape{21, 64, 320};
  const DeviceCase c = DeviceCase::normal(shape, run_seed());
  GemmRequest request;
  request.shape = shape;
  request.route = GetParam();
  request.a_stride = shape.k + 40;
  request.c_stride = shape.n + 3;
  const Plan plan = expect_value(Plan::make(request));

  Matrix<Bf16> wide(shape.m, request.a_stride, kPoisonBf16);
  for (int64_t r = 0; r < shape.m; ++r) std::copy_n(&c.a(r, 0), shape.k, &wide(r, 0));
  const auto a = expect_value(DeviceBuffer::copy_of(wide.data));
  const DeviceBuffer out = poisoned_bf16(shape.m * request.c_stride);
  GemmPointers pointers;
  pointers.a = a.operand(LayoutTag::bf16_rows);
  c.weights.set(pointers);
  pointers.c = out.operand(LayoutTag::bf16_rows);
  expect_ok(plan.enqueue(pointers, nullptr));
  expect_ok(hip_status(hipStreamSynchronize(nullptr), "hipStreamSynchronize"));
  const Matrix<Bf16> all = read_rows(out, shape.m, request.c_stride, request.c_stride);
  expect_bit_equal(c.expected, read_rows(out, shape.m, shape.n, request.c_stride));
  for (int64_t r = 0; r < shape.m; ++r) {
    for (int64_t col = shape.n; col < request.c_stride; ++col) ASSERT_EQ(all(r, col), kPoisonBf16);
  }
}

INSTANTIATE_TEST_SUITE_P(Routes, PlanOnRoute, testing::ValuesIn(kRoutes),
                         [](const auto& test) { return std::string(route_name(test.param)); });

TEST(Plan, EverySplitOfKGivesTheSameBits) {
  MXPROOF_TRACE_SEED();
  const GemmShape shape{16, 64, 1856};
  const DeviceCase c = DeviceCase::normal(shape, run_seed());
  for (int splits = 1; splits <= 8; ++splits) {
    SCOPED_TRACE(splits);
    const Plan plan = make_plan(shape, Route::fused, splits);
    EXPECT_EQ(plan.splits(), splits);
    expect_bit_equal(c.expected, c.run(plan));
  }
}

TEST(Plan, RefusesWhatNoKernelCanDo) {
  EXPECT_THAT(refusal({.shape = {0, 16, 64}}), HasSubstr("M = 0 is not positive"));
  EXPECT_THAT(refusal({.shape = {4, 16, 0}}), HasSubstr("K = 0 is not positive"));
  EXPECT_THAT(refusal({.shape = {4, 16, 40}}), HasSubstr("K = 40 is not a multiple of 32"));
  EXPECT_THAT(refusal({.shape = {4, 40, 64}, .route = Route::staged}),
              AllOf(HasSubstr("gemm_a4w4"), HasSubstr("N = 40 is not a multiple of 16")));
  EXPECT_THAT(refusal({.shape = {4, 16, 96}, .route = Route::direct}),
              AllOf(HasSubstr("gemm_direct"), HasSubstr("K = 96 is not a multiple of 64")));
  EXPECT_THAT(refusal({.shape = {4, 16, 64}, .a_stride = 32}), HasSubstr("64 elements long but 32 apart"));
  EXPECT_THAT(refusal({.shape = {4, 16, 64}, .a_stride = 68}), HasSubstr("not a multiple of 8"));
  EXPECT_THAT(refusal({.shape = {4, 16, 64}, .c_stride = 15}), HasSubstr("16 elements long but 15 apart"));
  EXPECT_THAT(refusal({.shape = {4, 16, 64}, .route = Route::staged, .splits = 2}), HasSubstr("only fused"));
  EXPECT_THAT(refusal({.shape = {4, 16, 64}, .route = Route::fused, .splits = 2}),
              HasSubstr("cannot be cut into 2 pieces"));
  EXPECT_THAT(refusal({.shape = {4, 16, 64}, .route = Route::direct, .tile = TileConfig{1, 2, 3}}),
              HasSubstr("not compiled for tile 1x2 of 3 waves"));
}

class PlanOperands : public testing::Test {
 protected:
  PlanOperands() : case_(DeviceCase::normal(shape_, 1)), c_(poisoned_bf16(shape_.m * shape_.n)) {
    pointers_.a = case_.a_device.operand(LayoutTag::bf16_rows);
    case_.weights.set(pointers_);
    pointers_.c = c_.operand(LayoutTag::bf16_rows);
  }

  std::string error() const {
    const Status status = plan_.enqueue(pointers_, nullptr);
    EXPECT_EQ(status.code(), StatusCode::bad_input) << status.message();
    return status.message();
  }

  GemmShape shape_{8, 32, 128};
  Plan plan_ = make_plan(shape_, Route::staged);
  DeviceCase case_;
  DeviceBuffer c_;
  GemmPointers pointers_;
};

TEST_F(PlanOperands, Null) {
  pointers_.b_scales.data = nullptr;
  EXPECT_THAT(error(), HasSubstr("b_scales is null"));
}
TEST_F(PlanOperands, WrongLayoutTag) {
  pointers_.b_shuffled.layout = LayoutTag::codes_row_major;
  EXPECT_THAT(error(), HasSubstr("b_shuffled is tagged codes_row_major, but the kernels read codes_16x16"));
}
TEST_F(PlanOperands, TooSmall) {
  pointers_.c.bytes -= 1;
  EXPECT_THAT(error(), HasSubstr("c has 511 bytes, but the shape needs 512"));
}
TEST_F(PlanOperands, Misaligned) {
  // One row less than there is room for, starting 2 bytes in.
  const Plan smaller = make_plan({7, 32, 128}, Route::staged);
  pointers_.a.data = static_cast<uint8_t*>(pointers_.a.data) + 2;
  const Status status = smaller.enqueue(pointers_, nullptr);
  EXPECT_THAT(status.message(), AllOf(HasSubstr("a at"), HasSubstr("not aligned to 16 bytes")));
}
TEST_F(PlanOperands, OutputOverAnInput) {
  pointers_.c.data = pointers_.a.data;
  pointers_.c.bytes = pointers_.a.bytes;
  EXPECT_THAT(error(), HasSubstr("c (row 0) overlaps a (row 0)"));
}
TEST_F(PlanOperands, OutputOverWeights) {
  pointers_.c.data = pointers_.b_shuffled.data;
  EXPECT_THAT(error(), HasSubstr("c (row 0) overlaps b_shuffled"));
}

// A and C as two column ranges of one matrix: their rows take turns in memory.
TEST(PlanStrides, RowsOfAAndCMayLieBetweenEachOther) {
  MXPROOF_TRACE_SEED();
  const GemmShape shape{6, 48, 192};
  const DeviceCase c = DeviceCase::normal(shape, run_seed());
  const int64_t stride = shape.k + shape.n;
  for (const Route route : kRoutes) {
    SCOPED_TRACE(route_name(route));
    GemmRequest request;
    request.shape = shape;
    request.route = route;
    request.a_stride = stride;
    request.c_stride = stride;
    const Plan plan = expect_value(Plan::make(request));
    Matrix<Bf16> both(shape.m, stride, kPoisonBf16);
    for (int64_t r = 0; r < shape.m; ++r) std::copy_n(&c.a(r, 0), shape.k, &both(r, 0));
    const auto device = expect_value(DeviceBuffer::copy_of(both.data));
    GemmPointers pointers;
    pointers.a = device.operand(LayoutTag::bf16_rows);
    c.weights.set(pointers);
    pointers.c = {device.as<Bf16>() + shape.k, device.bytes() - 2 * shape.k, LayoutTag::bf16_rows};
    expect_ok(plan.enqueue(pointers, nullptr));
    expect_ok(hip_status(hipStreamSynchronize(nullptr), "hipStreamSynchronize"));
    const Matrix<Bf16> after = read_rows(device, shape.m, stride, stride);
    Matrix<Bf16> product(shape.m, shape.n);
    for (int64_t r = 0; r < shape.m; ++r) {
      std::copy_n(&after(r, shape.k), shape.n, &product(r, 0));
      for (int64_t k = 0; k < shape.k; ++k) ASSERT_EQ(after(r, k), c.a(r, k)) << "A is an input";
    }
    expect_bit_equal(c.expected, product);
    // One element to the left, and the last of A's row is the first of C's.
    pointers.c.data = device.as<Bf16>() + shape.k - 1;
    pointers.c.bytes += 2;
    EXPECT_THAT(plan.enqueue(pointers, nullptr).message(), HasSubstr("c (row 0) overlaps a (row 0)"));
  }
}

TEST(PlanStrides, RowsWithDifferentStridesThatMeetSomewhere) {
  const GemmShape shape{6, 48, 192};
  const DeviceCase c = DeviceCase::normal(shape, 1);
  GemmRequest request;
  request.shape = shape;
  request.a_stride = shape.k + 64;
  request.c_stride = shape.k + 72;
  const Plan plan = expect_value(Plan::make(request));
  const DeviceBuffer device = poisoned_bf16(shape.m * request.c_stride + shape.k);
  GemmPointers pointers;
  pointers.a = device.operand(LayoutTag::bf16_rows);
  c.weights.set(pointers);
  // C starts in the gap behind A's row 0 and moves on by 8 elements a row: row 3 ends in A's row 4.
  pointers.c = {device.as<Bf16>() + shape.k, device.bytes() - 2 * shape.k, LayoutTag::bf16_rows};
  EXPECT_THAT(plan.enqueue(pointers, nullptr).message(), HasSubstr("c (row 3) overlaps a (row 4)"));
}

TEST(Device, AnotherChipIsRefusedByName) {
  DeviceInfo device = expect_value(device_info());
  EXPECT_TRUE(device.check_supported().ok());
  device.arch = device.arch.starts_with("sm_") ? "sm_75" : "gfx90a";
  device.name = "an older one";
  const Status status = device.check_supported();
  EXPECT_EQ(status.code(), StatusCode::refused);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("run on"), HasSubstr("not on " + device.arch + " (an older one)")));
}

TEST(Plan, DescribesItself) {
  const Plan plan = make_plan({4, 48, 512}, Route::fused, 2);
  EXPECT_THAT(plan.describe(), HasSubstr("fused: quantize_shuffle + gemm_splitk + reduce_splitk"));
}

}  // namespace
}  // namespace mxproof
