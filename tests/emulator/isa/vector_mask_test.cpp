// Vector instructions that write or read one bit a lane.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/emulator/support/operands.hpp"
#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

/// Relation of two values: less, equal, greater, unordered.
enum Relation { kLess, kEqual, kGreater, kUnordered };
template <class T>
Relation relation(T a, T b) {
  if (a < b) return kLess;
  if (a > b) return kGreater;
  return a == b ? kEqual : kUnordered;
}

struct Predicate {
  const char* name;
  bool holds[4];  ///< By Relation.
};
const Predicate kFloatPredicates[] = {
    {"f", {false, false, false, false}}, {"lt", {true, false, false, false}},
    {"eq", {false, true, false, false}}, {"le", {true, true, false, false}},
    {"gt", {false, false, true, false}}, {"lg", {true, false, true, false}},
    {"ge", {false, true, true, false}},  {"o", {true, true, true, false}},
    {"u", {false, false, false, true}},  {"nge", {true, false, false, true}},
    {"nlg", {false, true, false, true}}, {"ngt", {true, true, false, true}},
    {"nle", {false, false, true, true}}, {"neq", {true, false, true, true}},
    {"nlt", {false, true, true, true}},  {"tru", {true, true, true, true}}};
const Predicate kIntegerPredicates[] = {
    {"f", {false, false, false, false}}, {"lt", {true, false, false, false}},
    {"eq", {false, true, false, false}}, {"le", {true, true, false, false}},
    {"gt", {false, false, true, false}}, {"ne", {true, false, true, false}},
    {"ge", {false, true, true, false}},  {"t", {true, true, true, false}}};

template <class T>
Relation relation_of_bits(uint64_t a, uint64_t b) {
  using Bits =
      std::conditional_t<sizeof(T) == 8, uint64_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>>;
  return relation(std::bit_cast<T>(static_cast<Bits>(a)), std::bit_cast<T>(static_cast<Bits>(b)));
}

template <class T>
void check(const char* type, std::span<const Predicate> predicates) {
  Operands operands(8);
  TestWave wave;
  const uint64_t exec = 0xfffffffffffffff0;
  wave->set_exec(exec);
  const std::string registers = sizeof(T) == 8 ? "v[0:1], v[2:3]" : "v0, v2";
  for (const Predicate& predicate : predicates) {
    for (int lane = 0; lane < 64; ++lane) {
      const uint64_t a = operands.next();
      wave.set_v64(0, lane, a);
      wave.set_v64(2, lane, lane % 4 == 0 ? a : operands.next());
    }
    const std::string name = std::string(predicate.name) + "_" + type;
    ASSERT_EQ(
        wave.run("v_cmp_" + name + " s[10:11], " + registers + "\n v_cmp_" + name + " vcc, " + registers),
        "");
    uint64_t expected = 0;
    for (int lane = 4; lane < 64; ++lane) {
      const bool holds = predicate.holds[relation_of_bits<T>(wave.v64(0, lane), wave.v64(2, lane))];
      expected |= uint64_t{holds} << lane;
    }
    EXPECT_EQ(wave.s64(10), expected) << name;
    EXPECT_EQ(wave.s64(kVcc), expected) << name;
  }
}

TEST(Compare, EveryPredicateOfEveryType) {
  check<float>("f32", kFloatPredicates);
  check<double>("f64", kFloatPredicates);
  check<_Float16>("f16", kFloatPredicates);
  check<int32_t>("i32", kIntegerPredicates);
  check<uint32_t>("u32", kIntegerPredicates);
  check<int64_t>("i64", kIntegerPredicates);
  check<uint64_t>("u64", kIntegerPredicates);
  check<int16_t>("i16", kIntegerPredicates);
  check<uint16_t>("u16", kIntegerPredicates);
}

TEST(Compare, ExecFormsNarrowExec) {
  TestWave wave;
  for (int lane = 0; lane < 64; ++lane) wave.v(0, lane) = lane;
  wave->set_exec(0xffff);
  ASSERT_EQ(wave.run("v_cmpx_gt_u32 vcc, 12, v0\n v_mov_b32 v1, 1"), "");
  EXPECT_EQ(wave.s64(kVcc), 0xfffU);
  for (int lane = 0; lane < 64; ++lane) EXPECT_EQ(wave.v(1, lane), lane < 12 ? 1U : 0U);
}

TEST(Compare, ClassesPartitionAllFloats) {
  TestWave wave;
  const struct {
    uint32_t bits;
    int index;
  } samples[] = {{0x7f800001, 0}, {0xffc00000, 1}, {0xff800000, 2}, {0xff7fffff, 3}, {0x807fffff, 4},
                 {0x80000000, 5}, {0x00000000, 6}, {0x00000001, 7}, {0x00800000, 8}, {0x7f800000, 9}};
  for (int index = 0; index < 10; ++index) {
    for (int lane = 0; lane < 64; ++lane) wave.v(0, lane) = samples[lane % 10].bits;
    wave.s(0) = 1U << index;
    ASSERT_EQ(wave.run("v_cmp_class_f32 s[10:11], v0, s0"), "");
    for (int lane = 0; lane < 64; ++lane)
      EXPECT_EQ((wave.s64(10) >> lane & 1) != 0, samples[lane % 10].index == index) << index;
  }
}

TEST(Carry, AddAndSubtractOf64Bits) {
  Operands operands(9);
  TestWave wave;
  for (int round = 0; round < 20; ++round) {
    for (int lane = 0; lane < 64; ++lane) {
      wave.set_v64(0, lane, operands.next());
      wave.set_v64(2, lane, operands.next());
    }
    ASSERT_EQ(
        wave.run("v_add_co_u32 v4, vcc, v0, v2\n v_addc_co_u32 v5, vcc, v1, v3, vcc\n s_mov_b64 s[20:21], vcc"
                 "\n v_sub_co_u32 v6, s[10:11], v0, v2\n v_subb_co_u32 v7, s[10:11], v1, v3, s[10:11]"
                 "\n v_subrev_co_u32 v8, vcc, v0, v2\n v_subbrev_co_u32 v9, vcc, v1, v3, vcc"),
        "");
    for (int lane = 0; lane < 64; ++lane) {
      const uint64_t a = wave.v64(0, lane);
      const uint64_t b = wave.v64(2, lane);
      EXPECT_EQ(wave.v64(4, lane), a + b);
      EXPECT_EQ(wave.s64(20) >> lane & 1, a + b < a ? 1U : 0U);
      EXPECT_EQ(wave.v64(6, lane), a - b);
      EXPECT_EQ(wave.s64(10) >> lane & 1, a < b ? 1U : 0U);
      EXPECT_EQ(wave.v64(8, lane), b - a);
      EXPECT_EQ(wave.s64(kVcc) >> lane & 1, b < a ? 1U : 0U);
    }
  }
}

TEST(Carry, MultiplyAddOf64Bits) {
  Operands operands(10);
  TestWave wave;
  for (int round = 0; round < 20; ++round) {
    for (int lane = 0; lane < 64; ++lane) {
      for (int reg = 0; reg < 6; reg += 2) wave.set_v64(reg, lane, operands.next());
    }
    ASSERT_EQ(wave.run("v_mad_u64_u32 v[6:7], s[10:11], v0, v2, v[4:5]\n v_mad_i64_i32 v[8:9], s[12:13], v0, "
                       "v2, v[4:5]"),
              "");
    for (int lane = 0; lane < 64; ++lane) {
      const uint64_t c = wave.v64(4, lane);
      const unsigned __int128 sum =
          static_cast<unsigned __int128>(uint64_t{wave.v(0, lane)} * wave.v(2, lane)) + c;
      EXPECT_EQ(wave.v64(6, lane), static_cast<uint64_t>(sum));
      EXPECT_EQ(wave.s64(10) >> lane & 1, static_cast<uint64_t>(sum >> 64));
      const int64_t product =
          int64_t{static_cast<int32_t>(wave.v(0, lane))} * static_cast<int32_t>(wave.v(2, lane));
      EXPECT_EQ(wave.v64(8, lane), static_cast<uint64_t>(product) + c);
    }
  }
}

TEST(Select, TakesTheSecondSourceWhereTheBitIsSet) {
  TestWave wave;
  for (int lane = 0; lane < 64; ++lane) {
    wave.v(0, lane) = lane;
    wave.v(1, lane) = 100U + lane;
  }
  wave.set_s64(10, 0xf0f0f0f00f0f0f0f);
  ASSERT_EQ(
      wave.run("v_cndmask_b32 v2, v0, v1, s[10:11]\n s_mov_b64 vcc, s[10:11]\n v_cndmask_b32 v3, v1, v0, vcc"
               "\n v_cndmask_b32_sdwa v4, v0, v1, vcc dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 "
               "src1_sel:DWORD"),
      "");
  for (int lane = 0; lane < 64; ++lane) {
    const bool set = (0xf0f0f0f00f0f0f0f >> lane & 1) != 0;
    EXPECT_EQ(wave.v(2, lane), set ? 100U + lane : lane);
    EXPECT_EQ(wave.v(3, lane), set ? lane : 100U + lane);
    EXPECT_EQ(wave.v(4, lane), set ? 100U + lane : lane);
  }
}

}  // namespace
}  // namespace mxproof::emulator
