// f16 results in every rounding direction of MODE, against exact integers: a value is a multiple of 2^-48,
// and the two halves around it are found in a sorted table of all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

using Exact = __int128;  // in units of 2^-48

Exact exact(uint16_t half) {
  const uint32_t exponent = (half >> 10) & 31U;
  const Exact significand = (half & 0x3ffU) | (exponent == 0 ? 0U : 0x400U);
  const Exact value = significand << (24 + (exponent == 0 ? 0 : exponent - 1));
  return (half & 0x8000U) != 0 ? -value : value;
}
bool is_finite(uint32_t half) {
  return (half & 0x7c00U) != 0x7c00U;
}

enum Direction { nearest, up, down, zero };

/// The magnitudes of all finite halves, ascending: index = code.
const std::vector<Exact>& magnitudes() {
  static const std::vector<Exact> table = [] {
    std::vector<Exact> values;
    for (uint32_t code = 0; code < 0x7c00; ++code) values.push_back(exact(static_cast<uint16_t>(code)));
    return values;
  }();
  return table;
}

/// The half that `value` rounds to; `negative_zero` is what an exact zero's sign is.
uint16_t rounded(Exact value, Direction direction, bool negative_zero) {
  const bool negative = value < 0 || (value == 0 && negative_zero);
  const Exact magnitude = value < 0 ? -value : value;
  const uint16_t sign = negative ? 0x8000 : 0;
  const auto& table = magnitudes();
  const auto above = std::ranges::lower_bound(table, magnitude);
  const auto code = static_cast<uint16_t>(above - table.begin());
  if (above != table.end() && *above == magnitude) return sign | code;
  const auto low = static_cast<uint16_t>(code - 1);  // 0x7bff past the largest
  const Exact high_value = above == table.end() ? Exact{65536} << 48 : *above;
  const Exact low_value = table[low];
  bool away = direction == up ? !negative : direction == down ? negative : false;
  if (direction == nearest) {
    const Exact twice = 2 * magnitude - low_value - high_value;
    away = twice > 0 || (twice == 0 && (low & 1U) != 0);
  }
  return sign | (away ? code : low);
}

/// Finite halves: corners and any.
uint16_t any_half(std::mt19937& random) {
  constexpr uint16_t kCorners[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400, 0x3c00,
                                   0xbc00, 0x3c01, 0x7bff, 0xfbff, 0x7800, 0x3bff};
  for (;;) {
    const auto code = static_cast<uint16_t>(random());
    if (random() % 4 == 0) return kCorners[random() % std::size(kCorners)];
    if (is_finite(code)) return code;
  }
}

class F16Rounding : public ::testing::TestWithParam<Direction> {
 protected:
  /// MODE: f32 and f16 rounding as the parameter says, subnormals kept.
  std::string mode() const {
    const int bits = 0xf0 | static_cast<int>(GetParam()) << 2 | static_cast<int>(GetParam());
    return "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), " + std::to_string(bits) + "\n";
  }
};
constexpr std::array kDirectionNames = {"nearest", "up", "down", "zero"};
INSTANTIATE_TEST_SUITE_P(Directions, F16Rounding, ::testing::Values(nearest, up, down, zero),
                         [](const auto& param) { return std::string(kDirectionNames[param.param]); });

TEST_P(F16Rounding, SumsProductsAndFma) {
  std::mt19937 random(7);
  const Direction direction = GetParam();
  int inexact = 0;
  for (int round = 0; round < 60; ++round) {
    TestWave wave;
    for (int lane = 0; lane < 64; ++lane) {
      for (int reg = 0; reg < 3; ++reg)
        wave.v(reg, lane) = any_half(random) | uint32_t{any_half(random)} << 16;
    }
    ASSERT_EQ(
        wave.run(mode() + "v_add_f16 v3, v0, v1\n v_sub_f16 v4, v0, v1\n v_mul_f16 v5, v0, v1\n"
                          "v_fma_f16 v6, v0, v1, v2\n v_pk_add_f16 v7, v0, v1\n v_pk_mul_f16 v8, v0, v1\n"
                          "v_pk_fma_f16 v9, v0, v1, v2"),
        "");
    for (int lane = 0; lane < 64; ++lane) {
      for (int part = 0; part < 2; ++part) {
        const auto half = [&](int reg) { return static_cast<uint16_t>(wave.v(reg, lane) >> (16 * part)); };
        const uint16_t a = half(0);
        const uint16_t b = half(1);
        const uint16_t c = half(2);
        const bool product_sign = ((a ^ b) & 0x8000U) != 0;
        // A zero sum of opposite signs is -0 when rounding down, else +0.
        const auto zero_sign = [&](bool first, bool second) {
          return first == second ? first : direction == down;
        };
        const Exact product = exact(a) * (exact(b) >> 24) >> 24;
        const uint16_t sum =
            rounded(exact(a) + exact(b), direction, zero_sign((a >> 15) != 0, (b >> 15) != 0));
        const uint16_t times = rounded(product, direction, product_sign);
        const uint16_t fma = rounded(product + exact(c), direction, zero_sign(product_sign, (c >> 15) != 0));
        ASSERT_EQ(half(7), sum) << std::hex << a << " + " << b;
        ASSERT_EQ(half(8), times) << std::hex << a << " * " << b;
        ASSERT_EQ(half(9), fma) << std::hex << a << " * " << b << " + " << c;
        inexact += (is_finite(fma) && exact(fma) != product + exact(c)) ? 1 : 0;
        if (part != 0) continue;
        const uint16_t difference =
            rounded(exact(a) - exact(b), direction, zero_sign((a >> 15) != 0, (b >> 15) == 0));
        ASSERT_EQ(half(3), sum);
        ASSERT_EQ(half(4), difference) << std::hex << a << " - " << b;
        ASSERT_EQ(half(5), times);
        ASSERT_EQ(half(6), fma);
      }
    }
  }
  EXPECT_GT(inexact, 1000);
}

TEST_P(F16Rounding, Conversions) {
  std::mt19937 random(8);
  const Direction direction = GetParam();
  for (int round = 0; round < 60; ++round) {
    TestWave wave;
    for (int lane = 0; lane < 64; ++lane) {
      // A half and 13 bits of any fraction below it: within 2^-48.
      const float near =
          std::ldexp(static_cast<float>(random() % 0x2000000), static_cast<int>(random() % 40) - 48);
      wave.v(0, lane) = std::bit_cast<uint32_t>(random() % 2 == 0 ? near : -near);
      wave.v(1, lane) = static_cast<uint32_t>(random());
      wave.v(2, lane) = std::bit_cast<uint32_t>(1.5F);
    }
    ASSERT_EQ(wave.run(mode() + "v_cvt_f16_f32 v3, v0\n v_cvt_f16_u16 v4, v1\n v_cvt_f16_i16 v5, v1\n"
                                "v_cvt_pk_f16_f32 v6, v0, v2\n v_cvt_f32_u32 v7, v1\n"
                                "v_fma_mixlo_f16 v8, v0, 1.0, 0"),
              "");
    for (int lane = 0; lane < 64; ++lane) {
      const float value = std::bit_cast<float>(wave.v(0, lane));
      const auto units = static_cast<Exact>(std::ldexp(static_cast<double>(value), 48));
      const uint16_t expected = rounded(units, direction, std::signbit(value));
      ASSERT_EQ(wave.v(3, lane), expected) << value;
      ASSERT_EQ(wave.v(6, lane), expected | 0x3e000000U) << value;
      if (value != 0) ASSERT_EQ(wave.v(8, lane) & 0xffffU, expected) << value;
      const auto integer = static_cast<uint16_t>(wave.v(1, lane));
      ASSERT_EQ(wave.v(4, lane), rounded(Exact{integer} << 48, direction, false)) << integer;
      const auto number = static_cast<int16_t>(integer);
      ASSERT_EQ(wave.v(5, lane), rounded(Exact{number} * (Exact{1} << 48), direction, false)) << number;
      // u32 to f32: 24 bits are kept.
      const uint32_t whole = wave.v(1, lane);
      const auto result = static_cast<double>(std::bit_cast<float>(wave.v(7, lane)));
      const auto step =
          static_cast<double>(uint64_t{1} << (whole == 0 ? 0 : std::max(0, 8 - std::countl_zero(whole))));
      const double off = result - whole;
      if (direction == up) ASSERT_TRUE(off >= 0 && off < step) << whole;
      if (direction == down || direction == zero) ASSERT_TRUE(off <= 0 && -off < step) << whole;
      if (direction == nearest) ASSERT_LE(2 * std::fabs(off), step) << whole;
    }
  }
}

}  // namespace
}  // namespace mxproof::emulator
