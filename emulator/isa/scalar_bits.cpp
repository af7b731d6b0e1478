// Scalar bit instructions and those that combine a mask with EXEC: SOP1, SOP2. As in scalar_arithmetic.cpp.
// Source of the operations: AMD's CDNA3 ISA reference guide, chapter "Instructions", SOP1, SOP2.
#include <bit>

#include "emulator/isa/rows.hpp"
#include "emulator/isa/scalar_op-inl.hpp"

namespace mxproof::emulator {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

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

// ---- EXEC: the destination receives the old mask, EXEC the combination ----
enum class MaskOp : uint8_t { and_, or_, xor_, andn2, orn2, nand, nor, xnor, andn1, orn1 };
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

constexpr Row kRows[] = {
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
};

}  // namespace

std::span<const Row> scalar_bits_rows() {
  return kRows;
}

}  // namespace mxproof::emulator
