#include "optimized/plan/graph.hpp"

#include <gtest/gtest.h>

#include "tests/optimized/support/device_case.hpp"
#include "tests/optimized/support/seed.hpp"

namespace mxproof {
namespace {

/// The operands of `c` with output `out`.
GemmPointers pointers_of(const DeviceCase& c, const DeviceBuffer& out) {
  GemmPointers pointers;
  pointers.a = c.a_device.operand(LayoutTag::bf16_rows);
  c.weights.set(pointers);
  pointers.c = out.operand(LayoutTag::bf16_rows);
  return pointers;
}

class GraphOnRoute : public testing::TestWithParam<Route> {};

TEST_P(GraphOnRoute, ReplaysWithNewInputsAndOutputs) {
  MXPROOF_TRACE_SEED();
  const GemmShape shape{18, 64, 576};
  GemmRequest request;
  request.shape = shape;
  request.route = GetParam();
  const Plan plan = expect_value(Plan::make(request));
  // Two sets of operands in turn; a replay that kept anything of the one before would show.
  const DeviceCase cases[] = {DeviceCase::normal(shape, run_seed()),
                              DeviceCase::normal(shape, run_seed() + 1)};
  DeviceBuffer first_out = poisoned_bf16(shape.m * shape.n);
  GemmGraph graph = expect_value(GemmGraph::make(plan, pointers_of(cases[0], first_out)));
  for (int replay = 0; replay < 4; ++replay) {
    const DeviceCase& c = cases[replay % 2];
    const DeviceBuffer out = poisoned_bf16(shape.m * shape.n);
    expect_ok(graph.set_pointers(pointers_of(c, out)));
    expect_ok(graph.enqueue(nullptr));
    expect_ok(hip_status(hipStreamSynchronize(nullptr), "hipStreamSynchronize"));
    expect_bit_equal(c.expected, read_rows(out, shape.m, shape.n, shape.n));
  }
  // The first output was never used, as every replay had one of its own.
  for (const Bf16 v : read_rows(first_out, shape.m, shape.n, shape.n).data) ASSERT_EQ(v, kPoisonBf16);
}

TEST_P(GraphOnRoute, SeesDataWrittenJustBeforeTheReplay) {
  MXPROOF_TRACE_SEED();
  const GemmShape shape{5, 32, 256};
  GemmRequest request;
  request.shape = shape;
  request.route = GetParam();
  const Plan plan = expect_value(Plan::make(request));
  DeviceCase fixed = DeviceCase::normal(shape, run_seed());
  const DeviceBuffer out = poisoned_bf16(shape.m * shape.n);
  GemmGraph graph = expect_value(GemmGraph::make(plan, pointers_of(fixed, out)));
  for (uint64_t replay = 1; replay <= 5; ++replay) {
    const DeviceCase fresh =
        DeviceCase::from(normal_matrix(shape.m, shape.k, run_seed() + replay, TensorId::a), fixed.b4);
    expect_ok(fixed.a_device.write(std::as_bytes(std::span(fresh.a.data))));
    expect_ok(graph.enqueue(nullptr));
    expect_ok(hip_status(hipStreamSynchronize(nullptr), "hipStreamSynchronize"));
    expect_bit_equal(fresh.expected, read_rows(out, shape.m, shape.n, shape.n));
  }
}

TEST_P(GraphOnRoute, RefusesBadOperands) {
  const GemmShape shape{5, 32, 256};
  GemmRequest request;
  request.shape = shape;
  request.route = GetParam();
  const Plan plan = expect_value(Plan::make(request));
  const DeviceCase c = DeviceCase::normal(shape, 1);
  const DeviceBuffer out = poisoned_bf16(shape.m * shape.n);
  GemmGraph graph = expect_value(GemmGraph::make(plan, pointers_of(c, out)));
  GemmPointers bad = pointers_of(c, out);
  bad.a.data = nullptr;
  EXPECT_EQ(graph.set_pointers(bad).code(), StatusCode::bad_input);
}

INSTANTIATE_TEST_SUITE_P(Routes, GraphOnRoute, testing::ValuesIn(kRoutes),
                         [](const auto& test) { return std::string(route_name(test.param)); });

}  // namespace
}  // namespace mxproof
