// Inputs that normal numbers never hold: zeros, NaN, infinities, subnormals, maxima, wide and heavy-tailed
// scales.
#include <gtest/gtest.h>

#include <bit>

#include "common/format/bf16_round.hpp"
#include "common/format/e8m0.hpp"
#include "common/random/fill.hpp"
#include "tests/optimized/support/device_case.hpp"
#include "tests/optimized/support/seed.hpp"

namespace mxproof {
namespace {

constexpr GemmShape kShape{18, 48, 704};

void check_all_routes(const DeviceCase& c,
                      void (*check)(const reference::GemmReference&, const Matrix<Bf16>&)) {
  for (const Route route : kRoutes) {
    SCOPED_TRACE(route_name(route));
    GemmRequest request;
    request.shape = c.shape;
    request.route = route;
    check(c.expected, c.run(expect_value(Plan::make(request))));
  }
}

Matrix<Bf16> normal_a(uint64_t seed) {
  return normal_matrix(kShape.m, kShape.k, seed, TensorId::a);
}

/// Random codes with the same scale everywhere.
Mxfp4Matrix random_b(uint64_t seed, uint8_t scale = 127) {
  Mxfp4Matrix b(kShape.n, kShape.k);
  fill_bytes(b.codes, seed, TensorId::b);
  std::fill(b.scales.begin(), b.scales.end(), scale);
  return b;
}

/// Scale bytes drawn from [low, high].
Mxfp4Matrix with_scales(Mxfp4Matrix b, uint64_t seed, uint32_t low, uint32_t high) {
  for (size_t i = 0; i < b.scales.size(); ++i) {
    b.scales[i] = static_cast<uint8_t>(low + random_word(seed, TensorId::scales, i) % (high - low + 1));
  }
  return b;
}

Bf16 bits(uint16_t value) {
  return Bf16{value};
}

TEST(EdgeInputs, AllOnesGiveExactlyK) {
  for (const int64_t k : {64, 128, 384, 1664, 1856}) {
    Mxfp4Matrix ones(kShape.n, k);
    std::fill(ones.codes.begin(), ones.codes.end(), uint8_t{0x22});
    std::fill(ones.scales.begin(), ones.scales.end(), uint8_t{127});
    const DeviceCase c = DeviceCase::from(Matrix<Bf16>(kShape.m, k, bits(0x3f80)), ones);
    for (const Route route : kRoutes) {
      GemmRequest request;
      request.shape = c.shape;
      request.route = route;
      for (const Bf16 v : c.run(expect_value(Plan::make(request))).data) {
        ASSERT_EQ(v.to_float(), static_cast<float>(k)) << route_name(route);
      }
    }
  }
}

TEST(EdgeInputs, Zeros) {
  MXPROOF_TRACE_SEED();
  check_all_routes(DeviceCase::from(Matrix<Bf16>(kShape.m, kShape.k), random_b(run_seed())),
                   expect_bit_equal);
  // Minus zeros, which have code 8, still add up to +0.
  check_all_routes(DeviceCase::from(Matrix<Bf16>(kShape.m, kShape.k, bits(0x8000)), random_b(run_seed())),
                   expect_bit_equal);
}

TEST(EdgeInputs, ANanOrInfinityInARowOfAMakesThatRowNan) {
  MXPROOF_TRACE_SEED();
  Matrix<Bf16> a = normal_a(run_seed());
  a(3, 700) = bits(0x7fc1);
  a(9, 0) = bits(0x7f80);
  a(17, 351) = bits(0xff80);
  const DeviceCase c = DeviceCase::from(std::move(a), random_b(run_seed()));
  for (const int64_t row : {3, 9, 17}) ASSERT_TRUE(c.expected.values()(row, 5).is_nan());
  ASSERT_FALSE(c.expected.values()(4, 5).is_nan());
  check_all_routes(c, expect_bit_equal);
}

TEST(EdgeInputs, ANanScaleOfBMakesThatColumnNanEvenOverZeroCodes) {
  MXPROOF_TRACE_SEED();
  Mxfp4Matrix b = random_b(run_seed());
  b.scale_row(7)[21] = kE8m0Nan;
  b.scale_row(40)[0] = kE8m0Nan;
  std::fill_n(b.code_row(40), 16, uint8_t{0});
  const DeviceCase c = DeviceCase::from(normal_a(run_seed()), std::move(b));
  ASSERT_TRUE(c.expected.values()(0, 7).is_nan());
  ASSERT_TRUE(c.expected.values()(0, 40).is_nan());
  check_all_routes(c, expect_bit_equal);
}

TEST(EdgeInputs, Subnormals) {
  MXPROOF_TRACE_SEED();
  // A below 2^-126, scale byte 0; the products are normal again.
  Matrix<Bf16> a(kShape.m, kShape.k);
  for (size_t i = 0; i < a.data.size(); ++i) {
    a.data[i] = bits(static_cast<uint16_t>(random_word(run_seed(), TensorId::a, i) & 0x807f));
  }
  check_all_routes(DeviceCase::from(std::move(a), random_b(run_seed(), 254)), expect_accepted);
}

TEST(EdgeInputs, LargestValues) {
  MXPROOF_TRACE_SEED();
  Matrix<Bf16> a(kShape.m, kShape.k);
  for (size_t i = 0; i < a.data.size(); ++i) {
    a.data[i] = bits(static_cast<uint16_t>(0x7f00 | (random_word(run_seed(), TensorId::a, i) & 0x807f)));
  }
  check_all_routes(DeviceCase::from(std::move(a), random_b(run_seed(), 100)), expect_accepted);
}

TEST(EdgeInputs, WideScales) {
  MXPROOF_TRACE_SEED();
  for (const auto& [low, high] : {std::pair{120u, 134u}, std::pair{60u, 190u}, std::pair{0u, 127u}}) {
    SCOPED_TRACE(low);
    check_all_routes(
        DeviceCase::from(normal_a(run_seed()), with_scales(random_b(run_seed()), run_seed(), low, high)),
        expect_accepted);
  }
}

TEST(EdgeInputs, HeavyTails) {
  MXPROOF_TRACE_SEED();
  // The ratio of two normal values has no variance.
  Matrix<Bf16> a = normal_a(run_seed());
  const Matrix<Bf16> divisors = normal_matrix(kShape.m, kShape.k, run_seed() + 1, TensorId::a);
  for (size_t i = 0; i < a.data.size(); ++i) {
    a.data[i] = round_to_bf16(a.data[i].to_float() / divisors.data[i].to_float());
  }
  check_all_routes(DeviceCase::from(std::move(a), random_b(run_seed())), expect_accepted);
}

}  // namespace
}  // namespace mxproof
