// Scalar instructions against 64- and 128-bit integers.
#include <gtest/gtest.h>

#include <functional>

#include "tests/emulator/support/operands.hpp"
#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

using U = uint64_t;
using S = int64_t;
using S128 = __int128;

struct Result {
  U value;
  int scc;  ///< -1: unchanged (it is 1 before).
};
/// s[0:1], s[2:3] are the sources, s[4:5] receives the result, SCC is 1 before.
struct Case {
  std::string text;
  bool wide;
  std::function<Result(U, U)> expected;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.text;
}

S s32(U a) {
  return static_cast<int32_t>(a);
}
U u32(U a) {
  return a & 0xffffffff;
}
Result set(U value) {
  return {value, u32(value) != 0};
}
Result set64(U value) {
  return {value, value != 0};
}
Result keep(U value) {
  return {value, -1};
}
bool overflows(S value) {
  return value != static_cast<int32_t>(value);
}
Result compare(bool condition) {
  return {0x5555555566666666, condition};
}

const Case kCases[] = {
    {"s_mov_b32 s4, s0", false, [](U a, U) { return keep(a); }},
    {"s_mov_b64 s[4:5], -2", true, [](U, U) { return keep(~U{1}); }},
    {"s_mov_b64 s[4:5], 0xfffffff0", true, [](U, U) { return keep(0xfffffff0); }},
    {"s_movk_i32 s4, 0x8001", false, [](U, U) { return keep(0xffff8001); }},
    {"s_cselect_b32 s4, s0, s2", false, [](U a, U) { return keep(a); }},
    {"s_cmov_b64 s[4:5], s[0:1]", true, [](U a, U) { return keep(a); }},
    {"s_add_u32 s4, s0, s2", false,
     [](U a, U b) { return Result{a + b, static_cast<int>((u32(a) + u32(b)) >> 32)}; }},
    {"s_sub_u32 s4, s0, s2", false, [](U a, U b) { return Result{a - b, u32(a) < u32(b)}; }},
    {"s_addc_u32 s4, s0, s2", false,
     [](U a, U b) { return Result{a + b + 1, static_cast<int>((u32(a) + u32(b) + 1) >> 32)}; }},
    {"s_subb_u32 s4, s0, s2", false, [](U a, U b) { return Result{a - b - 1, u32(a) < u32(b) + 1}; }},
    {"s_add_i32 s4, s0, s2", false, [](U a, U b) { return Result{a + b, overflows(s32(a) + s32(b))}; }},
    {"s_sub_i32 s4, s0, s2", false, [](U a, U b) { return Result{a - b, overflows(s32(a) - s32(b))}; }},
    {"s_mul_i32 s4, s0, s2", false, [](U a, U b) { return keep(a * b); }},
    {"s_mul_hi_u32 s4, s0, s2", false, [](U a, U b) { return keep(u32(a) * u32(b) >> 32); }},
    {"s_mul_hi_i32 s4, s0, s2", false, [](U a, U b) { return keep(static_cast<U>(s32(a) * s32(b) >> 32)); }},
    {"s_min_i32 s4, s0, s2", false,
     [](U a, U b) { return Result{s32(a) < s32(b) ? a : b, s32(a) < s32(b)}; }},
    {"s_max_u32 s4, s0, s2", false,
     [](U a, U b) { return Result{u32(a) > u32(b) ? a : b, u32(a) > u32(b)}; }},
    {"s_abs_i32 s4, s0", false, [](U a, U) { return set(static_cast<U>(std::llabs(s32(a)))); }},
    {"s_lshl2_add_u32 s4, s0, s2", false,
     [](U a, U b) { return Result{u32(a) * 4 + u32(b), (u32(a) * 4 + u32(b)) >> 32 != 0}; }},
    {"s_and_b32 s4, s0, s2", false, [](U a, U b) { return set(a & b); }},
    {"s_or_b64 s[4:5], s[0:1], s[2:3]", true, [](U a, U b) { return set64(a | b); }},
    {"s_xor_b64 s[4:5], s[0:1], s[2:3]", true, [](U a, U b) { return set64(a ^ b); }},
    {"s_andn2_b64 s[4:5], s[0:1], s[2:3]", true, [](U a, U b) { return set64(a & ~b); }},
    {"s_orn2_b32 s4, s0, s2", false, [](U a, U b) { return set(a | ~b); }},
    {"s_nand_b64 s[4:5], s[0:1], s[2:3]", true, [](U a, U b) { return set64(~(a & b)); }},
    {"s_nor_b32 s4, s0, s2", false, [](U a, U b) { return set(~(a | b)); }},
    {"s_xnor_b64 s[4:5], s[0:1], s[2:3]", true, [](U a, U b) { return set64(~(a ^ b)); }},
    {"s_not_b32 s4, s0", false, [](U a, U) { return set(~a); }},
    {"s_lshl_b32 s4, s0, s2", false, [](U a, U b) { return set(a << (b % 32)); }},
    {"s_lshr_b64 s[4:5], s[0:1], s2", true, [](U a, U b) { return set64(a >> (b % 64)); }},
    {"s_ashr_i64 s[4:5], s[0:1], s2", true,
     [](U a, U b) { return set64(static_cast<U>(static_cast<S>(a) >> (b % 64))); }},
    {"s_bfm_b64 s[4:5], s0, s2", true, [](U a, U b) { return keep(((U{1} << (a % 64)) - 1) << (b % 64)); }},
    {"s_bfe_u32 s4, s0, s2", false,
     [](U a, U b) {
       const U width = b >> 16 & 0x7f;
       return set(static_cast<U>(static_cast<unsigned __int128>(u32(a) >> (b % 32)) &
                                 ((static_cast<unsigned __int128>(1) << std::min<U>(width, 32)) - 1)));
     }},
    {"s_bfe_i64 s[4:5], s[0:1], s2", true,
     [](U a, U b) {
       const int width = static_cast<int>(std::min<U>(b >> 16 & 0x7f, 64));
       if (width == 0) return set64(0);
       return set64(static_cast<U>(static_cast<S128>(static_cast<S>(a) >> (b % 64)) << (128 - width) >>
                                   (128 - width)));
     }},
    {"s_pack_lh_b32_b16 s4, s0, s2", false, [](U a, U b) { return keep((a & 0xffff) | (b & 0xffff0000)); }},
    {"s_brev_b32 s4, s0", false,
     [](U a, U) {
       U r = 0;
       for (int i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i);
       return keep(r);
     }},
    {"s_bcnt1_i32_b64 s4, s[0:1]", false,
     [](U a, U) { return set(static_cast<U>(__builtin_popcountll(a))); }},
    {"s_ff1_i32_b64 s4, s[0:1]", false,
     [](U a, U) { return keep(a == 0 ? ~U{0} : static_cast<U>(__builtin_ctzll(a))); }},
    {"s_flbit_i32_b64 s4, s[0:1]", false,
     [](U a, U) { return keep(a == 0 ? ~U{0} : static_cast<U>(__builtin_clzll(a))); }},
    {"s_sext_i32_i8 s4, s0", false,
     [](U a, U) { return keep(static_cast<U>(static_cast<S>(static_cast<int8_t>(a)))); }},
    {"s_cmp_lt_i32 s0, s2", true, [](U a, U b) { return compare(s32(a) < s32(b)); }},
    {"s_cmp_ge_u32 s0, s2", true, [](U a, U b) { return compare(u32(a) >= u32(b)); }},
    {"s_cmp_lg_u64 s[0:1], s[2:3]", true, [](U a, U b) { return compare(a != b); }},
    {"s_cmpk_gt_i32 s0, 0xfffe", true, [](U a, U) { return compare(s32(a) > -2); }},
    {"s_cmpk_lt_u32 s0, 0xfffe", true, [](U a, U) { return compare(u32(a) < 0xfffe); }},
    {"s_bitcmp1_b64 s[0:1], s2", true, [](U a, U b) { return compare((a >> (b % 64) & 1) != 0); }},
};

class Scalar : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Instructions, Scalar, ::testing::ValuesIn(kCases), [](const auto& param) {
  std::string name = param.param.text.substr(0, param.param.text.find(' '));
  return name + "_" + std::to_string(param.index);
});

TEST_P(Scalar, EqualsIndependentArithmetic) {
  const Case& c = GetParam();
  Operands operands(31);
  TestWave wave;
  for (int round = 0; round < 100; ++round) {
    const U a = operands.next();
    const U b = operands.next();
    wave.set_s64(0, a);
    wave.set_s64(2, b);
    wave.set_s64(4, 0x5555555566666666);
    wave->scc = true;
    ASSERT_EQ(wave.run(c.text), "");
    const Result expected = c.expected(a, b);
    ASSERT_EQ(c.wide ? wave.s64(4) : wave.s(4), c.wide ? expected.value : u32(expected.value))
        << c.text << std::hex << " of " << a << ", " << b;
    ASSERT_EQ(wave->scc, expected.scc == -1 ? true : expected.scc != 0)
        << c.text << std::hex << " of " << a << ", " << b;
  }
}

TEST(ScalarExec, SaveExecGivesTheOldMask) {
  TestWave wave;
  wave->set_exec(0xff00ff00ff00ff00);
  wave.set_s64(0, 0x0ff00ff00ff00ff0);
  ASSERT_EQ(wave.run("s_and_saveexec_b64 s[2:3], s[0:1]\n s_mov_b64 s[4:5], exec\n s_andn2_saveexec_b64 "
                     "s[6:7], s[0:1]\n s_mov_b64 s[8:9], exec"),
            "");
  EXPECT_EQ(wave.s64(2), 0xff00ff00ff00ff00);
  EXPECT_EQ(wave.s64(4), 0x0f000f000f000f00);
  EXPECT_EQ(wave.s64(6), 0x0f000f000f000f00);
  EXPECT_EQ(wave.s64(8), 0x0ff00ff00ff00ff0 & ~0x0f000f000f000f00);
}

TEST(ScalarFlow, BranchesCallsAndLoops) {
  TestWave wave;
  ASSERT_EQ(wave.run("s_mov_b32 s0, 0\n s_mov_b32 s1, 10\nloop:\n s_add_i32 s0, s0, s1\n s_sub_i32 s1, s1, "
                     "1\n s_cmp_lg_u32 s1, 0\n s_cbranch_scc1 loop"
                     "\n s_getpc_b64 s[4:5]\nhere:\n s_add_u32 s4, s4, callee-here\n s_addc_u32 s5, s5, 0\n "
                     "s_swappc_b64 s[6:7], s[4:5]\n s_mov_b32 s3, 5\n s_branch done"
                     "\ncallee:\n s_mov_b32 s2, 7\n s_setpc_b64 s[6:7]\ndone:\n s_nop 0"),
            "");
  EXPECT_EQ(wave.s(0), 55U);
  EXPECT_EQ(wave.s(2), 7U);
  EXPECT_EQ(wave.s(3), 5U);
}

TEST(ScalarFlow, JumpsToNowhereStopTheWave) {
  TestWave wave;
  wave.set_s64(0, 0x1000);
  EXPECT_NE(wave.run("s_setpc_b64 s[0:1]").find("jumps to 0x1000"), std::string::npos);
}

TEST(ScalarFlow, WhatIsNotKnownStopsOnlyWhenReached) {
  TestWave wave;
  EXPECT_EQ(wave.run("s_branch over\n s_cbranch_join s0\nover:\n s_nop 0"), "");
  EXPECT_NE(wave.run("s_nop 0\n s_cbranch_join s0").find("s_cbranch_join s0: this instruction is not known"),
            std::string::npos);
}

}  // namespace
}  // namespace mxproof::emulator
