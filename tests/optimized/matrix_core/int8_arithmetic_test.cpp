// The arithmetic around NVIDIA's int8 tensor core, run on the host, against the reference's exact sums.
#include "optimized/matrix_core/int8_arithmetic.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <limits>
#include <random>

#include "common/format/e2m1.hpp"
#include "common/format/e8m0.hpp"
#include "reference/block_terms.hpp"
#include "reference/exact_sum.hpp"
#include "tests/optimized/support/seed.hpp"

namespace mxproof {
namespace {

using namespace matrix_core;  // NOLINT(google-build-using-namespace): the room under test

constexpr int kLargestDot = 4608;
constexpr int kLargestSum = 384;  ///< of the doubled values of 32 codes

int byte_of(const Values8& values, int i) {
  return static_cast<int8_t>((i < 4 ? values.low : values.high) >> (8 * (i % 4)) & 0xffu);
}

int doubled(uint32_t code) {
  return static_cast<int>(2 * kE2m1Values[code]);
}

TEST(Int8Arithmetic, ValuesOfEveryFourCodes) {
  for (uint32_t half = 0; half < 0x10000u; ++half) {
    const uint32_t codes = half | (half * 0x9e37u & 0xffffu) << 16;
    const Values8 values = doubled_values(codes);
    const Values8 biased = biased_values(codes);
    for (int i = 0; i < 8; ++i) {
      const int expected = doubled(codes >> (4 * i) & 0xfu);
      ASSERT_EQ(byte_of(values, i), expected) << "codes " << codes << ", code " << i;
      ASSERT_EQ(byte_of(biased, i), expected + 12) << "codes " << codes << ", code " << i;
    }
  }
}

TEST(Int8Arithmetic, PowersOfEveryScaleByte) {
  for (uint32_t byte = 0; byte < kE8m0Nan; ++byte) {
    EXPECT_EQ(double{column_power(byte)}, std::ldexp(1.0, static_cast<int>(byte) - 127)) << byte;
    EXPECT_EQ(double{row_power(byte)}, std::ldexp(1.0, static_cast<int>(byte) - 129)) << byte;
  }
  EXPECT_TRUE(std::isnan(column_power(kE8m0Nan)));
  EXPECT_TRUE(std::isnan(row_power(kE8m0Nan)));
  EXPECT_FALSE(needs_care(kE8m0Nan));
}

/// acc + dot / 4 * 2^(m - 127) * 2^(n - 127), rounded once.
float exact(float acc, int dot, uint32_t m, uint32_t n) {
  reference::ExactSum sum;
  sum.add(acc);
  sum.add(dot, static_cast<int>(m + n) - 2 * kE8m0Bias - 2);
  return sum.to_f32();
}

/// What the tensor core delivers, as the number that its bits stand for.
float started(int sum) {
  return float_of_bits(static_cast<uint32_t>(kDotStart + sum));
}

/// Both forms where both apply.
void expect_exact(float acc, int dot, int sum_of_rows, uint32_t m, uint32_t n) {
  const float start = started(12 * sum_of_rows);
  const float biased = started(12 * sum_of_rows + dot);
  const bool nan = m == kE8m0Nan || n == kE8m0Nan;
  const float expected = nan ? std::numeric_limits<float>::quiet_NaN() : exact(acc, dot, m, n);
  const auto check = [&](float actual, const char* form) {
    const bool same =
        nan ? std::isnan(actual) : std::bit_cast<uint32_t>(actual) == std::bit_cast<uint32_t>(expected);
    ASSERT_TRUE(same) << form << ": " << acc << " + " << dot << " under scales " << m << " and " << n
                      << " gives " << actual << " instead of " << expected;
  };
  check(add_block_of_any_scale(acc, biased, start, row_power(m), column_power(n)), "any scale");
  if (!needs_care(m)) check(add_block(acc, biased, start, row_power(m), column_power(n)), "plain");
}

/// A sum so far: any finite number, or one near enough to the term that they meet in one rounding.
float sum_so_far(std::mt19937_64& random, int dot, uint32_t m, uint32_t n) {
  switch (random() % 4) {
    case 0:
      return 0.0f;
    case 1: {
      const auto bits = static_cast<uint32_t>(random());
      const float any = std::bit_cast<float>(bits);
      return std::isfinite(any) ? any : 0.0f;
    }
    default: {
      const double term = std::ldexp(double(dot), static_cast<int>(m + n) - 256);
      const double factor =
          std::ldexp(1.0 + static_cast<double>(random() % 4096) / 4096, static_cast<int>(random() % 56) - 28);
      const auto near = static_cast<float>((random() % 2 == 0 ? -term : term) * factor);
      return std::isfinite(near) ? near : std::numeric_limits<float>::max();
    }
  }
}

TEST(Int8Arithmetic, EveryPairOfScales) {
  MXPROOF_TRACE_SEED();
  std::mt19937_64 random(run_seed());
  for (uint32_t m = 0; m < 256; ++m) {
    for (uint32_t n = 0; n < 256; ++n) {
      for (int repeat = 0; repeat < 8; ++repeat) {
        const int limit = repeat % 2 == 0 ? kLargestDot : 3;
        const int dot = static_cast<int>(random() % (2 * limit + 1)) - limit;
        const int sum = static_cast<int>(random() % (2 * kLargestSum + 1)) - kLargestSum;
        ASSERT_NO_FATAL_FAILURE(expect_exact(sum_so_far(random, dot, m, n), dot, sum, m, n));
      }
    }
  }
}

TEST(Int8Arithmetic, EveryDot) {
  MXPROOF_TRACE_SEED();
  std::mt19937_64 random(run_seed());
  constexpr std::array<std::array<uint32_t, 2>, 7> kScales = {
      {{127, 127}, {0, 0}, {0, 107}, {90, 10}, {233, 150}, {234, 150}, {254, 0}}};
  for (int dot = -kLargestDot; dot <= kLargestDot; ++dot) {
    for (const auto& [m, n] : kScales) {
      for (const int sum : {-kLargestSum, 0, kLargestSum}) {
        ASSERT_NO_FATAL_FAILURE(expect_exact(sum_so_far(random, dot, m, n), dot, sum, m, n));
      }
    }
  }
}

TEST(Int8Arithmetic, SumsThatAreNotFiniteStay) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const uint32_t m : {0u, 127u, 233u, 234u, 254u}) {
    for (const uint32_t n : {0u, 127u, 254u}) {
      for (const int dot : {-kLargestDot, 0, kLargestDot}) {
        const auto add = [&](float acc) {
          return add_block_of_any_scale(acc, started(dot), started(0), row_power(m), column_power(n));
        };
        EXPECT_EQ(add(kInf), kInf);
        EXPECT_EQ(add(-kInf), -kInf);
        EXPECT_TRUE(std::isnan(add(std::numeric_limits<float>::quiet_NaN())));
      }
    }
  }
}

/// A block from its codes to the sum, the tensor core's part as integers, against the reference's dot.
TEST(Int8Arithmetic, BlocksOfCodes) {
  MXPROOF_TRACE_SEED();
  std::mt19937_64 random(run_seed());
  for (int repeat = 0; repeat < 20000; ++repeat) {
    std::array<uint32_t, 4> row{};
    std::array<uint32_t, 4> column{};
    for (int i = 0; i < 4; ++i) {
      row[i] = static_cast<uint32_t>(random());
      column[i] = static_cast<uint32_t>(random());
    }
    if (repeat == 0) row = column = {0x77777777u, 0x77777777u, 0x77777777u, 0x77777777u};
    if (repeat == 1) row = {0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu};
    int biased = 0;
    int start = 0;
    for (int i = 0; i < 32; ++i) {
      const int a = byte_of(doubled_values(row[i / 8]), i % 8);
      biased += a * byte_of(biased_values(column[i / 8]), i % 8);
      start += a * 12;
    }
    const auto row_bytes = std::bit_cast<std::array<uint8_t, 16>>(row);
    const auto column_bytes = std::bit_cast<std::array<uint8_t, 16>>(column);
    const int dot = reference::dot_quarters(row_bytes.data(), column_bytes.data());
    const float expected = exact(1.0f, dot, 120, 125);
    ASSERT_EQ(add_block(1.0f, started(biased), started(start), row_power(120), column_power(125)), expected);
  }
}

}  // namespace
}  // namespace mxproof
