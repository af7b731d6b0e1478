// Late completion: a value is there when a wait covers it, and not before.
#include <gtest/gtest.h>

#include <array>

#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

constexpr uint32_t kOld = 0x0badf00d;

/// Memory of 1024 words, word i = 5000 + i; v[0:1] = address of word `lane`; s[0:1] = address of word 0.
class Wait : public ::testing::Test {
 protected:
  Wait() {
    for (size_t i = 0; i < memory_.size(); ++i) memory_[i] = static_cast<uint32_t>(5000 + i);
    wave_.allow(memory_.data(), sizeof memory_);
    wave_.set_s64(0, reinterpret_cast<uint64_t>(memory_.data()));
    for (int lane = 0; lane < 64; ++lane) {
      wave_.set_v64(0, lane, reinterpret_cast<uint64_t>(&memory_[lane]));
      wave_.v(2, lane) = static_cast<uint32_t>(lane * 4);
      for (int reg = 10; reg < 40; ++reg) wave_.v(reg, lane) = kOld;
    }
    for (int reg = 10; reg < 30; ++reg) wave_.s(reg) = kOld;
  }
  std::array<uint32_t, 1024> memory_{};
  TestWave wave_;
};

TEST_F(Wait, LoadsArriveInOrderAsVmcntFalls) {
  ASSERT_EQ(wave_.run("global_load_dword v10, v[0:1], off\n global_load_dword v11, v[0:1], off offset:256\n "
                      "global_load_dword v12, v2, s[0:1] offset:512"
                      "\n v_mov_b32 v20, v10\n s_waitcnt vmcnt(2)\n v_mov_b32 v21, v10\n v_mov_b32 v22, "
                      "v11\n s_waitcnt vmcnt(1)\n v_mov_b32 v23, v11"
                      "\n v_mov_b32 v24, v12\n s_waitcnt vmcnt(0)\n v_mov_b32 v25, v12"),
            "");
  EXPECT_EQ(wave_.v(20, 3), kOld);
  EXPECT_EQ(wave_.v(21, 3), 5003U);
  EXPECT_EQ(wave_.v(22, 3), kOld);
  EXPECT_EQ(wave_.v(23, 3), 5067U);
  EXPECT_EQ(wave_.v(24, 3), kOld);
  EXPECT_EQ(wave_.v(25, 3), 5131U);
}

TEST_F(Wait, LgkmcntDoesNotCoverGlobalLoads) {
  ASSERT_EQ(wave_.run("global_load_dword v10, v[0:1], off\n s_waitcnt lgkmcnt(0)\n v_mov_b32 v20, v10"), "");
  EXPECT_EQ(wave_.v(20, 0), kOld);
  EXPECT_EQ(wave_.v(10, 0), 5000U);  // the end of the program waits for everything
}

TEST_F(Wait, ScalarLoadsAreCertainOnlyAtZero) {
  ASSERT_EQ(
      wave_.run("s_load_dword s10, s[0:1], 0x10\n s_load_dword s11, s[0:1], 0x20\n s_mov_b32 s20, s10\n "
                "s_waitcnt lgkmcnt(1)\n s_mov_b32 s21, s10"
                "\n s_mov_b32 s22, s11\n s_waitcnt lgkmcnt(0)\n s_mov_b32 s23, s10\n s_mov_b32 s24, s11"),
      "");
  EXPECT_EQ(wave_.s(20), kOld);
  EXPECT_EQ(wave_.s(21), kOld);
  EXPECT_EQ(wave_.s(22), kOld);
  EXPECT_EQ(wave_.s(23), 5004U);
  EXPECT_EQ(wave_.s(24), 5008U);
}

TEST_F(Wait, LdsArrivesInOrderButNotPastScalarLoads) {
  ASSERT_EQ(
      wave_.run(
          "ds_write_b32 v2, v2\n ds_read_b32 v10, v2\n ds_read_b32 v11, v2\n s_load_dword s10, s[0:1], 0x0"
          "\n s_waitcnt lgkmcnt(2)\n v_mov_b32 v20, v10\n s_waitcnt lgkmcnt(1)\n v_mov_b32 v21, v10\n "
          "v_mov_b32 v22, v11\n s_waitcnt lgkmcnt(0)\n v_mov_b32 v23, v11"),
      "");
  // Four are out; at most two left: the scalar load may be among the two that are done, so one LDS operation
  // is.
  EXPECT_EQ(wave_.v(20, 5), kOld);
  EXPECT_EQ(wave_.v(21, 5), 20U);
  EXPECT_EQ(wave_.v(22, 5), kOld);
  EXPECT_EQ(wave_.v(23, 5), 20U);
}

TEST_F(Wait, StoresTakeTheirDataAtIssueAndReachMemoryAtTheWait) {
  ASSERT_EQ(wave_.run("v_mov_b32 v10, 1\n global_store_dword v[0:1], v10, off\n v_mov_b32 v10, 2\n "
                      "s_load_dword s10, s[0:1], 0x0\n s_waitcnt lgkmcnt(0)"
                      "\n s_waitcnt vmcnt(0)\n s_load_dword s11, s[0:1], 0x0\n s_waitcnt lgkmcnt(0)"),
            "");
  EXPECT_EQ(wave_.s(10), 5000U);
  EXPECT_EQ(wave_.s(11), 1U);
  EXPECT_EQ(memory_[63], 1U);
}

TEST_F(Wait, OneWavesMemoryOperationsKeepTheirOrder) {
  ASSERT_EQ(wave_.run("v_mov_b32 v10, 7\n global_store_dword v[0:1], v10, off\n global_load_dword v11, "
                      "v[0:1], off\n s_waitcnt vmcnt(0)"
                      "\n ds_write_b32 v2, v10\n ds_read_b32 v12, v2\n s_waitcnt lgkmcnt(0)"),
            "");
  EXPECT_EQ(wave_.v(11, 9), 7U);
  EXPECT_EQ(wave_.v(12, 9), 7U);
}

TEST_F(Wait, FlatNeedsBothCounters) {
  const std::string load = "flat_load_dword v10, v[0:1]\n";
  ASSERT_EQ(
      wave_.run(load + "s_waitcnt vmcnt(0)\n v_mov_b32 v20, v10\n s_waitcnt lgkmcnt(0)\n v_mov_b32 v21, v10"),
      "");
  EXPECT_EQ(wave_.v(20, 1), kOld);
  EXPECT_EQ(wave_.v(21, 1), 5001U);
  ASSERT_EQ(wave_.run("v_mov_b32 v10, 0\n" + load +
                      "s_waitcnt lgkmcnt(0)\n v_mov_b32 v20, v10\n s_waitcnt vmcnt(0)\n v_mov_b32 v21, v10"),
            "");
  EXPECT_EQ(wave_.v(20, 1), 0U);
  EXPECT_EQ(wave_.v(21, 1), 5001U);
}

TEST_F(Wait, AFullCounterCompletesTheOldest) {
  std::string text;
  for (int i = 0; i < 64; ++i)
    text += "global_load_dword v" + std::to_string(10 + i % 2) +
            ", v[0:1], off offset:" + std::to_string(4 * i) + "\n";
  ASSERT_EQ(wave_.run(text + "v_mov_b32 v20, v10"), "");
  EXPECT_EQ(wave_.v(20, 0), 5000U);
}

TEST_F(Wait, LoadsToLdsCountOnVmcntAndTakeM0AtIssue) {
  ASSERT_EQ(wave_.run("s_mov_b32 m0, 0x100\n global_load_lds_dword v[0:1], off\n s_mov_b32 m0, 0x400\n "
                      "s_waitcnt lgkmcnt(0)\n ds_read_b32 v10, v2 offset:256\n s_waitcnt lgkmcnt(0)"
                      "\n v_mov_b32 v20, v10\n s_waitcnt vmcnt(0)\n ds_read_b32 v11, v2 offset:256\n "
                      "s_waitcnt lgkmcnt(0)"),
            "");
  EXPECT_NE(wave_.v(20, 4), 5004U);
  EXPECT_EQ(wave_.v(11, 4), 5004U);
}

}  // namespace
}  // namespace mxproof::emulator
