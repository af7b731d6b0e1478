// Scalar ALU: SOP1, SOP2, SOPK, SOPC. Each function is one instruction; those with a `bool& scc` first use or
// set SCC, those that return bool set SCC alone. Source of the operations: AMD's CDNA3 ISA reference guide,
// chapter "Instructions", SOP1, SOP2, SOPK, SOPC.
#include <bit>
#include <type_traits>
#include <utility>

#include "emulator/isa/build.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

template <class T>
T read(const Wave& w, const Source& source) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(read_scalar64(w, source));
  } else {
    return static_cast<T>(read_scalar32(w, source));
  }
}

template <class T>
void write(Wave& w, uint16_t reg, T value) {
  if constexpr (sizeof(T) == 8) {
    w.set_scalar64(reg, static_cast<u64>(value));
  } else {
    w.sgpr[reg] = static_cast<u32>(value);
  }
}

template <class T>
constexpr OperandType type_of() {
  return sizeof(T) == 8 ? OperandType::b64 : OperandType::b32;
}

template <auto F>
struct Scalar;

/// Without SCC, or SCC alone when R is bool.
template <class R, class... A, R (*F)(A...)>
struct Scalar<F> {
  static constexpr OperandType kResult = std::is_same_v<R, bool> ? OperandType::none : type_of<R>();
  static constexpr std::array<OperandType, 4> kSources = {type_of<A>()...};
  static void run(const Instruction& inst, Wave& w) { run(inst, w, std::index_sequence_for<A...>()); }
  template <size_t... I>
  static void run(const Instruction& inst, Wave& w, std::index_sequence<I...>) {
    if constexpr (std::is_same_v<R, bool>) {
      w.scc = F(read<A>(w, inst.src[I])...);
    } else {
      write<R>(w, inst.dst, F(read<A>(w, inst.src[I])...));
    }
  }
};

template <class R, class... A, R (*F)(bool&, A...)>
struct Scalar<F> {
  static constexpr OperandType kResult = type_of<R>();
  static constexpr std::array<OperandType, 4> kSources = {type_of<A>()...};
  static void run(const Instruction& inst, Wave& w) { run(inst, w, std::index_sequence_for<A...>()); }
  template <size_t... I>
  static void run(const Instruction& inst, Wave& w, std::index_sequence<I...>) {
    bool scc = w.scc;
    const R value = F(scc, read<A>(w, inst.src[I])...);
    write<R>(w, inst.dst, value);
    w.scc = scc;
  }
};

template <auto F>
constexpr Row scalar_row(std::string_view name, Builder build = &build_scalar) {
  return {
      name, &Scalar<F>::run, build, InstructionClass::scalar_alu, Scalar<F>::kResult, Scalar<F>::kSources};
}
#define SCALAR(name) scalar_row<&name>(#name)
#define SCALAR_IMMEDIATE(name) scalar_row<&name>(#name, &build_scalar_immediate)

template <class T>
T with_scc(bool& scc, T value) {
  scc = value != 0;
  return value;
}

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

// ---- Bits ----
u32 s_and_b32(bool& scc, u32 a, u32 b) {
  return with_scc(scc, a & b);
}
u64 s_and_b64(bool& scc, u64 a, u64 b) {
  return with_scc(scc, a & b);
}
u32 s_or_b32(bool& scc, u32 a, u32 b) {
  return with_scc(scc, a | b);
}
u64 s_or_b64(bool& scc, u64 a, u64 b) {
  return with_scc(scc, a | b);
}
u32 s_xor_b32(bool& scc, u32 a, u32 b) {
  return with_scc(scc, a ^ b);
}
u64 s_xor_b64(bool& scc, u64 a, u64 b) {
  return with_scc(scc, a ^ b);
}
u32 s_andn2_b32(bool& scc, u32 a, u32 b) {
  return with_scc(scc, a & ~b);
}
u64 s_andn2_b64(bool& scc, u64 a, u64 b) {
  return with_scc(scc, a & ~b);
}
u32 s_orn2_b32(bool& scc, u32 a, u32 b) {
  return with_scc(scc, a | ~b);
}
u64 s_orn2_b64(bool& scc, u64 a, u64 b) {
  return with_scc(scc, a | ~b);
}
u32 s_nand_b32(bool& scc, u32 a, u32 b) {
  return with_scc(scc, ~(a & b));
}
u64 s_nand_b64(bool& scc, u64 a, u64 b) {
  return with_scc(scc, ~(a & b));
}
u32 s_nor_b32(bool& scc, u32 a, u32 b) {
  return with_scc(scc, ~(a | b));
}
u64 s_nor_b64(bool& scc, u64 a, u64 b) {
  return with_scc(scc, ~(a | b));
}
u32 s_xnor_b32(bool& scc, u32 a, u32 b) {
  return with_scc(scc, ~(a ^ b));
}
u64 s_xnor_b64(bool& scc, u64 a, u64 b) {
  return with_scc(scc, ~(a ^ b));
}
u32 s_not_b32(bool& scc, u32 a) {
  return with_scc(scc, ~a);
}
u64 s_not_b64(bool& scc, u64 a) {
  return with_scc(scc, ~a);
}
u32 s_lshl_b32(bool& scc, u32 a, u32 b) {
  return with_scc(scc, a << (b & 31U));
}
u64 s_lshl_b64(bool& scc, u64 a, u32 b) {
  return with_scc(scc, a << (b & 63U));
}
u32 s_lshr_b32(bool& scc, u32 a, u32 b) {
  return with_scc(scc, a >> (b & 31U));
}
u64 s_lshr_b64(bool& scc, u64 a, u32 b) {
  return with_scc(scc, a >> (b & 63U));
}
i32 s_ashr_i32(bool& scc, i32 a, u32 b) {
  return with_scc(scc, a >> (b & 31U));
}
i64 s_ashr_i64(bool& scc, i64 a, u32 b) {
  return with_scc(scc, a >> (b & 63U));
}
u32 s_bfm_b32(u32 a, u32 b) {
  return ((1U << (a & 31U)) - 1U) << (b & 31U);
}
u64 s_bfm_b64(u32 a, u32 b) {
  return ((u64{1} << (a & 63U)) - 1U) << (b & 63U);
}

/// Bits [offset, offset + width) of `a` with offset = field[low bits], width = field[22:16].
template <class T>
T bit_field(T a, u32 field) {
  using U = std::make_unsigned_t<T>;
  constexpr u32 kBits = sizeof(T) * 8;
  const u32 offset = field & (kBits - 1);
  u32 width = (field >> 16) & 0x7fU;
  if (width == 0) return 0;
  if (width > kBits) width = kBits;
  const T shifted = a >> offset;
  if (width == kBits) return shifted;
  const U kept = static_cast<U>(shifted) << (kBits - width);
  return static_cast<T>(kept) >> (kBits - width);
}
u32 s_bfe_u32(bool& scc, u32 a, u32 b) {
  return with_scc(scc, bit_field(a, b));
}
i32 s_bfe_i32(bool& scc, i32 a, u32 b) {
  return with_scc(scc, bit_field(a, b));
}
u64 s_bfe_u64(bool& scc, u64 a, u32 b) {
  return with_scc(scc, bit_field(a, b));
}
i64 s_bfe_i64(bool& scc, i64 a, u32 b) {
  return with_scc(scc, bit_field(a, b));
}
u32 s_pack_ll_b32_b16(u32 a, u32 b) {
  return (a & 0xffffU) | (b << 16);
}
u32 s_pack_lh_b32_b16(u32 a, u32 b) {
  return (a & 0xffffU) | (b & 0xffff0000U);
}
u32 s_pack_hh_b32_b16(u32 a, u32 b) {
  return (a >> 16) | (b & 0xffff0000U);
}

template <class T>
T reversed(T value) {
  T result = 0;
  for (size_t i = 0; i < sizeof(T) * 8; ++i) result |= ((value >> i) & 1) << (sizeof(T) * 8 - 1 - i);
  return result;
}
u32 s_brev_b32(u32 a) {
  return reversed(a);
}
u64 s_brev_b64(u64 a) {
  return reversed(a);
}
u32 s_bcnt0_i32_b32(bool& scc, u32 a) {
  return with_scc(scc, static_cast<u32>(std::popcount(~a)));
}
u32 s_bcnt0_i32_b64(bool& scc, u64 a) {
  return with_scc(scc, static_cast<u32>(std::popcount(~a)));
}
u32 s_bcnt1_i32_b32(bool& scc, u32 a) {
  return with_scc(scc, static_cast<u32>(std::popcount(a)));
}
u32 s_bcnt1_i32_b64(bool& scc, u64 a) {
  return with_scc(scc, static_cast<u32>(std::popcount(a)));
}
// Find-first instructions give -1 when there is nothing to find.
u32 s_ff1_i32_b32(u32 a) {
  return a == 0 ? ~0U : static_cast<u32>(std::countr_zero(a));
}
u32 s_ff1_i32_b64(u64 a) {
  return a == 0 ? ~0U : static_cast<u32>(std::countr_zero(a));
}
u32 s_ff0_i32_b32(u32 a) {
  return s_ff1_i32_b32(~a);
}
u32 s_ff0_i32_b64(u64 a) {
  return s_ff1_i32_b64(~a);
}
u32 s_flbit_i32_b32(u32 a) {
  return a == 0 ? ~0U : static_cast<u32>(std::countl_zero(a));
}
u32 s_flbit_i32_b64(u64 a) {
  return a == 0 ? ~0U : static_cast<u32>(std::countl_zero(a));
}
u32 s_flbit_i32(i32 a) {
  return s_flbit_i32_b32(static_cast<u32>(a ^ (a >> 31)));
}
u32 s_flbit_i32_i64(i64 a) {
  return s_flbit_i32_b64(static_cast<u64>(a ^ (a >> 63)));
}
u32 s_sext_i32_i8(u32 a) {
  return static_cast<u32>(static_cast<int8_t>(a));
}
u32 s_sext_i32_i16(u32 a) {
  return static_cast<u32>(static_cast<int16_t>(a));
}

template <class T>
T quads(T a, bool whole) {
  T result = 0;
  for (size_t quad = 0; quad < sizeof(T) * 2; ++quad) {
    if (((a >> (4 * quad)) & 0xf) != 0) result |= whole ? T{0xf} << (4 * quad) : T{1} << quad;
  }
  return result;
}
u32 s_wqm_b32(bool& scc, u32 a) {
  return with_scc(scc, quads(a, true));
}
u64 s_wqm_b64(bool& scc, u64 a) {
  return with_scc(scc, quads(a, true));
}
u32 s_quadmask_b32(bool& scc, u32 a) {
  return with_scc(scc, quads(a, false));
}
u64 s_quadmask_b64(bool& scc, u64 a) {
  return with_scc(scc, quads(a, false));
}
u64 s_bitreplicate_b64_b32(u32 a) {
  u64 result = 0;
  for (int i = 0; i < 32; ++i) result |= u64{(a >> i) & 1U} * 3 << (2 * i);
  return result;
}

void s_bitset0_b32(const Instruction& inst, Wave& w) {
  w.sgpr[inst.dst] &= ~(1U << (read_scalar32(w, inst.src[0]) & 31U));
}
void s_bitset1_b32(const Instruction& inst, Wave& w) {
  w.sgpr[inst.dst] |= 1U << (read_scalar32(w, inst.src[0]) & 31U);
}
void s_bitset0_b64(const Instruction& inst, Wave& w) {
  w.set_scalar64(inst.dst, w.scalar64(inst.dst) & ~(u64{1} << (read_scalar32(w, inst.src[0]) & 63U)));
}
void s_bitset1_b64(const Instruction& inst, Wave& w) {
  w.set_scalar64(inst.dst, w.scalar64(inst.dst) | u64{1} << (read_scalar32(w, inst.src[0]) & 63U));
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

// ---- EXEC: the destination receives the old mask, EXEC the combination ----
enum class MaskOp { and_, or_, xor_, andn2, orn2, nand, nor, xnor, andn1, orn1 };
constexpr u64 combine(MaskOp op, u64 source, u64 exec) {
  switch (op) {
    case MaskOp::and_:
      return source & exec;
    case MaskOp::or_:
      return source | exec;
    case MaskOp::xor_:
      return source ^ exec;
    case MaskOp::andn2:
      return source & ~exec;
    case MaskOp::orn2:
      return source | ~exec;
    case MaskOp::nand:
      return ~(source & exec);
    case MaskOp::nor:
      return ~(source | exec);
    case MaskOp::xnor:
      return ~(source ^ exec);
    case MaskOp::andn1:
      return ~source & exec;
    case MaskOp::orn1:
      return ~source | exec;
  }
  return 0;
}
template <MaskOp Op>
void save_exec(const Instruction& inst, Wave& w) {
  const u64 old = w.exec();
  const u64 value = combine(Op, read_scalar64(w, inst.src[0]), old);
  w.set_scalar64(inst.dst, old);
  w.set_exec(value);
  w.scc = value != 0;
}
/// The combination goes to EXEC and to the destination.
template <MaskOp Op>
void write_exec(const Instruction& inst, Wave& w) {
  const u64 value = combine(Op, read_scalar64(w, inst.src[0]), w.exec());
  w.set_scalar64(inst.dst, value);
  w.set_exec(value);
  w.scc = value != 0;
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

constexpr Row scalar_handler(std::string_view name, Handler run, OperandType result, OperandType source) {
  return {name, run, &build_scalar, InstructionClass::scalar_alu, result, {source}};
}
constexpr Row one32(std::string_view name, Handler run) {
  return scalar_handler(name, run, OperandType::b32, OperandType::b32);
}
constexpr Row one64(std::string_view name, Handler run) {
  return scalar_handler(name, run, OperandType::b64, OperandType::b64);
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

const Row kRows[] = {
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
    SCALAR(s_and_b32),
    SCALAR(s_and_b64),
    SCALAR(s_or_b32),
    SCALAR(s_or_b64),
    SCALAR(s_xor_b32),
    SCALAR(s_xor_b64),
    SCALAR(s_andn2_b32),
    SCALAR(s_andn2_b64),
    SCALAR(s_orn2_b32),
    SCALAR(s_orn2_b64),
    SCALAR(s_nand_b32),
    SCALAR(s_nand_b64),
    SCALAR(s_nor_b32),
    SCALAR(s_nor_b64),
    SCALAR(s_xnor_b32),
    SCALAR(s_xnor_b64),
    SCALAR(s_not_b32),
    SCALAR(s_not_b64),
    SCALAR(s_lshl_b32),
    SCALAR(s_lshl_b64),
    SCALAR(s_lshr_b32),
    SCALAR(s_lshr_b64),
    SCALAR(s_ashr_i32),
    SCALAR(s_ashr_i64),
    SCALAR(s_bfm_b32),
    SCALAR(s_bfm_b64),
    SCALAR(s_bfe_u32),
    SCALAR(s_bfe_i32),
    SCALAR(s_bfe_u64),
    SCALAR(s_bfe_i64),
    SCALAR(s_pack_ll_b32_b16),
    SCALAR(s_pack_lh_b32_b16),
    SCALAR(s_pack_hh_b32_b16),
    SCALAR(s_brev_b32),
    SCALAR(s_brev_b64),
    SCALAR(s_bcnt0_i32_b32),
    SCALAR(s_bcnt0_i32_b64),
    SCALAR(s_bcnt1_i32_b32),
    SCALAR(s_bcnt1_i32_b64),
    SCALAR(s_ff0_i32_b32),
    SCALAR(s_ff0_i32_b64),
    SCALAR(s_ff1_i32_b32),
    SCALAR(s_ff1_i32_b64),
    SCALAR(s_flbit_i32_b32),
    SCALAR(s_flbit_i32_b64),
    SCALAR(s_flbit_i32),
    SCALAR(s_flbit_i32_i64),
    SCALAR(s_sext_i32_i8),
    SCALAR(s_sext_i32_i16),
    SCALAR(s_wqm_b32),
    SCALAR(s_wqm_b64),
    SCALAR(s_quadmask_b32),
    SCALAR(s_quadmask_b64),
    SCALAR(s_bitreplicate_b64_b32),
    one32("s_bitset0_b32", &s_bitset0_b32),
    one32("s_bitset1_b32", &s_bitset1_b32),
    scalar_handler("s_bitset0_b64", &s_bitset0_b64, OperandType::b64, OperandType::b32),
    scalar_handler("s_bitset1_b64", &s_bitset1_b64, OperandType::b64, OperandType::b32),
    COMPARE_ROWS("i32", i32),
    COMPARE_ROWS("u32", u32),
    scalar_row<&equal<u64>>("s_cmp_eq_u64"),
    scalar_row<&differ<u64>>("s_cmp_lg_u64"),
    SCALAR(s_bitcmp0_b32),
    SCALAR(s_bitcmp1_b32),
    SCALAR(s_bitcmp0_b64),
    SCALAR(s_bitcmp1_b64),
    one64("s_and_saveexec_b64", &save_exec<MaskOp::and_>),
    one64("s_or_saveexec_b64", &save_exec<MaskOp::or_>),
    one64("s_xor_saveexec_b64", &save_exec<MaskOp::xor_>),
    one64("s_andn2_saveexec_b64", &save_exec<MaskOp::andn2>),
    one64("s_orn2_saveexec_b64", &save_exec<MaskOp::orn2>),
    one64("s_nand_saveexec_b64", &save_exec<MaskOp::nand>),
    one64("s_nor_saveexec_b64", &save_exec<MaskOp::nor>),
    one64("s_xnor_saveexec_b64", &save_exec<MaskOp::xnor>),
    one64("s_andn1_saveexec_b64", &save_exec<MaskOp::andn1>),
    one64("s_orn1_saveexec_b64", &save_exec<MaskOp::orn1>),
    one64("s_andn1_wrexec_b64", &write_exec<MaskOp::andn1>),
    one64("s_andn2_wrexec_b64", &write_exec<MaskOp::andn2>),
    one32("s_movrels_b32", &s_movrels_b32),
    one64("s_movrels_b64", &s_movrels_b64),
    one32("s_movreld_b32", &s_movreld_b32),
    one64("s_movreld_b64", &s_movreld_b64),
};

}  // namespace

std::span<const Row> scalar_alu_rows() {
  return kRows;
}

}  // namespace mxproof::emulator
