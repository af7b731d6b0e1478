// Instructions that compilers hardly ever emit, each against arithmetic written out here.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

uint32_t difference(uint64_t window, uint32_t reference, bool masked) {
  uint32_t sum = 0;
  for (int i = 0; i < 4; ++i) {
    const int a = static_cast<int>((window >> (8 * i)) & 255);
    const int b = static_cast<int>((reference >> (8 * i)) & 255);
    if (masked && b == 0) continue;
    sum += static_cast<uint32_t>(a > b ? a - b : b - a);
  }
  return sum;
}

TEST(Rare, SlidingDifferencesOfBytes) {
  std::mt19937_64 random(5);
  TestWave wave;
  std::array<std::array<uint32_t, 64>, 4> base{};
  for (int lane = 0; lane < 64; ++lane) {
    wave.set_v64(0, lane, random());
    wave.v(2, lane) = static_cast<uint32_t>(random()) & (lane % 3 == 0 ? 0x00ff00ffU : ~0U);
    for (int i = 0; i < 4; ++i)
      base[static_cast<size_t>(i)][static_cast<size_t>(lane)] = wave.v(4 + i, lane) =
          static_cast<uint32_t>(random());
  }
  wave->set_exec(~uint64_t{2});
  ASSERT_EQ(
      wave.run(
          "v_qsad_pk_u16_u8 v[8:9], v[0:1], v2, v[4:5]\n v_mqsad_pk_u16_u8 v[10:11], v[0:1], v2, v[4:5]\n"
          "v_mqsad_u32_u8 v[12:15], v[0:1], v2, v[4:7]"),
      "");
  for (int lane = 0; lane < 64; ++lane) {
    if (lane == 1) {
      for (int reg = 8; reg < 16; ++reg) EXPECT_EQ(wave.v(reg, lane), 0U);
      continue;
    }
    for (int i = 0; i < 4; ++i) {
      const uint64_t window = wave.v64(0, lane) >> (8 * i);
      const uint32_t reference = wave.v(2, lane);
      const auto part = static_cast<uint16_t>(wave.v64(4, lane) >> (16 * i));
      EXPECT_EQ(static_cast<uint16_t>(wave.v64(8, lane) >> (16 * i)),
                static_cast<uint16_t>(difference(window, reference, false) + part));
      EXPECT_EQ(static_cast<uint16_t>(wave.v64(10, lane) >> (16 * i)),
                static_cast<uint16_t>(difference(window, reference, true) + part));
      EXPECT_EQ(wave.v(12 + i, lane), difference(window, reference, true) +
                                          base[static_cast<size_t>(i)][static_cast<size_t>(lane)]);
    }
  }
}

/// A fixed-point number below 8: word 0 is the whole part, 43 words of fraction follow.
using Digits = std::array<uint32_t, 44>;
Digits divided(Digits x, uint32_t by) {
  uint64_t rest = 0;
  for (uint32_t& word : x) {
    const uint64_t value = rest << 32 | word;
    word = static_cast<uint32_t>(value / by);
    rest = value % by;
  }
  return x;
}
void add(Digits& x, const Digits& y, bool minus) {
  int64_t carry = 0;
  for (size_t i = x.size(); i-- > 0;) {
    const int64_t value = int64_t{x[i]} + (minus ? -int64_t{y[i]} : int64_t{y[i]}) + carry;
    x[i] = static_cast<uint32_t>(value);
    carry = value >> 32;
  }
}
Digits arc_tangent_of_inverse(uint32_t n, uint32_t factor) {
  Digits power{};
  power[0] = factor;
  power = divided(power, n);
  Digits sum = power;
  for (uint32_t k = 3; power != Digits{}; k += 2) {
    power = divided(divided(power, n), n);
    add(sum, divided(power, k), k % 4 == 3);
  }
  return sum;
}
/// Bits of 2 / pi after the point by long division; pi by Machin's formula, 16 atan(1/5) - 4 atan(1/239).
std::vector<int> two_over_pi(int count) {
  Digits pi = arc_tangent_of_inverse(5, 16);
  add(pi, arc_tangent_of_inverse(239, 4), true);
  Digits rest{};
  rest[0] = 2;
  std::vector<int> bits;
  for (int i = 0; i < count; ++i) {
    add(rest, rest, false);
    const bool fits = rest >= pi;
    if (fits) add(rest, pi, true);
    bits.push_back(fits ? 1 : 0);
  }
  return bits;
}

TEST(Rare, TrigPreopGivesDigitsOfTwoOverPi) {
  const std::vector<int> bits = two_over_pi(1201);
  ASSERT_EQ(bits[0], 1);  // 2 / pi = 0.6366...
  for (const int exponent : {1023, 1077, 1078, 1300, 1967, 1968, 2046}) {
    TestWave wave;
    for (int lane = 0; lane < 64; ++lane) {
      wave.set_v64(0, lane, uint64_t{static_cast<uint32_t>(exponent)} << 52 | 12345);
      wave.v(2, lane) = static_cast<uint32_t>(lane);
    }
    ASSERT_EQ(wave.run("v_trig_preop_f64 v[4:5], v[0:1], v2"), "");
    for (int lane = 0; lane < 64; ++lane) {
      const int first = lane % 32 * 53 + std::max(0, exponent - 1077);
      double expected = 0;
      for (int i = first; i < first + 53; ++i) {
        if (i < 1201 && bits[static_cast<size_t>(i)] != 0) expected += std::ldexp(1.0, first + 52 - i);
      }
      expected = std::ldexp(expected, -53 - first + (exponent >= 1968 ? 128 : 0));
      ASSERT_EQ(std::bit_cast<double>(wave.v64(4, lane)), expected) << exponent << " segment " << lane % 32;
    }
  }
}

TEST(Rare, PacksAByteIntoItsDestination) {
  TestWave wave;
  const float values[4] = {300.0F, -3.0F, 2.5F, 77.4F};
  for (int lane = 0; lane < 64; ++lane) {
    wave.v(0, lane) = std::bit_cast<uint32_t>(values[lane % 4]);
    wave.v(1, lane) = static_cast<uint32_t>(lane);
    wave.v(2, lane) = 0x11223344;
  }
  ASSERT_EQ(wave.run("v_cvt_pkaccum_u8_f32 v2, v0, v1"), "");
  EXPECT_EQ(wave.v(2, 0), 0x112233ffU);
  EXPECT_EQ(wave.v(2, 1), 0x11220044U);
  EXPECT_EQ(wave.v(2, 2), 0x11023344U);
  EXPECT_EQ(wave.v(2, 3), 0x4d223344U);
}

uint32_t lds_word(TestWave& wave, size_t at) {
  uint32_t value;
  std::memcpy(&value, wave.lds().data() + at, sizeof value);
  return value;
}
void set_lds_word(TestWave& wave, size_t at, uint32_t value) {
  std::memcpy(wave.lds().data() + at, &value, sizeof value);
}

TEST(Rare, LdsExchangesAtTwoAddresses) {
  TestWave wave;
  for (uint32_t word = 0; word < 8192; ++word) set_lds_word(wave, 4 * word, word);
  for (int lane = 0; lane < 64; ++lane) {
    wave.v(0, lane) = 8U * static_cast<uint32_t>(lane);
    wave.v(1, lane) = 0x1000U + static_cast<uint32_t>(lane);
    wave.v(2, lane) = 0x2000U + static_cast<uint32_t>(lane);
    wave.v(3, lane) = 0x3000U + static_cast<uint32_t>(lane);
  }
  ASSERT_EQ(
      wave.run(
          "ds_wrxchg2_rtn_b32 v[4:5], v0, v1, v2 offset1:128\n"
          "ds_wrxchg2st64_rtn_b64 v[6:9], v0, v[2:3], v[2:3] offset0:4 offset1:8\n s_waitcnt lgkmcnt(0)"),
      "");
  for (uint32_t lane = 0; lane < 64; ++lane) {
    const int l = static_cast<int>(lane);
    EXPECT_EQ(wave.v(4, l), 2 * lane);
    EXPECT_EQ(wave.v(5, l), 2 * lane + 128);
    EXPECT_EQ(lds_word(wave, 8 * lane), 0x1000U + lane);
    EXPECT_EQ(lds_word(wave, 8 * lane + 512), 0x2000U + lane);
    EXPECT_EQ(wave.v64(6, l), (2 * lane + 512) | uint64_t{2 * lane + 513} << 32);
    EXPECT_EQ(wave.v64(8, l), (2 * lane + 1024) | uint64_t{2 * lane + 1025} << 32);
    EXPECT_EQ(lds_word(wave, 8 * lane + 2048), 0x2000U + lane);
    EXPECT_EQ(lds_word(wave, 8 * lane + 4100), 0x3000U + lane);
  }
}

TEST(Rare, LdsWrapAndConditionalExchange) {
  TestWave wave;
  for (int lane = 0; lane < 64; ++lane) {
    const auto at = static_cast<uint32_t>(lane) * 8;
    set_lds_word(wave, at, 100U + static_cast<uint32_t>(lane));
    set_lds_word(wave, at + 4, 7);
    wave.v(0, lane) = at;
    wave.v(1, lane) = 120;
    wave.v(2, lane) = 1000;
    wave.v(4, lane) = lane % 2 == 0 ? 0x80000055U : 0x55U;
    wave.v(5, lane) = lane % 3 == 0 ? 0x80000066U : 0x66U;
  }
  ASSERT_EQ(wave.run("ds_wrap_rtn_b32 v8, v0, v1, v2\n s_waitcnt lgkmcnt(0)"), "");
  for (int lane = 0; lane < 64; ++lane) {
    const uint32_t old = 100U + static_cast<uint32_t>(lane);
    EXPECT_EQ(wave.v(8, lane), old);
    EXPECT_EQ(lds_word(wave, static_cast<size_t>(lane) * 8), old >= 120 ? old - 120 : old + 1000);
  }
  ASSERT_EQ(wave.run("ds_condxchg32_rtn_b64 v[10:11], v0, v[4:5]\n s_waitcnt lgkmcnt(0)"), "");
  for (int lane = 0; lane < 64; ++lane) {
    const uint32_t old = 100U + static_cast<uint32_t>(lane);
    const uint32_t wrapped = old >= 120 ? old - 120 : old + 1000;
    const auto at = static_cast<size_t>(lane) * 8;
    EXPECT_EQ(wave.v64(10, lane), wrapped | uint64_t{7} << 32);
    EXPECT_EQ(lds_word(wave, at), lane % 2 == 0 ? 0x55U : wrapped);
    EXPECT_EQ(lds_word(wave, at + 4), lane % 3 == 0 ? 0x66U : 7U);
  }
}

TEST(Rare, LdsAddressedByLane) {
  TestWave wave;
  for (int lane = 0; lane < 64; ++lane) wave.v(0, lane) = 500U + static_cast<uint32_t>(lane);
  ASSERT_EQ(wave.run("s_mov_b32 m0, 0x100\n ds_write_addtid_b32 v0 offset:64\n s_waitcnt lgkmcnt(0)\n"
                     "s_mov_b32 m0, 0x104\n ds_read_addtid_b32 v1 offset:64\n s_waitcnt lgkmcnt(0)"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(lds_word(wave, 0x140 + 4 * static_cast<size_t>(lane)), 500U + static_cast<uint32_t>(lane));
    EXPECT_EQ(wave.v(1, lane), lane == 63 ? 0U : 501U + static_cast<uint32_t>(lane));
  }
  EXPECT_NE(wave.run("s_mov_b32 m0, 0xffff\n ds_read_addtid_b32 v1 offset:64"), "") << "past the end of LDS";
}

TEST(Rare, ScalarStores) {
  TestWave wave;
  alignas(16) std::array<uint32_t, 8> memory;
  memory.fill(9);
  wave.allow(memory.data(), sizeof memory);
  wave.set_s64(0, reinterpret_cast<uint64_t>(memory.data()));
  for (int i = 0; i < 4; ++i) wave.s(8 + i) = 100U + static_cast<uint32_t>(i);
  wave.s(4) = 4;
  // A descriptor of 24 bytes: the last of two dwords is out of range.
  wave.set_s64(16, reinterpret_cast<uint64_t>(memory.data()));
  wave.s(18) = 24;
  ASSERT_EQ(wave.run("s_store_dword s8, s[0:1], 0x0\n s_store_dwordx2 s[8:9], s[0:1], s4\n"
                     "s_buffer_store_dwordx2 s[10:11], s[16:19], 0x14\n s_dcache_wb\n s_waitcnt lgkmcnt(0)"),
            "");
  EXPECT_EQ(memory, (std::array<uint32_t, 8>{100, 100, 101, 9, 9, 102, 9, 9}));
  EXPECT_NE(wave.run("s_store_dwordx4 s[8:11], s[0:1], 0x14"), "") << "past the end of the allocation";
}

float brain_value(uint32_t code) {
  return std::bit_cast<float>(code << 16);
}

/// C, then one product and the other, each sum rounded to f32. Products of bf16 may pass f32's range in
/// between.
TEST(Rare, Bf16DotsRoundAfterEachProduct) {
  using Wide = __float128;
  const auto plus = [](float c, float a, float b) { return static_cast<float>(Wide{c} + Wide{a} * Wide{b}); };
  std::mt19937_64 random(9);
  TestWave wave;
  for (int lane = 0; lane < 64; ++lane) {
    for (int reg = 0; reg < 2; ++reg) {
      // Finite, of all magnitudes in odd lanes and near 1 in even ones.
      const auto code = [&] {
        const auto bits = static_cast<uint32_t>(random() & 0xffff);
        return lane % 2 == 0 ? (bits & 0x80ff) | 0x3f00 : (bits & 0x7f80) == 0x7f80 ? bits & ~0x4000U : bits;
      };
      wave.v(reg, lane) = code() | code() << 16;
    }
    wave.v(2, lane) = std::bit_cast<uint32_t>(lane % 2 == 0 ? 1.0F / static_cast<float>(lane + 3) : -3.0e38F);
  }
  wave.v(0, 1) = 0x5bf271c1;
  wave.v(1, 1) = 0x6aa0dad8;
  wave.v(2, 1) = 0xed925cbf;
  ASSERT_EQ(wave.run("v_dot2_f32_bf16 v4, v0, v1, v2"), "");
  for (int lane = 0; lane < 64; ++lane) {
    const auto half = [&](int reg, bool high) {
      return brain_value(high ? wave.v(reg, lane) >> 16 : wave.v(reg, lane) & 0xffff);
    };
    const float first = plus(std::bit_cast<float>(wave.v(2, lane)), half(0, false), half(1, false));
    const float expected = plus(first, half(0, true), half(1, true));
    if (std::isnan(expected)) continue;  // Inf - Inf: which NaN is another matter
    EXPECT_EQ(wave.v(4, lane), std::bit_cast<uint32_t>(expected)) << lane;
  }
}

}  // namespace
}  // namespace mxproof::emulator
