// What stands around an operation: EXEC, DPP, SDWA, clamp, MODE.
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

constexpr uint32_t kOld = 0xaabbccdd;

/// v1[lane] = 1000 + lane, v0 holds a pattern to be overwritten.
void fill(TestWave& wave) {
  for (int lane = 0; lane < 64; ++lane) {
    wave.v(0, lane) = kOld;
    wave.v(1, lane) = 1000 + static_cast<uint32_t>(lane);
    wave.v(2, lane) = 0x80017fffU + 0x01010101U * static_cast<uint32_t>(lane);
  }
}

TEST(Exec, InactiveLanesKeepTheirValue) {
  TestWave wave;
  fill(wave);
  wave->set_exec(0x8000000000000f05);
  ASSERT_EQ(wave.run("v_add_u32 v0, v1, v1\n v_add_f32 v3, v1, v1"), "");
  for (int lane = 0; lane < 64; ++lane) {
    const bool active = (0x8000000000000f05 >> lane & 1) != 0;
    EXPECT_EQ(wave.v(0, lane), active ? 2 * (1000U + lane) : kOld) << lane;
    EXPECT_EQ(wave.v(3, lane) != 0, active) << lane;
  }
}

/// Source lane of each DPP control, or -1: written as the ISA's text says, lane by lane.
struct DppCase {
  const char* control;
  int (*source)(int lane);
};
class DppTest : public ::testing::TestWithParam<DppCase> {};
const DppCase kDppCases[] = {
    {"quad_perm:[3,0,1,2]", [](int lane) { return lane / 4 * 4 + (lane + 3) % 4; }},
    {"row_shl:3", [](int lane) { return lane % 16 + 3 <= 15 ? lane + 3 : -1; }},
    {"row_shr:5", [](int lane) { return lane % 16 >= 5 ? lane - 5 : -1; }},
    {"row_ror:4", [](int lane) { return lane / 16 * 16 + (lane % 16 + 12) % 16; }},
    {"row_mirror", [](int lane) { return lane / 16 * 16 + 15 - lane % 16; }},
    {"row_half_mirror", [](int lane) { return lane / 8 * 8 + 7 - lane % 8; }},
    {"row_bcast:15", [](int lane) { return lane < 16 ? -1 : lane / 16 * 16 - 1; }},
    {"row_bcast:31", [](int lane) { return lane < 32 ? -1 : 31; }},
    {"row_newbcast:7", [](int lane) { return lane / 16 * 16 + 7; }},
    {"wave_shl:1", [](int lane) { return lane == 63 ? -1 : lane + 1; }},
    {"wave_shr:1", [](int lane) { return lane == 0 ? -1 : lane - 1; }},
    {"wave_rol:1", [](int lane) { return (lane + 1) % 64; }},
    {"wave_ror:1", [](int lane) { return (lane + 63) % 64; }},
};
INSTANTIATE_TEST_SUITE_P(Controls, DppTest, ::testing::ValuesIn(kDppCases), [](const auto& param) {
  std::string name = param.param.control;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

TEST_P(DppTest, ReadsTheLaneThatTheIsaNames) {
  TestWave wave;
  fill(wave);
  ASSERT_EQ(
      wave.run(std::string("v_mov_b32_dpp v0, v1 ") + GetParam().control + " row_mask:0xf bank_mask:0xf"),
      "");
  for (int lane = 0; lane < 64; ++lane) {
    const int source = GetParam().source(lane);
    EXPECT_EQ(wave.v(0, lane), source < 0 ? kOld : 1000U + source) << lane;
  }
}

TEST_P(DppTest, BoundControlGivesZero) {
  TestWave wave;
  fill(wave);
  ASSERT_EQ(wave.run(std::string("v_mov_b32_dpp v0, v1 ") + GetParam().control +
                     " row_mask:0xf bank_mask:0xf bound_ctrl:0"),
            "");
  for (int lane = 0; lane < 64; ++lane) {
    const int source = GetParam().source(lane);
    EXPECT_EQ(wave.v(0, lane), source < 0 ? 0 : 1000U + source) << lane;
  }
}

TEST(Dpp, MasksAndInactiveSourcesBlockTheWrite) {
  TestWave wave;
  fill(wave);
  wave->set_exec(~uint64_t{0} & ~(uint64_t{1} << 20));
  ASSERT_EQ(wave.run("v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xa bank_mask:0x7"), "");
  for (int lane = 0; lane < 64; ++lane) {
    const bool enabled = (0xa >> (lane / 16) & 1) != 0 && (0x7 >> (lane % 16 / 4) & 1) != 0;
    const bool written = enabled && lane % 16 != 0 && lane != 20 && lane != 21;
    EXPECT_EQ(wave.v(0, lane), written ? 999U + lane : kOld) << lane;
  }
}

TEST(Dpp, ModifiesOnlyTheFirstSource) {
  TestWave wave;
  for (int lane = 0; lane < 64; ++lane) {
    wave.v(1, lane) = std::bit_cast<uint32_t>(static_cast<float>(lane));
    wave.v(2, lane) = std::bit_cast<uint32_t>(static_cast<float>(-100 * lane));
  }
  ASSERT_EQ(wave.run("v_add_f32_dpp v0, -v1, |v2| quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf"), "");
  for (int lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(std::bit_cast<float>(wave.v(0, lane)), static_cast<float>(-(lane ^ 1) + 100 * lane)) << lane;
  }
}

uint32_t part_of(uint32_t value, const std::string& part, bool sign) {
  if (part == "DWORD") return value;
  const int index = part.back() - '0';
  if (part.starts_with("BYTE")) {
    const uint32_t byte = value >> (8 * index) & 0xff;
    return sign ? static_cast<uint32_t>(static_cast<int8_t>(byte)) : byte;
  }
  const uint32_t word = value >> (16 * index) & 0xffff;
  return sign ? static_cast<uint32_t>(static_cast<int16_t>(word)) : word;
}

TEST(Sdwa, SourcesAndDestinationsByPart) {
  const std::string parts[] = {"DWORD", "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1"};
  TestWave wave;
  int cases = 0;
  for (const std::string& dst : parts) {
    for (const std::string& src : parts) {
      for (const bool sign : {false, true}) {
        for (const std::string unused : {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"}) {
          fill(wave);
          const std::string source = sign ? "sext(v2)" : "v2";
          ASSERT_EQ(wave.run("v_add_u32_sdwa v0, " + source + ", v1 dst_sel:" + dst +
                             " dst_unused:" + unused + " src0_sel:" + src + " src1_sel:BYTE_0"),
                    "");
          for (int lane = 0; lane < 64; lane += 7) {
            const uint32_t sum = part_of(wave.v(2, lane), src, sign) + (wave.v(1, lane) & 0xff);
            uint32_t expected = sum;
            if (dst != "DWORD") {
              const int index = dst.back() - '0';
              const int width = dst.starts_with("BYTE") ? 8 : 16;
              const uint32_t field = ((1U << width) - 1) << (index * width);
              const uint32_t placed = sum << (index * width) & field;
              expected = placed;
              if (unused == "UNUSED_PRESERVE") expected |= kOld & ~field;
              if (unused == "UNUSED_SEXT") {
                const bool negative = (sum >> (width - 1) & 1) != 0;
                for (int bit = (index + 1) * width; negative && bit < 32; ++bit) expected |= 1U << bit;
              }
            }
            ASSERT_EQ(wave.v(0, lane), expected) << dst << " " << src << " " << unused << " lane " << lane;
            ++cases;
          }
        }
      }
    }
  }
  EXPECT_EQ(cases, 7 * 7 * 2 * 3 * 10);
}

TEST(Mode, FlushesSubnormalsOnlyWhenAsked) {
  TestWave wave;
  const uint32_t subnormal = 0x80000123;
  wave.v(1, 0) = subnormal;
  wave.v(2, 0) = 0;
  wave.v(3, 0) = std::bit_cast<uint32_t>(0x1p-100F);
  ASSERT_EQ(
      wave.run(
          "v_add_f32 v4, v1, v2\n v_mul_f32 v5, v3, v3"
          "\n s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n v_add_f32 v6, v1, v2\n v_mul_f32 v7, v3, v3"
          "\n v_mul_f32 v8, 0x0d000000, v3"),
      "");
  EXPECT_EQ(wave.v(4, 0), subnormal);
  EXPECT_EQ(wave.v(5, 0), 0U);  // 2^-200 is nothing in f32 either way
  EXPECT_EQ(wave.v(6, 0), 0U);  // -0 + 0
  EXPECT_EQ(wave.v(8, 0), 0U);
}

TEST(Mode, RoundsAsAsked) {
  for (const int mode : {0, 1, 2, 3}) {
    TestWave wave;
    // 2^24 + 1 lies midway between 2^24 and 2^24 + 2.
    wave.v(1, 0) = std::bit_cast<uint32_t>(0x1p24F);
    wave.v(2, 0) = std::bit_cast<uint32_t>(1.0F);
    wave.v(3, 0) = std::bit_cast<uint32_t>(-0x1p24F);
    wave.v(4, 0) = std::bit_cast<uint32_t>(-1.0F);
    ASSERT_EQ(wave.run("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), " + std::to_string(mode) +
                       "\n v_add_f32 v5, v1, v2\n v_add_f32 v6, v3, v4"),
              "");
    EXPECT_EQ(std::bit_cast<float>(wave.v(5, 0)), mode == 1 ? 0x1p24F + 2 : 0x1p24F) << mode;
    EXPECT_EQ(std::bit_cast<float>(wave.v(6, 0)), mode == 2 ? -0x1p24F - 2 : -0x1p24F) << mode;
  }
}

TEST(GprIndex, ShiftsSourcesAndDestinations) {
  TestWave wave;
  for (int reg = 0; reg < 20; ++reg) wave.v(reg, 5) = 100U + reg;
  wave.s(0) = 6;
  ASSERT_EQ(
      wave.run(
          "s_set_gpr_idx_on s0, gpr_idx(SRC0)\n v_mov_b32 v30, v2\n s_set_gpr_idx_off\n v_mov_b32 v31, v2"
          "\n s_set_gpr_idx_on s0, gpr_idx(DST)\n v_mov_b32 v34, v3\n s_set_gpr_idx_off"
          "\n s_set_gpr_idx_on s0, gpr_idx(SRC1)\n v_add_u32 v32, v1, v2\n s_set_gpr_idx_off"),
      "");
  EXPECT_EQ(wave.v(30, 5), 108U);
  EXPECT_EQ(wave.v(31, 5), 102U);
  EXPECT_EQ(wave.v(40, 5), 103U);
  EXPECT_EQ(wave.v(34, 5), 0U);
  EXPECT_EQ(wave.v(32, 5), 101U + 108U);
}

TEST(GprIndex, PastTheLastRegisterStopsTheWave) {
  TestWave wave;
  wave.s(0) = 255;
  EXPECT_NE(wave.run("s_set_gpr_idx_on s0, gpr_idx(SRC0)\n v_mov_b32 v30, v2\n s_set_gpr_idx_off")
                .find("VGPR index 255"),
            std::string::npos);
}

}  // namespace
}  // namespace mxproof::emulator
