// The same bits on every host SIMD level: random programs of vector instructions over random registers.
#include "emulator/isa/simd_level.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/emulator/support/operands.hpp"
#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

/// Instructions whose arithmetic differs from host to host when it is not pinned down: D, A, B, C are
/// registers.
const std::vector<std::string> kTexts = {
    "v_add_f32 vD, vA, vB",
    "v_sub_f32 vD, vA, -vB",
    "v_mul_f32 vD, |vA|, vB",
    "v_fma_f32 vD, vA, vB, vC",
    "v_fmac_f32 vD, vA, vB",
    "v_min_f32 vD, vA, vB",
    "v_max_f32 vD, vA, vB",
    "v_med3_f32 vD, vA, vB, vC",
    "v_fract_f32 vD, vA",
    "v_ldexp_f32 vD, vA, vB",
    "v_rcp_f32 vD, vA",
    "v_sqrt_f32 vD, vA",
    "v_exp_f32 vD, vA",
    "v_log_f32 vD, vA",
    "v_cvt_f16_f32 vD, vA",
    "v_cvt_f32_f16 vD, vA",
    "v_cvt_pk_bf16_f32 vD, vA, vB",
    "v_cvt_pkrtz_f16_f32 vD, vA, vB",
    "v_cvt_i32_f32 vD, vA",
    "v_cvt_u32_f32 vD, vA",
    "v_cvt_f32_u32 vD, vA",
    "v_add_f16 vD, vA, vB",
    "v_fma_f16 vD, vA, vB, vC",
    "v_pk_fma_f16 vD, vA, vB, vC",
    "v_pk_mul_f16 vD, vA, vB",
    "v_pk_max_f16 vD, vA, vB",
    "v_dot2_f32_f16 vD, vA, vB, vC",
    "v_dot2_f32_bf16 vD, vA, vB, vC",
    "v_fma_mix_f32 vD, vA, vB, vC op_sel_hi:[1,0,1]",
    "v_cmp_lt_f32 vcc, vA, vB\n v_cndmask_b32 vD, vA, vB, vcc",
    "v_cmp_u_f32 vcc, vA, vB\n v_addc_co_u32 vD, vcc, vA, vB, vcc",
    "v_perm_b32 vD, vA, vB, vC",
    "v_bfe_i32 vD, vA, vB, vC",
    "v_mul_hi_i32 vD, vA, vB",
    "v_alignbit_b32 vD, vA, vB, vC",
    "v_mov_b32_dpp vD, vA row_shr:3 row_mask:0xf bank_mask:0xf",
    "v_add_f32_sdwa vD, vA, vB dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:DWORD",
    "v_cvt_scalef32_pk_fp4_f32 vD, vA, vB, vC",
    "v_div_fixup_f32 vD, vA, vB, vC",
    "v_div_scale_f32 vD, vcc, vA, vA, vB",
    "v_div_fmas_f32 vD, vA, vB, vC",
    "v_frexp_mant_f32 vD, vA",
    "v_rndne_f32 vD, vA",
    "v_bfrev_b32 vD, vA",
    "v_mbcnt_lo_u32_b32 vD, vA, vB",
    "v_add_f64 v[D:D+1], v[A:A+1], v[B:B+1]",
    "v_fma_f64 v[D:D+1], v[A:A+1], v[B:B+1], v[C:C+1]",
    "v_ldexp_f64 v[D:D+1], v[A:A+1], vB",
    "v_pk_fma_f32 v[D:D+1], v[A:A+1], v[B:B+1], v[C:C+1]",
    "v_mad_u64_u32 v[D:D+1], vcc, vA, vB, v[C:C+1]",
    "v_cvt_i32_f64 vD, v[A:A+1]",
    "s_mov_b64 exec, vcc",
    "s_mov_b64 exec, -1",
};

/// Registers put into a text: D, A, B, C stand for even numbers, X+1 for the number after.
std::string with_registers(std::string text, const std::map<char, int>& registers) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool pair_end = text.compare(i + 1, 2, "+1") == 0;
    const bool is_place =
        registers.contains(text[i]) && i > 0 && (text[i - 1] == 'v' || text[i - 1] == '[' || pair_end);
    if (!is_place) {
      result += text[i];
      continue;
    }
    int number = registers.at(text[i]);
    if (pair_end) {
      ++number;
      i += 2;
    }
    result += std::to_string(number);
  }
  return result;
}

TEST(SimdLevel, RandomProgramsGiveTheSameBitsOnEveryLevel) {
  const std::vector<std::string> levels = simd_levels();
  ASSERT_FALSE(levels.empty());
  const uint32_t seed = 815;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 15; ++round) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
      std::map<char, int> registers;
      for (const char place : {'D', 'A', 'B', 'C'}) registers[place] = static_cast<int>(random() % 16) * 2;
      text += with_registers(kTexts[random() % kTexts.size()], registers) + "\n";
    }
    text +=
        "s_mov_b64 exec, -1\n v_mfma_scale_f32_16x16x128_f8f6f4 v[40:43], v[0:3], v[4:7], v[8:11], v12, v13 "
        "op_sel_hi:[0,0,0] cbsz:4 blgp:4"
        "\n v_mfma_f32_16x16x32_bf16 v[44:47], v[0:3], v[4:7], v[8:11]";
    std::vector<uint32_t> first;
    for (const std::string& level : levels) {
      use_simd_level(level);
      Operands operands(seed + round);
      TestWave wave;
      for (int reg = 0; reg < 32; reg += 2) {
        for (int lane = 0; lane < 64; ++lane) wave.set_v64(reg, lane, operands.next());
      }
      const std::string fault = wave.run(text);
      use_simd_level("");
      ASSERT_EQ(fault, "") << level;
      const std::vector<uint32_t> bits(wave->vgpr.begin(), wave->vgpr.begin() + 48 * 64);
      if (first.empty()) first = bits;
      for (size_t i = 0; i < bits.size(); ++i) {
        ASSERT_EQ(bits[i], first[i]) << level << " against " << levels.front() << ": v" << i / 64 << " lane "
                                     << i % 64 << "\n"
                                     << text;
      }
    }
  }
}

}  // namespace
}  // namespace mxproof::emulator
