#include "reference/exact_sum.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace mxproof::reference {
namespace {

TEST(ExactSum, CancelsAcrossTheWholeRange) {
  ExactSum sum;
  sum.add(4608, 252);
  sum.add(1, -256);
  sum.add(-4608, 252);
  EXPECT_EQ(sum.to_f64(), 0x1p-256);
  sum.add(-1, -256);
  EXPECT_TRUE(sum.is_zero());
  EXPECT_EQ(std::bit_cast<uint64_t>(sum.to_f64()), 0u);
}

TEST(ExactSum, KeepsTheSignOfWhatVanishes) {
  ExactSum sum;
  sum.add(-1, -256);
  EXPECT_EQ(std::bit_cast<uint32_t>(sum.to_f32()), 0x80000000u);
  EXPECT_EQ(sum.to_bf16().bits, 0x8000);
}

TEST(ExactSum, TiesSeeTheLastBit) {
  for (const int sign : {1, -1}) {
    ExactSum sum;
    sum.add(sign * 0x1000001LL, 40);  // 2^64 + 2^40: half a step above 2^64 in f32
    EXPECT_EQ(sum.to_f32(), static_cast<float>(sign) * 0x1p64f);
    sum.add(sign, -256);
    EXPECT_EQ(sum.to_f32(), static_cast<float>(sign) * std::nextafter(0x1p64f, 0x1p100f));
    sum.add(-2 * sign, -256);
    EXPECT_EQ(sum.to_f32(), static_cast<float>(sign) * 0x1p64f);
  }
}

TEST(ExactSum, RoundsIntoSubnormalsAndPastTheLargest) {
  ExactSum sum;
  sum.add(3, -150);  // 1.5 * 2^-149: tie between 1 and 2 units
  EXPECT_EQ(std::bit_cast<uint32_t>(sum.to_f32()), 2u);
  ExactSum half;
  half.add(1, -150);
  EXPECT_EQ(std::bit_cast<uint32_t>(half.to_f32()), 0u);
  half.add(1, -256);
  EXPECT_EQ(std::bit_cast<uint32_t>(half.to_f32()), 1u);
  ExactSum large;
  large.add((int64_t{1} << 25) - 1, 103);  // half a step above the largest f32: Inf by the tie
  EXPECT_TRUE(std::isinf(large.to_f32()));
  large.add(-1, -256);
  EXPECT_EQ(large.to_f32(), std::numeric_limits<float>::max());
}

TEST(ExactSum, AgreesWithDoubleWhereDoubleIsExact) {
  std::mt19937_64 random(0x5eed0004);
  for (int round = 0; round < 20000; ++round) {
    ExactSum sum;
    double plain = 0;
    for (int i = 0; i < 8; ++i) {
      const auto value = static_cast<int64_t>(random() % 9217) - 4608;
      const int exponent = static_cast<int>(random() % 30) - 15;
      sum.add(value, exponent);
      plain += std::ldexp(static_cast<double>(value), exponent);
    }
    ASSERT_EQ(sum.to_f64(), plain);
    // The hardware's conversion is a second opinion on our rounding.
    ASSERT_EQ(sum.to_f32(), static_cast<float>(plain));
  }
}

TEST(Round, AgreesWithTheHardwareOnRandomDoubles) {
  std::mt19937_64 random(0x5eed0005);
  int subnormal = 0;
  for (int i = 0; i < 2000000; ++i) {
    // Exponents around f32's range, mantissas often one bit from a tie.
    const uint64_t exponent = 1023 - 155 + random() % 290;
    uint64_t mantissa = random() & ((uint64_t{1} << 52) - 1);
    if (i % 2 == 0)
      mantissa = (mantissa & ~((uint64_t{1} << 29) - 1)) + (uint64_t{1} << 28) + random() % 3 - 1;
    const double x =
        std::bit_cast<double>((random() & 1) << 63 | exponent << 52 | (mantissa & ((uint64_t{1} << 52) - 1)));
    ASSERT_EQ(std::bit_cast<uint32_t>(round_to_f32(x)), std::bit_cast<uint32_t>(static_cast<float>(x))) << x;
    subnormal += std::fpclassify(static_cast<float>(x)) == FP_SUBNORMAL ? 1 : 0;
  }
  EXPECT_GT(subnormal, 1000);
}

TEST(Round, Bf16OfEveryUpperHalfAndItsNeighbours) {
  // Against integer arithmetic on the f32 pattern.
  for (uint32_t upper = 0; upper < 0x7f80; ++upper) {
    for (const uint32_t lower : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      const float x = std::bit_cast<float>(upper << 16 | lower);
      const bool up = lower > 0x8000 || (lower == 0x8000 && (upper & 1) != 0);
      ASSERT_EQ(round_to_bf16(x).bits, upper + (up ? 1 : 0)) << x;
      ASSERT_EQ(round_to_bf16(-x).bits, (upper + (up ? 1 : 0)) | 0x8000);
    }
  }
  EXPECT_TRUE(round_to_bf16(std::numeric_limits<double>::quiet_NaN()).is_nan());
  EXPECT_EQ(round_to_bf16(-std::numeric_limits<double>::infinity()).bits, 0xff80);
}

TEST(Round, OnceIsNotTwice) {
  const double x = 1.0 + 0x1p-8 + 0x1p-40;  // just above bf16's tie; f32 drops the last bit
  EXPECT_EQ(round_to_bf16(x).bits, 0x3f81);
  EXPECT_EQ(round_to_bf16(static_cast<double>(round_to_f32(x))).bits, 0x3f80);
}

}  // namespace
}  // namespace mxproof::reference
