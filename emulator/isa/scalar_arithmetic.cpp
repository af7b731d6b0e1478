// Scalar moves, arithmetic and comparisons: SOP1, SOP2, SOPK, SOPC. Each function is one instruction; those
// with a `bool& scc` first use or set SCC, those that return bool set SCC alone. Source of the operations:
// AMD's CDNA3 ISA reference guide, chapter "Instructions", SOP1, SOP2, SOPK, SOPC.
#include <bit>

#include "emulator/isa/rows.hpp"
#include "emulator/isa/scalar_op-inl.hpp"

namespace mxproof::emulator {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

// ---- Moves ----
u32 s_mov_b32(u32 a) {
  return a;
}
u64 s_mov_b64(u64 a) {
  return a;
}
u32 s_movk_i32(u32, u32 imm) {
  return imm;
}
u32 s_cmovk_i32(bool& scc, u32 d, u32 imm) {
  return scc ? imm : d;
}
u32 s_cselect_b32(bool& scc, u32 a, u32 b) {
  return scc ? a : b;
}
u64 s_cselect_b64(bool& scc, u64 a, u64 b) {
  return scc ? a : b;
}

void s_cmov_b32(const Instruction& inst, Wave& w) {
  if (w.scc) w.sgpr[inst.dst] = read_scalar32(w, inst.src[0]);
}
void s_cmov_b64(const Instruction& inst, Wave& w) {
  if (w.scc) w.set_scalar64(inst.dst, read_scalar64(w, inst.src[0]));
}

// ---- Arithmetic ----
u32 s_add_u32(bool& scc, u32 a, u32 b) {
  scc = a + b < a;
  return a + b;
}
u32 s_sub_u32(bool& scc, u32 a, u32 b) {
  scc = b > a;
  return a - b;
}
u32 s_addc_u32(bool& scc, u32 a, u32 b) {
  const u64 sum = u64{a} + b + (scc ? 1 : 0);
  scc = (sum >> 32) != 0;
  return static_cast<u32>(sum);
}
u32 s_subb_u32(bool& scc, u32 a, u32 b) {
  const u64 subtrahend = u64{b} + (scc ? 1 : 0);
  scc = subtrahend > a;
  return static_cast<u32>(a - subtrahend);
}
u32 s_add_i32(bool& scc, u32 a, u32 b) {
  const u32 sum = a + b;
  scc = ((~(a ^ b) & (a ^ sum)) >> 31) != 0;
  return sum;
}
u32 s_sub_i32(bool& scc, u32 a, u32 b) {
  const u32 difference = a - b;
  scc = (((a ^ b) & (a ^ difference)) >> 31) != 0;
  return difference;
}
u32 s_addk_i32(bool& scc, u32 d, u32 imm) {
  return s_add_i32(scc, d, imm);
}
u32 s_mulk_i32(u32 d, u32 imm) {
  return d * imm;
}
u32 s_mul_i32(u32 a, u32 b) {
  return a * b;
}
u32 s_mul_hi_u32(u32 a, u32 b) {
  return static_cast<u32>((u64{a} * b) >> 32);
}
i32 s_mul_hi_i32(i32 a, i32 b) {
  return static_cast<i32>((i64{a} * b) >> 32);
}
i32 s_min_i32(bool& scc, i32 a, i32 b) {
  scc = a < b;
  return scc ? a : b;
}
u32 s_min_u32(bool& scc, u32 a, u32 b) {
  scc = a < b;
  return scc ? a : b;
}
i32 s_max_i32(bool& scc, i32 a, i32 b) {
  scc = a > b;
  return scc ? a : b;
}
u32 s_max_u32(bool& scc, u32 a, u32 b) {
  scc = a > b;
  return scc ? a : b;
}
u32 s_abs_i32(bool& scc, u32 a) {
  return with_scc(scc, (a >> 31) != 0 ? 0U - a : a);
}
u32 s_absdiff_i32(bool& scc, u32 a, u32 b) {
  return s_abs_i32(scc, a - b);
}
template <int Shift>
u32 shift_add(bool& scc, u32 a, u32 b) {
  const u64 sum = (u64{a} << Shift) + b;
  scc = (sum >> 32) != 0;
  return static_cast<u32>(sum);
}

// ---- Comparisons ----
template <class T>
bool equal(T a, T b) {
  return a == b;
}
template <class T>
bool differ(T a, T b) {
  return a != b;
}
template <class T>
bool greater(T a, T b) {
  return a > b;
}
template <class T>
bool greater_equal(T a, T b) {
  return a >= b;
}
template <class T>
bool less(T a, T b) {
  return a < b;
}
template <class T>
bool less_equal(T a, T b) {
  return a <= b;
}
bool s_bitcmp0_b32(u32 a, u32 b) {
  return ((a >> (b & 31U)) & 1U) == 0;
}
bool s_bitcmp1_b32(u32 a, u32 b) {
  return ((a >> (b & 31U)) & 1U) != 0;
}
bool s_bitcmp0_b64(u64 a, u32 b) {
  return ((a >> (b & 63U)) & 1U) == 0;
}
bool s_bitcmp1_b64(u64 a, u32 b) {
  return ((a >> (b & 63U)) & 1U) != 0;
}

// ---- Indirect registers: M0 is added to the register's number ----
uint16_t relative(const Instruction& inst, Wave& w, uint16_t reg, int words) {
  const u32 number = reg + w.sgpr[kM0];
  if (number + static_cast<u32>(words) > kFlatScratch) {
    w.fault(inst, "M0 = " + std::to_string(w.sgpr[kM0]) + " leads past the last SGPR");
    return 0;
  }
  return static_cast<uint16_t>(number);
}
void s_movrels_b32(const Instruction& inst, Wave& w) {
  w.sgpr[inst.dst] = w.sgpr[relative(inst, w, inst.src[0].reg, 1)];
}
void s_movrels_b64(const Instruction& inst, Wave& w) {
  w.set_scalar64(inst.dst, w.scalar64(relative(inst, w, inst.src[0].reg, 2)));
}
void s_movreld_b32(const Instruction& inst, Wave& w) {
  w.sgpr[relative(inst, w, inst.dst, 1)] = read_scalar32(w, inst.src[0]);
}
void s_movreld_b64(const Instruction& inst, Wave& w) {
  w.set_scalar64(relative(inst, w, inst.dst, 2), read_scalar64(w, inst.src[0]));
}

#define COMPARE_ROWS(suffix, type)                                                                          \
  scalar_row<&equal<type>>("s_cmp_eq_" suffix), scalar_row<&differ<type>>("s_cmp_lg_" suffix),              \
      scalar_row<&greater<type>>("s_cmp_gt_" suffix), scalar_row<&greater_equal<type>>("s_cmp_ge_" suffix), \
      scalar_row<&less<type>>("s_cmp_lt_" suffix), scalar_row<&less_equal<type>>("s_cmp_le_" suffix),       \
      scalar_row<&equal<type>>("s_cmpk_eq_" suffix, &build_scalar_immediate),                               \
      scalar_row<&differ<type>>("s_cmpk_lg_" suffix, &build_scalar_immediate),                              \
      scalar_row<&greater<type>>("s_cmpk_gt_" suffix, &build_scalar_immediate),                             \
      scalar_row<&greater_equal<type>>("s_cmpk_ge_" suffix, &build_scalar_immediate),                       \
      scalar_row<&less<type>>("s_cmpk_lt_" suffix, &build_scalar_immediate),                                \
      scalar_row<&less_equal<type>>("s_cmpk_le_" suffix, &build_scalar_immediate)

constexpr Row kRows[] = {
    SCALAR(s_mov_b32),
    SCALAR(s_mov_b64),
    SCALAR_IMMEDIATE(s_movk_i32),
    SCALAR_IMMEDIATE(s_cmovk_i32),
    SCALAR(s_cselect_b32),
    SCALAR(s_cselect_b64),
    one32("s_cmov_b32", &s_cmov_b32),
    one64("s_cmov_b64", &s_cmov_b64),
    SCALAR(s_add_u32),
    SCALAR(s_sub_u32),
    SCALAR(s_addc_u32),
    SCALAR(s_subb_u32),
    SCALAR(s_add_i32),
    SCALAR(s_sub_i32),
    SCALAR_IMMEDIATE(s_addk_i32),
    SCALAR_IMMEDIATE(s_mulk_i32),
    SCALAR(s_mul_i32),
    SCALAR(s_mul_hi_u32),
    SCALAR(s_mul_hi_i32),
    SCALAR(s_min_i32),
    SCALAR(s_min_u32),
    SCALAR(s_max_i32),
    SCALAR(s_max_u32),
    SCALAR(s_abs_i32),
    SCALAR(s_absdiff_i32),
    scalar_row<&shift_add<1>>("s_lshl1_add_u32"),
    scalar_row<&shift_add<2>>("s_lshl2_add_u32"),
    scalar_row<&shift_add<3>>("s_lshl3_add_u32"),
    scalar_row<&shift_add<4>>("s_lshl4_add_u32"),
    COMPARE_ROWS("i32", i32),
    COMPARE_ROWS("u32", u32),
    scalar_row<&equal<u64>>("s_cmp_eq_u64"),
    scalar_row<&differ<u64>>("s_cmp_lg_u64"),
    SCALAR(s_bitcmp0_b32),
    SCALAR(s_bitcmp1_b32),
    SCALAR(s_bitcmp0_b64),
    SCALAR(s_bitcmp1_b64),
    one32("s_movrels_b32", &s_movrels_b32),
    one64("s_movrels_b64", &s_movrels_b64),
    one32("s_movreld_b32", &s_movreld_b32),
    one64("s_movreld_b64", &s_movreld_b64),
};

}  // namespace

std::span<const Row> scalar_arithmetic_rows() {
  return kRows;
}

}  // namespace mxproof::emulator
