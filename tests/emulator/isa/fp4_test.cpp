// FP4 conversions against a search for the nearest code.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "common/format/e2m1.hpp"
#include "tests/emulator/support/operands.hpp"
#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

/// The code whose value is nearest; of two the even one; sign kept.
uint32_t nearest_code(long double value) {
  uint32_t best = 0;
  long double best_distance = INFINITY;
  for (uint32_t code = 0; code < 8; ++code) {
    const long double magnitude = std::min(std::fabs(value), 8.0L);  // everything from 5 up is 6
    const long double distance = std::fabs(magnitude - static_cast<long double>(kE2m1Values[code]));
    if (distance < best_distance || (distance == best_distance && code % 2 == 0)) {
      best = code;
      best_distance = distance;
    }
  }
  return best | (std::signbit(value) ? 8U : 0U);
}

float scale_value(uint32_t exponent_field) {
  return std::ldexp(1.0F, static_cast<int>(exponent_field) - 127);
}

TEST(Fp4, FromF32RoundsOnceToTheEvenCode) {
  TestWave wave;
  Operands operands(5);
  for (uint32_t field = 0; field < 255; ++field) {
    for (int lane = 0; lane < 64; ++lane) {
      // Near every midpoint and code, one float step to both sides, times the scale; then anything finite.
      const float grid = static_cast<float>(lane % 29) * 0.25F * scale_value(field);
      const float stepped = lane % 3 == 0 ? grid : std::nextafter(grid, lane % 3 == 1 ? INFINITY : 0.0F);
      const auto any = static_cast<uint32_t>(operands.next()) & 0xff7fffffU;
      wave.v(1, lane) = std::bit_cast<uint32_t>(stepped);
      wave.v(2, lane) = lane < 32 ? std::bit_cast<uint32_t>(-stepped) : any;
      wave.v(3, lane) = (field << 23) | (lane % 2 != 0 ? 0x80123456U : 0U);  // sign and fraction do not count
      wave.v(0, lane) = 0x11223344;
    }
    ASSERT_EQ(wave.run("v_cvt_scalef32_pk_fp4_f32 v0, v1, v2, v3 op_sel:[0,0,1,1]"), "");
    for (int lane = 0; lane < 64; ++lane) {
      const long double scale = std::ldexp(1.0L, static_cast<int>(field) - 127);
      const uint32_t low = nearest_code(std::bit_cast<float>(wave.v(1, lane)) / scale);
      const uint32_t high = nearest_code(std::bit_cast<float>(wave.v(2, lane)) / scale);
      ASSERT_EQ(wave.v(0, lane), 0x00223344U | (low | high << 4) << 24)
          << std::hexfloat << std::bit_cast<float>(wave.v(1, lane)) << ", "
          << std::bit_cast<float>(wave.v(2, lane)) << " scale field " << field;
    }
  }
}

TEST(Fp4, FromHalvesAndBrains) {
  TestWave wave;
  for (int lane = 0; lane < 64; ++lane) {
    const float value = static_cast<float>(lane) * 0.25F - 8.0F;
    const auto half = std::bit_cast<uint16_t>(static_cast<_Float16>(value));
    const auto brain = static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16);
    wave.v(1, lane) = half | 0xc4000000U;   // -4
    wave.v(2, lane) = brain | 0x40000000U;  // 2
    wave.v(3, lane) = std::bit_cast<uint32_t>(2.0F);
    wave.v(4, lane) = wave.v(5, lane) = 0xffffffff;
  }
  ASSERT_EQ(wave.run("v_cvt_scalef32_pk_fp4_f16 v4, v1, v3 op_sel:[0,0,0,0]\n v_cvt_scalef32_pk_fp4_bf16 v5, "
                     "v2, v3 op_sel:[0,0,1,0]"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    const float value = static_cast<float>(lane) * 0.25F - 8.0F;
    EXPECT_EQ(wave.v(4, lane), 0xffffff00U | nearest_code(value / 2) | 0xc0U) << value;
    EXPECT_EQ(wave.v(5, lane), 0xffff00ffU | (nearest_code(value / 2) | 0x20U) << 8) << value;
  }
}

TEST(Fp4, ToFloatsIsExact) {
  TestWave wave;
  for (int lane = 0; lane < 64; ++lane) {
    wave.v(1, lane) = static_cast<uint32_t>(lane * 4 + 1) << 16;
    wave.v(2, lane) = std::bit_cast<uint32_t>(std::ldexp(1.5F, lane - 32));
  }
  ASSERT_EQ(wave.run("v_cvt_scalef32_pk_f32_fp4 v[4:5], v1, v2 op_sel:[0,1,0]\n v_cvt_scalef32_pk_bf16_fp4 "
                     "v6, v1, v2 op_sel:[0,1,0]"
                     "\n v_cvt_scalef32_pk_f16_fp4 v7, v1, 1.0 op_sel:[0,1,0]"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    const int byte = lane * 4 + 1;
    const float low = std::ldexp(kE2m1Values[byte & 15], lane - 32);
    const float high = std::ldexp(kE2m1Values[byte >> 4], lane - 32);
    EXPECT_EQ(wave.v(4, lane), std::bit_cast<uint32_t>(low));
    EXPECT_EQ(wave.v(5, lane), std::bit_cast<uint32_t>(high));
    EXPECT_EQ(wave.v(6, lane),
              std::bit_cast<uint32_t>(low) >> 16 | (std::bit_cast<uint32_t>(high) & 0xffff0000U));
    EXPECT_EQ(wave.v(7, lane) & 0xffff,
              std::bit_cast<uint16_t>(static_cast<_Float16>(kE2m1Values[byte & 15])));
  }
}

}  // namespace
}  // namespace mxproof::emulator
