// Values that cross lanes.
#include <gtest/gtest.h>

#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

void fill(TestWave& wave) {
  for (int lane = 0; lane < 64; ++lane) {
    wave.v(0, lane) = 100U + lane;
    wave.v(1, lane) = 200U + lane;
  }
}

TEST(Lane, ReadAndWriteOneLane) {
  TestWave wave;
  fill(wave);
  wave.s(4) = 63;
  wave.s(5) = 77;
  wave->set_exec(0xff00);
  ASSERT_EQ(wave.run("v_readfirstlane_b32 s0, v0\n v_readlane_b32 s1, v0, 3\n v_readlane_b32 s2, v0, s4\n "
                     "s_mov_b32 m0, s4\n v_writelane_b32 v1, s5, m0\n v_writelane_b32 v1, 9, 2"),
            "");
  EXPECT_EQ(wave.s(0), 108U);
  EXPECT_EQ(wave.s(1), 103U);
  EXPECT_EQ(wave.s(2), 163U);
  EXPECT_EQ(wave.v(1, 63), 77U);
  EXPECT_EQ(wave.v(1, 2), 9U);
  EXPECT_EQ(wave.v(1, 3), 203U);
}

TEST(Lane, FirstLaneOfNoneIsLaneZero) {
  TestWave wave;
  fill(wave);
  wave->set_exec(0);
  ASSERT_EQ(wave.run("v_readfirstlane_b32 s0, v0"), "");
  EXPECT_EQ(wave.s(0), 100U);
}

TEST(Lane, Permlane16SwapExchangesRows) {
  TestWave wave;
  fill(wave);
  ASSERT_EQ(wave.run("v_permlane16_swap_b32 v0, v1"), "");
  for (int lane = 0; lane < 64; ++lane) {
    const bool odd_row = lane / 16 % 2 == 1;
    EXPECT_EQ(wave.v(0, lane), odd_row ? 200U + lane - 16 : 100U + lane) << lane;
    EXPECT_EQ(wave.v(1, lane), odd_row ? 200U + lane : 100U + lane + 16) << lane;
  }
}

TEST(Lane, Permlane32SwapExchangesHalves) {
  TestWave wave;
  fill(wave);
  ASSERT_EQ(wave.run("v_permlane32_swap_b32 v0, v1"), "");
  for (int lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(wave.v(0, lane), lane >= 32 ? 200U + lane - 32 : 100U + lane) << lane;
    EXPECT_EQ(wave.v(1, lane), lane >= 32 ? 200U + lane : 100U + lane + 32) << lane;
  }
}

TEST(Lane, CountsMaskBitsBelow) {
  TestWave wave;
  wave.s(0) = 0xf0f0f0f1;
  wave.s(1) = 0x80000001;
  for (int lane = 0; lane < 64; ++lane) wave.v(2, lane) = 5;
  ASSERT_EQ(wave.run("v_mbcnt_lo_u32_b32 v0, s0, v2\n v_mbcnt_hi_u32_b32 v0, s1, v0"), "");
  const uint64_t mask = 0x80000001f0f0f0f1;
  for (int lane = 0; lane < 64; ++lane) {
    int below = 0;
    for (int bit = 0; bit < lane; ++bit) below += static_cast<int>(mask >> bit & 1);
    EXPECT_EQ(wave.v(0, lane), 5U + below) << lane;
  }
}

TEST(Lane, PermutationsThroughLdsHardware) {
  TestWave wave;
  fill(wave);
  for (int lane = 0; lane < 64; ++lane) wave.v(2, lane) = static_cast<uint32_t>((lane * 5 + 3) % 64 * 4);
  wave->set_exec(~uint64_t{0} & ~(uint64_t{1} << 10));
  ASSERT_EQ(wave.run("ds_bpermute_b32 v3, v2, v0\n ds_permute_b32 v4, v2, v0\n ds_swizzle_b32 v5, v0 "
                     "offset:swizzle(SWAP,8)"
                     "\n ds_swizzle_b32 v6, v0 offset:swizzle(QUAD_PERM, 2, 3, 0, 1)\n s_waitcnt lgkmcnt(0)"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    if (lane == 10) continue;
    const int pulled = (lane * 5 + 3) % 64;
    EXPECT_EQ(wave.v(3, lane), pulled == 10 ? 0 : 100U + pulled) << lane;
    int sender = -1;
    for (int from = 0; from < 64; ++from) {
      if (from != 10 && (from * 5 + 3) % 64 == lane) sender = from;
    }
    EXPECT_EQ(wave.v(4, lane), sender < 0 ? 0 : 100U + sender) << lane;
    EXPECT_EQ(wave.v(5, lane), (lane ^ 8) == 10 ? 0 : 100U + (lane ^ 8)) << lane;
    EXPECT_EQ(wave.v(6, lane), (lane ^ 2) == 10 ? 0 : 100U + (lane ^ 2)) << lane;
  }
}

TEST(Lane, AccumulationRegistersAreApart) {
  TestWave wave;
  fill(wave);
  ASSERT_EQ(wave.run("v_accvgpr_write_b32 a0, v1\n v_accvgpr_mov_b32 a7, a0\n v_accvgpr_read_b32 v9, a7"),
            "");
  EXPECT_EQ(wave.v(0, 3), 103U);
  EXPECT_EQ(wave.a(0, 3), 203U);
  EXPECT_EQ(wave.v(9, 3), 203U);
}

}  // namespace
}  // namespace mxproof::emulator
