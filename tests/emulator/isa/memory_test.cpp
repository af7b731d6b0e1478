// Global, flat, scratch and buffer accesses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

using ::testing::HasSubstr;

class Memory : public ::testing::Test {
 protected:
  Memory() {
    for (size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = static_cast<uint8_t>(i * 13 + i / 256);
    wave_.allow(bytes_.data(), bytes_.size());
    set_base(0);
    for (int lane = 0; lane < 64; ++lane) {
      wave_.v(2, lane) = static_cast<uint32_t>(lane * 29 % 64 * 16);
      wave_.set_v64(0, lane, address() + wave_.v(2, lane));
      for (int reg = 10; reg < 40; ++reg) wave_.v(reg, lane) = 0x99887766;
    }
  }
  uint64_t address() const { return reinterpret_cast<uint64_t>(bytes_.data()); }
  void set_base(uint64_t offset) { wave_.set_s64(0, address() + offset); }
  /// s[4:7]: a raw buffer of `records` bytes.
  void set_buffer(uint32_t records, uint32_t stride = 0) {
    wave_.set_s64(4, address() | uint64_t{stride} << 48);
    wave_.s(6) = records;
    wave_.s(7) = 0x00027000;
  }
  uint32_t word(size_t at) const {
    uint32_t value = 0;
    std::memcpy(&value, &bytes_[at], 4);
    return value;
  }
  alignas(16) std::array<uint8_t, 4096> bytes_{};
  TestWave wave_;
};

TEST_F(Memory, GlobalLoadsOfEveryWidth) {
  ASSERT_EQ(wave_.run("global_load_ubyte v10, v[0:1], off offset:5\n global_load_sbyte v11, v2, s[0:1] "
                      "offset:5\n global_load_ushort v12, v[0:1], off offset:6"
                      "\n global_load_sshort v13, v[0:1], off offset:6\n global_load_short_d16_hi v14, "
                      "v[0:1], off\n global_load_ubyte_d16 v15, v[0:1], off"
                      "\n global_load_dword v16, v[0:1], off offset:-0\n global_load_dwordx2 v[18:19], v2, "
                      "s[0:1] offset:8\n global_load_dwordx3 v[20:22], v[0:1], off\n global_load_dwordx4 "
                      "v[24:27], v[0:1], off offset:1024"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    const size_t at = wave_.v(2, lane);
    EXPECT_EQ(wave_.v(10, lane), bytes_[at + 5]);
    EXPECT_EQ(wave_.v(11, lane), static_cast<uint32_t>(static_cast<int8_t>(bytes_[at + 5])));
    EXPECT_EQ(wave_.v(12, lane), word(at + 4) >> 16);
    EXPECT_EQ(wave_.v(13, lane), static_cast<uint32_t>(static_cast<int16_t>(word(at + 4) >> 16)));
    EXPECT_EQ(wave_.v(14, lane), 0x7766U | word(at) << 16);
    EXPECT_EQ(wave_.v(15, lane), 0x99880000U | bytes_[at]);
    EXPECT_EQ(wave_.v(16, lane), word(at));
    EXPECT_EQ(wave_.v(19, lane), word(at + 12));
    for (int k = 0; k < 3; ++k) EXPECT_EQ(wave_.v(20 + k, lane), word(at + 4 * k));
    for (int k = 0; k < 4; ++k) EXPECT_EQ(wave_.v(24 + k, lane), word(at + 1024 + 4 * k));
  }
}

TEST_F(Memory, ConsecutiveLanesAreTheSameAsScatteredOnes) {
  for (const int width : {1, 2, 3, 4}) {
    for (int lane = 0; lane < 64; ++lane) {
      wave_.v(2, lane) = static_cast<uint32_t>(lane * 4 * width);
      for (int k = 0; k < 4; ++k) wave_.v(4 + k, lane) = static_cast<uint32_t>(lane * 1000 + k);
    }
    const std::string suffix = width == 1 ? "" : "x" + std::to_string(width);
    const std::string last = std::to_string(10 + width - 1);
    const std::string data = width == 1 ? "v10" : "v[10:" + last + "]";
    const std::string stored = width == 1 ? "v4" : "v[4:" + std::to_string(4 + width - 1) + "]";
    ASSERT_EQ(wave_.run("global_load_dword" + suffix + " " + data + ", v2, s[0:1]\n s_waitcnt vmcnt(0)"), "");
    for (int lane = 0; lane < 64; ++lane) {
      for (int k = 0; k < width; ++k) ASSERT_EQ(wave_.v(10 + k, lane), word((lane * width + k) * 4)) << width;
    }
    ASSERT_EQ(wave_.run("global_store_dword" + suffix + " v2, " + stored + ", s[0:1]"), "");
    for (int lane = 0; lane < 64; ++lane) {
      for (int k = 0; k < width; ++k)
        ASSERT_EQ(word((lane * width + k) * 4), static_cast<uint32_t>(lane * 1000 + k)) << width;
    }
  }
}

TEST_F(Memory, StoresRespectExecAndWidth) {
  const auto before = bytes_;
  for (int lane = 0; lane < 64; ++lane) wave_.v(10, lane) = 0xa1b2c3d4U + lane;
  wave_->set_exec(0xaaaaaaaaaaaaaaaa);
  ASSERT_EQ(wave_.run("global_store_byte v[0:1], v10, off offset:1\n global_store_short_d16_hi v[0:1], v10, "
                      "off offset:4\n global_store_dwordx2 v[0:1], v[10:11], off offset:8"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    const size_t at = wave_.v(2, lane);
    std::array<uint8_t, 16> expected;
    std::memcpy(expected.data(), &before[at], 16);
    if (lane % 2 == 1) {
      const uint32_t value = wave_.v(10, lane);
      expected[1] = static_cast<uint8_t>(value);
      std::memcpy(&expected[4], reinterpret_cast<const char*>(&value) + 2, 2);
      std::memcpy(&expected[8], &value, 4);
      const uint32_t second = wave_.v(11, lane);
      std::memcpy(&expected[12], &second, 4);
    }
    EXPECT_EQ(std::memcmp(&bytes_[at], expected.data(), 16), 0) << lane;
  }
}

TEST_F(Memory, OutsideOfAllocationsStopsTheWave) {
  EXPECT_THAT(wave_.run("global_load_dwordx4 v[10:13], v[0:1], off offset:4092"),
              HasSubstr("accesses 16 bytes at 0x"));
  set_base(4096 - 1008);
  EXPECT_EQ(wave_.run("global_load_dword v10, v2, s[0:1] offset:-4"), "");
  set_base(4096 - 1008 + 16);
  EXPECT_THAT(wave_.run("global_store_dword v2, v10, s[0:1] offset:-16\n global_store_dword v2, v10, s[0:1]"),
              HasSubstr("past the end of the allocation of 4096 bytes"));
  EXPECT_THAT(wave_.run("s_load_dwordx2 s[10:11], s[0:1], 0x3f8"), HasSubstr("accesses 8 bytes"));
}

TEST_F(Memory, FlatReachesGlobalLdsAndScratch) {
  for (int lane = 0; lane < 64; ++lane) {
    const uint64_t windows[3] = {address(), uint64_t{kSharedAperture} << 32,
                                 uint64_t{kPrivateAperture} << 32};
    wave_.set_v64(0, lane, windows[lane % 3] + static_cast<uint64_t>(lane % 3 == 2 ? 8 : lane * 4));
    wave_.v(10, lane) = 7000U + lane;
  }
  ASSERT_EQ(wave_.run("flat_store_dword v[0:1], v10\n s_waitcnt vmcnt(0) lgkmcnt(0)\n flat_load_dword v11, "
                      "v[0:1]\n scratch_load_dword v12, off, off offset:8\n s_waitcnt vmcnt(0) lgkmcnt(0)"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(wave_.v(11, lane), 7000U + lane);
    if (lane % 3 == 0) {
      EXPECT_EQ(word(lane * 4), 7000U + lane);
    }
    if (lane % 3 == 2) {
      EXPECT_EQ(wave_.v(12, lane), 7000U + lane);
    }
  }
}

TEST_F(Memory, ScratchIsPrivateToTheLane) {
  for (int lane = 0; lane < 64; ++lane) wave_.v(3, lane) = static_cast<uint32_t>(lane % 8 * 16);
  wave_.s(9) = 4;
  ASSERT_EQ(wave_.run("scratch_store_dwordx2 v3, v[2:3], off offset:8\n scratch_store_dword off, v2, s9\n "
                      "s_waitcnt vmcnt(0)"
                      "\n scratch_load_dwordx2 v[10:11], v3, s9 offset:4\n scratch_load_dword v12, off, off "
                      "offset:4\n s_waitcnt vmcnt(0)"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(wave_.v(10, lane), wave_.v(2, lane));
    EXPECT_EQ(wave_.v(11, lane), wave_.v(3, lane));
    EXPECT_EQ(wave_.v(12, lane), wave_.v(2, lane));
  }
  wave_.v(3, 17) = 252;
  EXPECT_THAT(wave_.run("scratch_load_dwordx2 v[10:11], v3, off"),
              HasSubstr("lane 17 accesses 8 bytes at scratch offset 252, but there are 256 bytes"));
}

TEST_F(Memory, AtomicsReturnWhatWasThere) {
  for (int lane = 0; lane < 64; ++lane) {
    wave_.v(2, lane) = 8;
    wave_.set_v64(0, lane, address() + 16);
    wave_.v(4, lane) = lane + 1;
    wave_.v(5, lane) = 0;
    wave_.v(6, lane) = std::bit_cast<uint32_t>(0.5F);
    wave_.set_v64(20, lane, lane == 7 ? 0xffffffffff : 1);  // new value, compared with the pair after it
    wave_.set_v64(22, lane, lane == 7 ? 5 : 4);
  }
  std::memset(bytes_.data(), 0, 64);
  bytes_[40] = 5;
  ASSERT_EQ(wave_.run("global_atomic_add v10, v2, v4, s[0:1] sc0\n global_atomic_umax v2, v4, s[0:1] "
                      "offset:12\n global_atomic_add_f32 v[0:1], v6, off offset:8"
                      "\n global_atomic_cmpswap_x2 v[12:13], v[0:1], v[20:23], off offset:24 sc0\n "
                      "flat_atomic_or v[0:1], v4\n s_waitcnt vmcnt(0) lgkmcnt(0)"),
            "");
  for (int lane = 0; lane < 64; ++lane)
    EXPECT_EQ(wave_.v(10, lane), static_cast<uint32_t>(lane * (lane + 1) / 2));
  EXPECT_EQ(word(8), 64U * 65 / 2);
  EXPECT_EQ(word(20), 64U);
  EXPECT_EQ(std::bit_cast<float>(word(24)), 32.0F);
  EXPECT_EQ(wave_.v64(12, 6), 5U);
  EXPECT_EQ(wave_.v64(12, 8), 0xffffffffffU);
  EXPECT_EQ(word(44), 0xffU);
  EXPECT_EQ(word(16), 127U);
}

TEST_F(Memory, BuffersReadZeroOutOfRangeAndWriteNothing) {
  set_buffer(1000);
  for (int lane = 0; lane < 64; ++lane) wave_.v(3, lane) = static_cast<uint32_t>(lane * 16);
  wave_.s(9) = 2048;  // soffset is added to the address, not checked
  const auto before = bytes_;
  ASSERT_EQ(wave_.run("buffer_load_dwordx4 v[10:13], v3, s[4:7], 0 offen\n buffer_load_dword v14, v3, "
                      "s[4:7], s9 offen offset:4\n buffer_load_ubyte v15, off, s[4:7], 0 offset:999"
                      "\n buffer_load_ubyte v16, off, s[4:7], 0 offset:1000\n buffer_store_dwordx4 v[20:23], "
                      "v3, s[4:7], 0 offen offset:8\n s_waitcnt vmcnt(0)"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    const uint32_t at = lane * 16;
    for (uint32_t k = 0; k < 4; ++k) {
      uint32_t expected = 0;
      if (at + 4 * k + 4 <= 1000) std::memcpy(&expected, &before[at + 4 * k], 4);
      EXPECT_EQ(wave_.v(10 + k, lane), expected) << lane << "." << k;
      const uint32_t stored_at = at + 8 + 4 * k;
      uint32_t now = word(stored_at);
      uint32_t then = 0;
      std::memcpy(&then, &before[stored_at], 4);
      EXPECT_EQ(now, stored_at + 4 <= 1000 ? 0x99887766U : then) << lane << "." << k;
    }
    uint32_t expected = 0;
    if (at + 8 <= 1000) std::memcpy(&expected, &before[2048 + at + 4], 4);
    EXPECT_EQ(wave_.v(14, lane), expected);
    EXPECT_EQ(wave_.v(15, lane), before[999]);
    EXPECT_EQ(wave_.v(16, lane), 0U);
  }
}

TEST_F(Memory, BuffersWithAnIndex) {
  set_buffer(10, 48);
  for (int lane = 0; lane < 64; ++lane) {
    wave_.v(4, lane) = static_cast<uint32_t>(lane % 12);
    wave_.v(5, lane) = static_cast<uint32_t>(lane % 4 * 8);
  }
  ASSERT_EQ(wave_.run("buffer_load_dword v10, v4, s[4:7], 0 idxen offset:4\n buffer_load_dword v11, v[4:5], "
                      "s[4:7], 0 idxen offen\n s_waitcnt vmcnt(0)"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    const uint32_t index = lane % 12;
    EXPECT_EQ(wave_.v(10, lane), index < 10 ? word(index * 48 + 4) : 0U);
    EXPECT_EQ(wave_.v(11, lane), index < 10 ? word(index * 48 + lane % 4 * 8) : 0U);
  }
}

TEST_F(Memory, BufferLoadsToLds) {
  set_buffer(1000);
  for (int lane = 0; lane < 64; ++lane) wave_.v(3, lane) = static_cast<uint32_t>((63 - lane) * 16);
  std::fill(wave_.lds().begin(), wave_.lds().end(), std::byte{0xee});
  wave_->set_exec(~uint64_t{2});
  ASSERT_EQ(wave_.run("s_mov_b32 m0, 0x200\n buffer_load_dwordx4 v3, s[4:7], 0 offen lds\n s_waitcnt "
                      "vmcnt(0)\n s_mov_b32 m0, 0x1000\n buffer_load_dword v3, s[4:7], 0 offen offset:4 lds"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    for (uint32_t k = 0; k < 4; ++k) {
      const uint32_t at = (63 - lane) * 16 + 4 * k;
      uint32_t got = 0;
      std::memcpy(&got, &wave_.lds()[0x200 + lane * 16 + 4 * k], 4);
      EXPECT_EQ(got, lane == 1 ? 0xeeeeeeeeU : at + 4 <= 1000 ? word(at) : 0U) << lane << "." << k;
    }
    uint32_t got = 0;
    std::memcpy(&got, &wave_.lds()[0x1000 + 4 + lane * 4], 4);
    const uint32_t at = (63 - lane) * 16 + 4;
    EXPECT_EQ(got, lane == 1 ? 0xeeeeeeeeU : at + 4 <= 1000 ? word(at) : 0U) << lane;
  }
}

}  // namespace
}  // namespace mxproof::emulator
