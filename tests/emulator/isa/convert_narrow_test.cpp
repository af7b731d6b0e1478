// Conversions to and from FP8, BF8, FP6, BF6 and FP4 against a search through all codes.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "tests/emulator/support/operands.hpp"
#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

/// A format by its value function alone: sign, `e` exponent bits, `f` fraction bits.
struct Format {
  int e;
  int f;
  int bias;
  uint32_t largest;  ///< Code of the largest number.
  double value(uint32_t code) const {
    const uint32_t magnitude = code & ((1U << (e + f)) - 1);
    const int exponent = static_cast<int>(magnitude >> f);
    const double fraction = (magnitude & ((1U << f) - 1)) / std::ldexp(1.0, f);
    const double value =
        exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
    return (code >> (e + f) & 1) != 0 ? -value : value;
  }
  /// The nearest code, of two the even one, saturated.
  uint32_t nearest(double x) const {
    uint32_t best = 0;
    const double clamped = std::min(std::fabs(x), value(largest));
    for (uint32_t code = 1; code <= largest; ++code) {
      const double distance = std::fabs(value(code) - clamped);
      const double best_distance = std::fabs(value(best) - clamped);
      if (distance < best_distance || (distance == best_distance && code % 2 == 0)) best = code;
    }
    return best | (std::signbit(x) ? 1U << (e + f) : 0U);
  }
};
const Format kFp8 = {4, 3, 7, 0x7e};
const Format kBf8 = {5, 2, 15, 0x7b};
const Format kFp6 = {2, 3, 1, 0x1f};
const Format kBf6 = {3, 2, 3, 0x1f};
const Format kFp4 = {2, 1, 1, 0x7};

float f32(uint32_t bits) {
  return std::bit_cast<float>(bits);
}
uint32_t bits(double value) {
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

TEST(Narrow, EveryCodeWidens) {
  TestWave wave;
  for (int first = 0; first < 256; first += 64) {
    for (int lane = 0; lane < 64; ++lane) wave.v(0, lane) = static_cast<uint32_t>(first + lane) << 16 | 0x38;
    ASSERT_EQ(wave.run("v_cvt_f32_fp8_sdwa v1, v0 src0_sel:BYTE_2\n v_cvt_f32_bf8_sdwa v2, v0 "
                       "src0_sel:BYTE_2\n v_cvt_f32_fp8 v3, v0"
                       "\n v_cvt_pk_f32_fp8_sdwa v[4:5], v0 src0_sel:WORD_1\n v_cvt_scalef32_f32_fp8 v6, v0, "
                       "4.0 op_sel:[0,1,0]\n v_cvt_scalef32_pk_f32_bf8 v[8:9], v0, 0.5 op_sel:[1,0,0]"),
              "");
    for (int lane = 0; lane < 64; ++lane) {
      const uint32_t code = first + lane;
      if ((code & 0x7f) == 0x7f) {
        EXPECT_TRUE(std::isnan(f32(wave.v(1, lane))));
      } else {
        EXPECT_EQ(f32(wave.v(1, lane)), kFp8.value(code)) << code;
        EXPECT_EQ(f32(wave.v(4, lane)), kFp8.value(code)) << code;
        EXPECT_EQ(f32(wave.v(6, lane)), 4 * kFp8.value(code)) << code;
      }
      if ((code & 0x7f) < 0x7c) {
        EXPECT_EQ(f32(wave.v(2, lane)), kBf8.value(code)) << code;
        EXPECT_EQ(f32(wave.v(8, lane)), kBf8.value(code) / 2) << code;
      } else {
        EXPECT_EQ(std::isinf(f32(wave.v(2, lane))), (code & 0x7f) == 0x7c) << code;
      }
      EXPECT_EQ(f32(wave.v(3, lane)), 1.0F);
    }
  }
}

TEST(Narrow, ScaledPacksRoundToTheNearestCode) {
  const struct {
    const char* name;
    Format format;
  } cases[] = {{"fp8", kFp8}, {"bf8", kBf8}};
  Operands operands(6);
  TestWave wave;
  for (const auto& c : cases) {
    for (int round = 0; round < 20; ++round) {
      for (int lane = 0; lane < 64; ++lane) {
        for (int reg = 0; reg < 2; ++reg) {
          // Midpoints, their neighbours, and anything.
          const uint32_t code = static_cast<uint32_t>(operands.next()) % c.format.largest;
          const float midpoint =
              static_cast<float>((c.format.value(code) + c.format.value(code + 1)) / 2 * 8);
          const float values[4] = {midpoint, std::nextafter(midpoint, 0.0F),
                                   std::nextafter(-midpoint, -1e30F),
                                   f32(static_cast<uint32_t>(operands.next()) & 0xff7fffff)};
          wave.v(reg, lane) = std::bit_cast<uint32_t>(values[(lane + round) % 4]);
        }
        wave.v(4, lane) = 0x11223344;
      }
      ASSERT_EQ(wave.run(std::string("s_mov_b32 s0, 0x41000000\n v_cvt_scalef32_pk_") + c.name +
                         "_f32 v4, v0, v1, s0 op_sel:[0,0,0,1]"),
                "");
      for (int lane = 0; lane < 64; ++lane) {
        const uint32_t low = c.format.nearest(f32(wave.v(0, lane)) / 8.0);
        const uint32_t high = c.format.nearest(f32(wave.v(1, lane)) / 8.0);
        ASSERT_EQ(wave.v(4, lane), 0x3344U | (low | high << 8) << 16)
            << c.name << " " << std::hexfloat << f32(wave.v(0, lane)) << ", " << f32(wave.v(1, lane));
      }
    }
  }
}

TEST(Narrow, PlainPacksOverflowAsModeSays) {
  TestWave wave;
  wave.v(0, 0) = bits(1e6);
  wave.v(1, 0) = bits(-1.0);
  ASSERT_EQ(
      wave.run(
          "v_cvt_pk_fp8_f32 v2, v0, v1\n v_cvt_pk_bf8_f32 v3, v0, v1 op_sel:[0,0,1]\n s_setreg_imm32_b32 "
          "hwreg(HW_REG_MODE, 23, 1), 1\n v_cvt_pk_fp8_f32 v4, v0, v1\n v_cvt_pk_bf8_f32 v5, v0, v1"),
      "");
  EXPECT_EQ(wave.v(2, 0), 0xb87fU);
  EXPECT_EQ(wave.v(3, 0), 0xbc7c0000U);
  EXPECT_EQ(wave.v(4, 0), 0xb87eU);
  EXPECT_EQ(wave.v(5, 0), 0xbc7bU);
}

TEST(Narrow, SixBitFormatsThereAndBack) {
  for (const bool brain : {false, true}) {
    const Format format = brain ? kBf6 : kFp6;
    const std::string name = brain ? "bf6" : "fp6";
    TestWave wave;
    std::vector<std::array<uint32_t, 32>> codes(64);
    Operands operands(7);
    for (int lane = 0; lane < 64; ++lane) {
      for (int e = 0; e < 32; ++e) {
        codes[lane][e] = static_cast<uint32_t>(operands.next() % 64);
        const int at = 6 * e;
        const uint64_t placed = static_cast<uint64_t>(codes[lane][e]) << (at % 32);
        wave.v(at / 32, lane) |= static_cast<uint32_t>(placed);
        wave.v(at / 32 + 1, lane) |= static_cast<uint32_t>(placed >> 32);
      }
    }
    ASSERT_EQ(wave.run("v_cvt_scalef32_pk32_f32_" + name +
                       " v[32:63], v[0:5], 2.0\n v_cvt_scalef32_pk32_f16_" + name +
                       " v[64:79], v[0:5], 1.0"
                       "\n v_cvt_scalef32_2xpk16_" +
                       name + "_f32 v[80:85], v[32:47], v[48:63], 2.0\n v_cvt_scalef32_pk32_" + name +
                       "_f16 v[90:95], v[64:79], 1.0"),
              "");
    for (int lane = 0; lane < 64; ++lane) {
      for (int e = 0; e < 32; ++e) EXPECT_EQ(f32(wave.v(32 + e, lane)), 2 * format.value(codes[lane][e]));
      for (int i = 0; i < 32; ++i) {
        // Codes 2 i and 2 i + 1 are the i-th of either source.
        const int at = 6 * i;
        const uint64_t pair = wave.v(80 + at / 32, lane) | uint64_t{wave.v(81 + at / 32, lane)} << 32;
        EXPECT_EQ((pair >> (at % 32)) & 63U, codes[lane][i % 2 * 16 + i / 2]) << name << i;
      }
      for (int reg = 0; reg < 6; ++reg) {
        EXPECT_EQ(wave.v(90 + reg, lane), wave.v(reg, lane)) << name;
      }
    }
  }
}

/// With seeds spread evenly, the mean of the results is the value.
TEST(Narrow, StochasticRoundingIsUnbiased) {
  TestWave wave;
  for (int lane = 0; lane < 64; ++lane) {
    wave.v(0, lane) = bits(1.03125);  // a quarter of the step from 1 to 1.125
    wave.v(2, lane) = bits(1.03125);
    wave.v(3, lane) = bits(-5.5);  // three quarters from -4 to -6
    wave.v(1, lane) = static_cast<uint32_t>(lane) << 26;
  }
  ASSERT_EQ(wave.run("v_cvt_sr_fp8_f32 v4, v0, v1 op_sel:[0,0,1,0]\n v_cvt_scalef32_sr_pk_fp4_f32 v5, "
                     "v[2:3], v1, 1.0 op_sel:[0,0,0,1]\n v_cvt_sr_bf16_f32 v6, v0, v1"),
            "");
  double sum8 = 0;
  double sum4 = 0;
  for (int lane = 0; lane < 64; ++lane) {
    sum8 += kFp8.value(wave.v(4, lane) >> 8 & 0xff);
    sum4 += kFp4.value(wave.v(5, lane) >> 20 & 0xf);
    EXPECT_EQ(wave.v(6, lane), bits(1.03125) >> 16);
  }
  EXPECT_EQ(sum8 / 64, 1.03125);
  EXPECT_EQ(sum4 / 64, -5.5);
}

TEST(Transpose, LdsReadsGiveColumns) {
  TestWave wave;
  for (size_t i = 0; i < 4096; ++i) wave.lds()[i] = static_cast<std::byte>(i * 37 + i / 256);
  for (int lane = 0; lane < 64; ++lane) {
    wave.v(0, lane) = static_cast<uint32_t>(lane * 8);
    wave.v(1, lane) = static_cast<uint32_t>(lane * 12);
  }
  ASSERT_EQ(
      wave.run("ds_read_b64_tr_b16 v[10:11], v0\n ds_read_b64_tr_b8 v[12:13], v0 offset:512\n "
               "ds_read_b64_tr_b4 v[14:15], v0\n ds_read_b96_tr_b6 v[16:18], v1\n s_waitcnt lgkmcnt(0)"),
      "");
  const auto lds_bits = [&](size_t bit, int count) {
    uint32_t value = 0;
    for (int i = 0; i < count; ++i)
      value |= (static_cast<uint32_t>(wave.lds()[(bit + i) / 8]) >> ((bit + i) % 8) & 1) << i;
    return value;
  };
  const auto result_bits = [&](int reg, int lane, int bit, int count) {
    uint32_t value = 0;
    for (int i = 0; i < count; ++i)
      value |= (wave.v(reg + (bit + i) / 32, lane) >> ((bit + i) % 32) & 1) << i;
    return value;
  };
  const struct {
    int reg;
    int element;
    int bytes;
    size_t start;
  } reads[] = {{10, 16, 8, 0}, {12, 8, 8, 512}, {14, 4, 8, 0}, {16, 6, 12, 0}};
  for (const auto& read : reads) {
    const int rows = read.bytes * 8 / read.element;
    for (int lane = 0; lane < 64; ++lane) {
      const size_t block = (read.start + static_cast<size_t>(lane / 16 * 16 * read.bytes)) * 8;
      for (int row = 0; row < rows; ++row) {
        const size_t at = block + static_cast<size_t>((row * 16 + lane % 16) * read.element);
        ASSERT_EQ(result_bits(read.reg, lane, row * read.element, read.element), lds_bits(at, read.element))
            << read.element << " bits, lane " << lane << " row " << row;
      }
    }
  }
}

}  // namespace
}  // namespace mxproof::emulator
