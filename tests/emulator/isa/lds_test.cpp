// LDS loads, stores and atomics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

using ::testing::HasSubstr;

uint32_t word_at(TestWave& wave, size_t offset) {
  uint32_t value = 0;
  std::memcpy(&value, &wave.lds()[offset], 4);
  return value;
}

/// LDS byte i = i * 7 + 1; v0 = a scattered address of 16-byte grain a lane.
void fill(TestWave& wave) {
  for (size_t i = 0; i < wave.lds().size(); ++i) wave.lds()[i] = static_cast<std::byte>(i * 7 + 1);
  for (int lane = 0; lane < 64; ++lane) wave.v(0, lane) = static_cast<uint32_t>((lane * 37 % 64) * 16);
}

TEST(Lds, LoadsOfEveryWidth) {
  TestWave wave;
  fill(wave);
  for (int lane = 0; lane < 64; ++lane) {
    for (int reg = 10; reg < 40; ++reg) wave.v(reg, lane) = 0x99887766;
  }
  ASSERT_EQ(wave.run("ds_read_u8 v10, v0 offset:3\n ds_read_i8 v11, v0 offset:3\n ds_read_u16 v12, v0 "
                     "offset:2\n ds_read_i16 v13, v0 offset:2"
                     "\n ds_read_u8_d16 v14, v0 offset:1\n ds_read_u8_d16_hi v15, v0 offset:1\n "
                     "ds_read_u16_d16_hi v16, v0\n ds_read_i8_d16 v17, v0 offset:3"
                     "\n ds_read_b32 v18, v0 offset:4\n ds_read_b64 v[20:21], v0 offset:8\n ds_read_b96 "
                     "v[22:24], v0\n ds_read_b128 v[26:29], v0 offset:1024"
                     "\n ds_read2_b32 v[30:31], v0 offset0:1 offset1:3\n ds_read2_b64 v[32:35], v0 offset0:1 "
                     "offset1:0\n ds_read2st64_b32 v[36:37], v0 offset0:1 offset1:2"
                     "\n s_waitcnt lgkmcnt(0)"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    const size_t at = wave.v(0, lane);
    const auto byte = [&](size_t i) { return static_cast<uint32_t>(wave.lds()[at + i]); };
    const auto word = [&](size_t i) { return word_at(wave, at + i); };
    EXPECT_EQ(wave.v(10, lane), byte(3));
    EXPECT_EQ(wave.v(11, lane), static_cast<uint32_t>(static_cast<int8_t>(byte(3))));
    EXPECT_EQ(wave.v(12, lane), word(0) >> 16);
    EXPECT_EQ(wave.v(13, lane), static_cast<uint32_t>(static_cast<int16_t>(word(0) >> 16)));
    EXPECT_EQ(wave.v(14, lane), 0x99880000U | byte(1));
    EXPECT_EQ(wave.v(15, lane), 0x7766U | byte(1) << 16);
    EXPECT_EQ(wave.v(16, lane), 0x7766U | word(0) << 16);
    EXPECT_EQ(wave.v(17, lane), 0x99880000U | (static_cast<uint32_t>(static_cast<int8_t>(byte(3))) & 0xffff));
    EXPECT_EQ(wave.v(18, lane), word(4));
    EXPECT_EQ(wave.v(21, lane), word(12));
    for (int k = 0; k < 3; ++k) EXPECT_EQ(wave.v(22 + k, lane), word(4 * k));
    for (int k = 0; k < 4; ++k) EXPECT_EQ(wave.v(26 + k, lane), word(1024 + 4 * k));
    EXPECT_EQ(wave.v(30, lane), word(4));
    EXPECT_EQ(wave.v(31, lane), word(12));
    EXPECT_EQ(wave.v(32, lane), word(8));
    EXPECT_EQ(wave.v(35, lane), word(4));
    EXPECT_EQ(wave.v(36, lane), word(256));
    EXPECT_EQ(wave.v(37, lane), word(512));
  }
}

TEST(Lds, StoresOfEveryWidthTouchNothingElse) {
  TestWave wave;
  for (int lane = 0; lane < 64; ++lane) {
    wave.v(0, lane) = static_cast<uint32_t>((63 - lane) * 64);
    for (int k = 0; k < 4; ++k) wave.v(4 + k, lane) = 0x10203040U * (k + 1) + lane;
  }
  std::fill(wave.lds().begin(), wave.lds().end(), std::byte{0xee});
  wave->set_exec(~uint64_t{0} << 1);
  ASSERT_EQ(wave.run("ds_write_b8 v0, v4\n ds_write_b8_d16_hi v0, v4 offset:1\n ds_write_b16 v0, v5 "
                     "offset:2\n ds_write_b16_d16_hi v0, v5 offset:4"
                     "\n ds_write_b32 v0, v4 offset:8\n ds_write_b64 v0, v[4:5] offset:12\n ds_write_b96 v0, "
                     "v[4:6] offset:20\n ds_write_b128 v0, v[4:7] offset:32"
                     "\n ds_write2_b32 v0, v6, v7 offset0:12 offset1:15"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    std::array<uint8_t, 64> expected;
    expected.fill(0xee);
    const auto put = [&](size_t at, uint32_t value, size_t bytes) {
      std::memcpy(&expected[at], &value, bytes);
    };
    if (lane != 0) {
      const auto v = [&](int reg) { return wave.v(reg, lane); };
      put(0, v(4), 1);
      put(1, v(4) >> 16, 1);
      put(2, v(5), 2);
      put(4, v(5) >> 16, 2);
      put(8, v(4), 4);
      put(12, v(4), 4);
      put(16, v(5), 4);
      for (int k = 0; k < 3; ++k) put(20 + 4 * k, v(4 + k), 4);
      for (int k = 0; k < 4; ++k) put(32 + 4 * k, v(4 + k), 4);
      put(48, v(6), 4);
      put(60, v(7), 4);
    }
    EXPECT_EQ(std::memcmp(&wave.lds()[(63 - lane) * 64], expected.data(), 64), 0) << lane;
  }
}

TEST(Lds, AtomicsApplyLaneByLane) {
  TestWave wave;
  for (int lane = 0; lane < 64; ++lane) {
    wave.v(0, lane) = static_cast<uint32_t>(lane % 4 * 4);
    wave.v(1, lane) = static_cast<uint32_t>(lane + 1);
    wave.v(2, lane) = 64;
    wave.v(3, lane) = static_cast<uint32_t>(lane);
    wave.v(5, lane) = lane == 20 ? 16U : 0U;
    wave.v(6, lane) = 1000U + lane;
  }
  std::fill(wave.lds().begin(), wave.lds().end(), std::byte{0});
  ASSERT_EQ(
      wave.run(
          "ds_add_u32 v0, v1\n ds_add_rtn_u32 v10, v2, v1\n ds_max_u32 v2, v3 offset:64\n ds_cmpst_rtn_b32 "
          "v11, v2, v5, v6 offset:128"
          "\n ds_inc_rtn_u32 v12, v2, v3 offset:192\n ds_add_f32 v2, v13 offset:256\n s_waitcnt lgkmcnt(0)"),
      "");
  for (int residue = 0; residue < 4; ++residue) {
    uint32_t sum = 0;
    for (int lane = residue; lane < 64; lane += 4) sum += lane + 1;
    EXPECT_EQ(word_at(wave, residue * 4), sum);
  }
  for (int lane = 0; lane < 64; ++lane)
    EXPECT_EQ(wave.v(10, lane), static_cast<uint32_t>(lane * (lane + 1) / 2)) << lane;
  EXPECT_EQ(word_at(wave, 64), 64U * 65 / 2);
  EXPECT_EQ(word_at(wave, 128), 63U);
  // Lane 0 finds 0 and stores 1000; nobody after it finds what it compares with.
  EXPECT_EQ(word_at(wave, 192), 1000U);
  EXPECT_EQ(wave.v(11, 0), 0U);
  EXPECT_EQ(wave.v(11, 20), 1000U);
  uint32_t counter = 0;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(wave.v(12, lane), counter) << lane;
    counter = counter >= lane ? 0 : counter + 1;
  }
}

TEST(Lds, OutOfRangeStopsTheWave) {
  TestWave wave;
  wave.v(0, 9) = 64 * 1024 - 4;
  EXPECT_EQ(wave.run("ds_read_b32 v1, v0"), "");
  EXPECT_THAT(wave.run("ds_read_b64 v[2:3], v0"),
              HasSubstr("lane 9 accesses 8 bytes at LDS offset 65532, but there are 65536 bytes"));
  EXPECT_THAT(wave.run("ds_write_b32 v0, v1 offset:4"), HasSubstr("lane 9 accesses 4 bytes"));
  wave->set_exec(0xff);
  EXPECT_EQ(wave.run("ds_write_b32 v0, v1 offset:4"), "");
}

TEST(Lds, AddressesWrapAt32Bits) {
  TestWave wave;
  fill(wave);
  for (int lane = 0; lane < 64; ++lane) wave.v(0, lane) = static_cast<uint32_t>(-4 * lane);
  ASSERT_EQ(wave.run("ds_read_b32 v1, v0 offset:252\n s_waitcnt lgkmcnt(0)"), "");
  for (int lane = 0; lane < 64; ++lane) EXPECT_EQ(wave.v(1, lane), word_at(wave, 252 - 4 * lane));
}

}  // namespace
}  // namespace mxproof::emulator
