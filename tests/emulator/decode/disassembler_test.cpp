// Encodings that LLVM's own decoder or printer cannot take: they must come back as no instruction.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <random>
#include <span>
#include <string>

#include "emulator/decode/disassembler.hpp"

namespace mxproof::emulator {
namespace {

DisassembledInstruction disassemble(std::array<uint32_t, 5> words) {
  auto disassembler = Disassembler::create();
  EXPECT_TRUE(disassembler.ok()) << disassembler.status().message();
  return disassembler->disassemble(std::as_bytes(std::span(words)), 0);
}

TEST(Disassembler, SdwaWithReservedSelectsIsNoInstruction) {
  // v_add_u32_sdwa v1, v2, v3: dst_sel, dst_unused, src0_sel and src1_sel in turn.
  constexpr uint32_t kAdd = 0x680206f9;
  constexpr uint32_t kFields = 0x06060602;
  ASSERT_EQ(disassemble({kAdd, kFields}).text.substr(0, 14), "v_add_u32_sdwa");
  for (const uint32_t bad : {0x7U << 8, 0x3U << 11, 0x7U << 16, 0x7U << 24}) {
    EXPECT_EQ(disassemble({kAdd, kFields | bad}).size, 0U) << std::hex << bad;
  }
}

TEST(Disassembler, SdwaComparisonsHaveAScalarThere) {
  // v_cmp_eq_u32_sdwa s[0:1], v2, v3: bits 8 to 14 are the destination.
  constexpr uint32_t kCompare = 0x7d9406f9;
  EXPECT_EQ(disassemble({kCompare, 0x06068002}).text.substr(0, 17), "v_cmp_eq_u32_sdwa");
  EXPECT_EQ(disassemble({kCompare, 0x06068702}).text.substr(0, 17), "v_cmp_eq_u32_sdwa")
      << "s[7:8] is odd, not reserved";
  EXPECT_EQ(disassemble({kCompare, 0x07068002}).size, 0U);
}

TEST(Disassembler, F8f6f4TakesVectorRegistersAlone) {
  // v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[8:11], v[12:15], v[0:3] cbsz:4 blgp:4, alone and behind its scales.
  constexpr uint32_t kMfma = 0xd3ad0400;
  constexpr uint32_t kScaled = kMfma | 0x800;
  constexpr uint32_t kSources = 0x84021908;
  ASSERT_EQ(disassemble({kMfma, kSources}).size, 8U);
  ASSERT_EQ(disassemble({0xd3ac0000, 0x00020d05, kScaled, kSources}).size, 16U);
  for (const uint32_t vector : {0x100U, 0x100U << 9}) {
    EXPECT_EQ(disassemble({kMfma, kSources & ~vector}).size, 0U);
    EXPECT_EQ(disassemble({0xd3ac0000, 0x00020d05, kScaled, kSources & ~vector}).size, 0U);
  }
  // What follows another instruction is no business of that one.
  EXPECT_EQ(disassemble({0xbf800000, 0, kMfma, kSources & ~0x100U}).text, "s_nop 0");
}

TEST(Disassembler, AScaledMfmaHasNoLiteral) {
  // v_mfma_scale_f32_32x32x64_f8f6f4 with the scales v5, v6, then with a literal in place of either and of C.
  constexpr uint32_t kMfma = 0xd3ae0800;
  constexpr uint32_t kSources = 0x0802293f;
  constexpr uint32_t kScales = 0x00020d05;
  ASSERT_EQ(disassemble({0xd3ac0000, kScales, kMfma, kSources}).size, 16U);
  EXPECT_EQ(disassemble({0xd3ac0000, (kScales & ~0x1ffU) | 0xff, kMfma, kSources}).size, 0U);
  EXPECT_EQ(disassemble({0xd3ac0000, (kScales & ~(0x1ffU << 9)) | 0xffU << 9, kMfma, kSources}).size, 0U);
  EXPECT_EQ(disassemble({0xd3ac0000, 0x000290ff, kMfma, kSources}).size, 0U) << "as the fuzzer found it";
  EXPECT_EQ(disassemble({0xd3ac0000, 0x00021b0c, kMfma, 0xbbfe3110}).size, 0U) << "C, as the fuzzer found it";
}

TEST(Disassembler, HalfPrecisionConstantsAreRead) {
  // v_madak_f16 v183, v7, v127, K and v_madmk_f16 v183, v7, K, v127.
  for (const uint32_t constant : {0xfeU, 0xffU, 0x100U, 0x1234U}) {
    SCOPED_TRACE(constant);
    char text[16];
    std::snprintf(text, sizeof text, "0x%x", constant);
    const auto last = disassemble({0x4b6eff07, constant});
    EXPECT_EQ(last.size, 8U);
    EXPECT_EQ(last.text, "v_madak_f16 v183, v7, v127, " + std::string(text));
    const auto middle = disassemble({0x496eff07, constant});
    EXPECT_EQ(middle.size, 8U);
    EXPECT_EQ(middle.text, "v_madmk_f16 v183, v7, " + std::string(text) + ", v127");
  }
}

TEST(Disassembler, ALiteralThatIsCutOffIsNoInstruction) {
  // s_add_u32 s4, s5, 0x12345678
  constexpr std::array<uint32_t, 2> kAdd = {0x8004ff05, 0x12345678};
  auto disassembler = Disassembler::create();
  ASSERT_TRUE(disassembler.ok());
  const auto bytes = std::as_bytes(std::span(kAdd));
  EXPECT_EQ(disassembler->disassemble(bytes, 0).text, "s_add_u32 s4, s5, 0x12345678");
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(disassembler->disassemble(bytes.first(size), 0).size, 0U) << size;
}

/// Any bytes give text or nothing. Half of the words begin like an instruction that exists.
TEST(Disassembler, RandomBytesAreSafe) {
  auto disassembler = Disassembler::create();
  ASSERT_TRUE(disassembler.ok());
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  constexpr std::array<uint32_t, 16> kBeginnings = {
      0x7e000000, 0x7c000000, 0xbe800000, 0xbf800000, 0xb0000000, 0xc0000000, 0xd0000000, 0xd3800000,
      0xd8000000, 0xdc000000, 0xe0000000, 0xe8000000, 0x000000f9, 0x000000fa, 0x7e0000f9, 0xd3ac0000};
  size_t instructions = 0;
  for (int i = 0; i < 100000; ++i) {
    std::array<uint32_t, 5> words{};
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    if (i % 2 == 0)
      words[0] = (words[0] & 0x01ffffffU & ~0x1ffU) | kBeginnings[random() % kBeginnings.size()];
    const auto result = disassembler->disassemble(std::as_bytes(std::span(words)), 0);
    ASSERT_LE(result.size, 16U);
    ASSERT_EQ(result.text.empty(), result.size == 0);
    instructions += result.size != 0 ? 1 : 0;
  }
  EXPECT_GT(instructions, 10000U);
}

}  // namespace
}  // namespace mxproof::emulator
