// 32-bit integer and bit instructions of the vector ALU.
// Source of the operations: AMD's CDNA3 ISA reference guide, chapter "Instructions", VOP1, VOP2, VOP3.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_integer.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/lanes-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

MXPROOF_LANE u32 v_mov_b32(u32 a) {
  return a;
}
MXPROOF_LANE u32 v_not_b32(u32 a) {
  return ~a;
}
MXPROOF_LANE u32 v_and_b32(u32 a, u32 b) {
  return a & b;
}
MXPROOF_LANE u32 v_or_b32(u32 a, u32 b) {
  return a | b;
}
MXPROOF_LANE u32 v_xor_b32(u32 a, u32 b) {
  return a ^ b;
}
MXPROOF_LANE u32 v_xnor_b32(u32 a, u32 b) {
  return ~(a ^ b);
}
MXPROOF_LANE u32 v_or3_b32(u32 a, u32 b, u32 c) {
  return a | b | c;
}
MXPROOF_LANE u32 v_and_or_b32(u32 a, u32 b, u32 c) {
  return (a & b) | c;
}
MXPROOF_LANE u32 v_bfi_b32(u32 a, u32 b, u32 c) {
  return (a & b) | (~a & c);
}

MXPROOF_LANE u32 v_add_u32(u32 a, u32 b) {
  return a + b;
}
MXPROOF_LANE u32 v_sub_u32(u32 a, u32 b) {
  return a - b;
}
MXPROOF_LANE u32 v_subrev_u32(u32 a, u32 b) {
  return b - a;
}
MXPROOF_LANE u32 v_add3_u32(u32 a, u32 b, u32 c) {
  return a + b + c;
}
MXPROOF_LANE u32 v_lshl_add_u32(u32 a, u32 b, u32 c) {
  return (a << (b & 31U)) + c;
}
MXPROOF_LANE u32 v_add_lshl_u32(u32 a, u32 b, u32 c) {
  return (a + b) << (c & 31U);
}
MXPROOF_LANE u32 v_lshl_or_b32(u32 a, u32 b, u32 c) {
  return (a << (b & 31U)) | c;
}
MXPROOF_LANE u32 v_xad_u32(u32 a, u32 b, u32 c) {
  return (a ^ b) + c;
}

// Saturating forms, chosen by the clamp bit.
MXPROOF_LANE u32 v_add_u32_clamp(u32 a, u32 b) {
  return a + b < a ? ~0U : a + b;
}
MXPROOF_LANE u32 v_sub_u32_clamp(u32 a, u32 b) {
  return a < b ? 0U : a - b;
}
MXPROOF_LANE u32 v_subrev_u32_clamp(u32 a, u32 b) {
  return b < a ? 0U : b - a;
}
MXPROOF_LANE i32 saturate(i64 value) {
  return static_cast<i32>(value < INT32_MIN ? i64{INT32_MIN} : value > INT32_MAX ? i64{INT32_MAX} : value);
}
MXPROOF_LANE u32 v_add_i32(u32 a, u32 b) {
  return a + b;
}
MXPROOF_LANE u32 v_sub_i32(u32 a, u32 b) {
  return a - b;
}
MXPROOF_LANE i32 v_add_i32_clamp(i32 a, i32 b) {
  return saturate(i64{a} + b);
}
MXPROOF_LANE i32 v_sub_i32_clamp(i32 a, i32 b) {
  return saturate(i64{a} - b);
}

MXPROOF_LANE i32 v_min_i32(i32 a, i32 b) {
  return a < b ? a : b;
}
MXPROOF_LANE i32 v_max_i32(i32 a, i32 b) {
  return a > b ? a : b;
}
MXPROOF_LANE u32 v_min_u32(u32 a, u32 b) {
  return a < b ? a : b;
}
MXPROOF_LANE u32 v_max_u32(u32 a, u32 b) {
  return a > b ? a : b;
}
MXPROOF_LANE i32 v_min3_i32(i32 a, i32 b, i32 c) {
  return v_min_i32(v_min_i32(a, b), c);
}
MXPROOF_LANE i32 v_max3_i32(i32 a, i32 b, i32 c) {
  return v_max_i32(v_max_i32(a, b), c);
}
MXPROOF_LANE u32 v_min3_u32(u32 a, u32 b, u32 c) {
  return v_min_u32(v_min_u32(a, b), c);
}
MXPROOF_LANE u32 v_max3_u32(u32 a, u32 b, u32 c) {
  return v_max_u32(v_max_u32(a, b), c);
}
MXPROOF_LANE i32 v_med3_i32(i32 a, i32 b, i32 c) {
  return v_max_i32(v_min_i32(a, b), v_min_i32(v_max_i32(a, b), c));
}
MXPROOF_LANE u32 v_med3_u32(u32 a, u32 b, u32 c) {
  return v_max_u32(v_min_u32(a, b), v_min_u32(v_max_u32(a, b), c));
}

MXPROOF_LANE u32 v_lshlrev_b32(u32 a, u32 b) {
  return b << (a & 31U);
}
MXPROOF_LANE u32 v_lshrrev_b32(u32 a, u32 b) {
  return b >> (a & 31U);
}
MXPROOF_LANE i32 v_ashrrev_i32(u32 a, i32 b) {
  return b >> (a & 31U);
}
MXPROOF_LANE u32 v_bfm_b32(u32 a, u32 b) {
  return ((1U << (a & 31U)) - 1U) << (b & 31U);
}
MXPROOF_LANE u32 v_bfe_u32(u32 a, u32 b, u32 c) {
  return (a >> (b & 31U)) & ((1U << (c & 31U)) - 1U);
}
MXPROOF_LANE i32 v_bfe_i32(i32 a, u32 b, u32 c) {
  const u32 width = c & 31U;
  const u32 field = static_cast<u32>(a >> (b & 31U)) & ((1U << width) - 1U);
  const u32 sign = width == 0 ? 0U : 1U << ((width - 1U) & 31U);
  return static_cast<i32>((field ^ sign) - sign);
}
MXPROOF_LANE u32 v_alignbit_b32(u32 a, u32 b, u32 c) {
  return static_cast<u32>(((u64{a} << 32) | b) >> (c & 31U));
}
MXPROOF_LANE u32 v_alignbyte_b32(u32 a, u32 b, u32 c) {
  return static_cast<u32>(((u64{a} << 32) | b) >> (8U * (c & 3U)));
}
MXPROOF_LANE u32 v_bfrev_b32(u32 a) {
  a = ((a >> 1) & 0x55555555U) | ((a & 0x55555555U) << 1);
  a = ((a >> 2) & 0x33333333U) | ((a & 0x33333333U) << 2);
  a = ((a >> 4) & 0x0f0f0f0fU) | ((a & 0x0f0f0f0fU) << 4);
  a = ((a >> 8) & 0x00ff00ffU) | ((a & 0x00ff00ffU) << 8);
  return (a >> 16) | (a << 16);
}
MXPROOF_LANE u32 v_bcnt_u32_b32(u32 a, u32 b) {
  return static_cast<u32>(std::popcount(a)) + b;
}
MXPROOF_LANE u32 v_ffbl_b32(u32 a) {
  return a == 0 ? ~0U : static_cast<u32>(std::countr_zero(a));
}
MXPROOF_LANE u32 v_ffbh_u32(u32 a) {
  return a == 0 ? ~0U : static_cast<u32>(std::countl_zero(a));
}
MXPROOF_LANE u32 v_ffbh_i32(i32 a) {
  const u32 flipped = static_cast<u32>(a ^ (a >> 31));
  return flipped == 0 ? ~0U : static_cast<u32>(std::countl_zero(flipped));
}

MXPROOF_LANE u32 v_mul_lo_u32(u32 a, u32 b) {
  return a * b;
}
MXPROOF_LANE u32 v_mul_hi_u32(u32 a, u32 b) {
  return static_cast<u32>((u64{a} * b) >> 32);
}
MXPROOF_LANE i32 v_mul_hi_i32(i32 a, i32 b) {
  return static_cast<i32>((i64{a} * b) >> 32);
}
MXPROOF_LANE u32 low24(u32 a) {
  return a & 0xffffffU;
}
MXPROOF_LANE i32 signed24(i32 a) {
  return static_cast<i32>(static_cast<u32>(a) << 8) >> 8;
}
MXPROOF_LANE u32 v_mul_u32_u24(u32 a, u32 b) {
  return low24(a) * low24(b);
}
MXPROOF_LANE u32 v_mul_i32_i24(i32 a, i32 b) {
  return static_cast<u32>(signed24(a)) * static_cast<u32>(signed24(b));
}
MXPROOF_LANE u32 v_mul_hi_u32_u24(u32 a, u32 b) {
  return static_cast<u32>((u64{low24(a)} * low24(b)) >> 32);
}
MXPROOF_LANE i32 v_mul_hi_i32_i24(i32 a, i32 b) {
  return static_cast<i32>((i64{signed24(a)} * signed24(b)) >> 32);
}
MXPROOF_LANE u32 v_mad_u32_u24(u32 a, u32 b, u32 c) {
  return low24(a) * low24(b) + c;
}
MXPROOF_LANE u32 v_mad_i32_i24(i32 a, i32 b, u32 c) {
  return v_mul_i32_i24(a, b) + c;
}

/// Byte `select` of the eight bytes of a:b, or a constant pattern. 8..11 replicate a sign, 12 is 0, above is
/// ff.
MXPROOF_LANE u32 permuted_byte(u64 bytes, u32 select) {
  const u32 picked = static_cast<u32>(bytes >> (8U * (select & 7U))) & 0xffU;
  // 8: sign of b's low half, 9: of b's high half, 10 and 11: of a's.
  const u32 sign = static_cast<u32>(bytes >> (16U * (select & 3U) + 15U)) & 1U;
  return select < 8 ? picked : select < 12 ? 0xffU * sign : select == 12 ? 0U : 0xffU;
}
MXPROOF_LANE u32 v_perm_b32(u32 a, u32 b, u32 c) {
  const u64 bytes = (u64{a} << 32) | b;
  return permuted_byte(bytes, c & 0xffU) | permuted_byte(bytes, (c >> 8) & 0xffU) << 8 |
         permuted_byte(bytes, (c >> 16) & 0xffU) << 16 | permuted_byte(bytes, c >> 24) << 24;
}

MXPROOF_LANE u32 absolute_difference(u32 a, u32 b) {
  return a > b ? a - b : b - a;
}
MXPROOF_LANE u32 v_sad_u32(u32 a, u32 b, u32 c) {
  return absolute_difference(a, b) + c;
}
MXPROOF_LANE u32 v_sad_u16(u32 a, u32 b, u32 c) {
  return absolute_difference(a & 0xffffU, b & 0xffffU) + absolute_difference(a >> 16, b >> 16) + c;
}
MXPROOF_LANE u32 byte_differences(u32 a, u32 b) {
  u32 sum = 0;
  for (int shift = 0; shift < 32; shift += 8)
    sum += absolute_difference((a >> shift) & 0xffU, (b >> shift) & 0xffU);
  return sum;
}
MXPROOF_LANE u32 v_sad_u8(u32 a, u32 b, u32 c) {
  return byte_differences(a, b) + c;
}
MXPROOF_LANE u32 v_sad_hi_u8(u32 a, u32 b, u32 c) {
  return (byte_differences(a, b) << 16) + c;
}
MXPROOF_LANE u32 v_msad_u8(u32 a, u32 b, u32 c) {
  u32 sum = c;
  for (int shift = 0; shift < 32; shift += 8) {
    const u32 mask = (b >> shift) & 0xffU;
    sum += mask == 0 ? 0U : absolute_difference((a >> shift) & 0xffU, mask);
  }
  return sum;
}
MXPROOF_LANE u32 v_lerp_u8(u32 a, u32 b, u32 c) {
  u32 result = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const u32 sum = ((a >> shift) & 0xffU) + ((b >> shift) & 0xffU) + ((c >> shift) & 1U);
    result |= (sum >> 1) << shift;
  }
  return result;
}
/// A pseudo-random step: a 32-bit linear feedback shift register.
MXPROOF_LANE u32 v_prng_b32(u32 a) {
  return (a << 1) ^ ((a >> 31) != 0 ? 197U : 0U);
}

/// Truth table `table` on the bits of a, b, c: bit (4 a + 2 b + c) of it is the result.
void v_bitop3_b32(const Instruction& inst, Wave& w) {
  const uint32_t* a = fetch(inst, w, 0);
  const uint32_t* b = fetch(inst, w, 1);
  const uint32_t* c = fetch(inst, w, 2);
  uint32_t* d = result_rows(inst, w);
  u32 term[8];
  for (u32 i = 0; i < 8; ++i) term[i] = ((static_cast<u32>(inst.offset) >> i) & 1U) != 0 ? ~0U : 0U;
  MXPROOF_EACH_LANE {
    const u32 x = a[lane];
    const u32 y = b[lane];
    const u32 z = c[lane];
    const u32 low = (~z & ((~y & term[0]) | (y & term[2]))) | (z & ((~y & term[1]) | (y & term[3])));
    const u32 high = (~z & ((~y & term[4]) | (y & term[6]))) | (z & ((~y & term[5]) | (y & term[7])));
    d[lane] = (~x & low) | (x & high);
  }
  if (inst.row->result == OperandType::b16) {
    MXPROOF_EACH_LANE {
      d[lane] &= 0xffffU;
    }
  }
  commit(inst, w, inst.row->result, d);
}

Status build_bitop3(const BuildContext& context, Instruction& instruction) {
  instruction.offset = static_cast<int32_t>(context.text.item("bitop3", 0, 0));
  return build_vector(context, instruction);
}

constexpr Row bitop3_row(std::string_view name, OperandType type) {
  return {name, &v_bitop3_b32, &build_bitop3, InstructionClass::vector_alu, type, {type, type, type}};
}

constexpr Row kRows[] = {
    MXPROOF_ROW(v_mov_b32),
    MXPROOF_ROW(v_not_b32),
    MXPROOF_ROW(v_and_b32),
    MXPROOF_ROW(v_or_b32),
    MXPROOF_ROW(v_xor_b32),
    MXPROOF_ROW(v_xnor_b32),
    MXPROOF_ROW(v_or3_b32),
    MXPROOF_ROW(v_and_or_b32),
    MXPROOF_ROW(v_bfi_b32),
    bitop3_row("v_bitop3_b32", OperandType::b32),
    bitop3_row("v_bitop3_b16", OperandType::b16),
    MXPROOF_ROW(v_add_u32),
    MXPROOF_ROW(v_sub_u32),
    MXPROOF_ROW(v_subrev_u32),
    vector_row<&v_add_u32_clamp>("v_add_u32 clamp"),
    vector_row<&v_sub_u32_clamp>("v_sub_u32 clamp"),
    vector_row<&v_subrev_u32_clamp>("v_subrev_u32 clamp"),
    MXPROOF_ROW(v_add_i32),
    MXPROOF_ROW(v_sub_i32),
    vector_row<&v_add_i32_clamp>("v_add_i32 clamp"),
    vector_row<&v_sub_i32_clamp>("v_sub_i32 clamp"),
    MXPROOF_ROW(v_add3_u32),
    MXPROOF_ROW(v_lshl_add_u32),
    MXPROOF_ROW(v_add_lshl_u32),
    MXPROOF_ROW(v_lshl_or_b32),
    MXPROOF_ROW(v_xad_u32),
    MXPROOF_ROW(v_min_i32),
    MXPROOF_ROW(v_max_i32),
    MXPROOF_ROW(v_min_u32),
    MXPROOF_ROW(v_max_u32),
    MXPROOF_ROW(v_min3_i32),
    MXPROOF_ROW(v_max3_i32),
    MXPROOF_ROW(v_min3_u32),
    MXPROOF_ROW(v_max3_u32),
    MXPROOF_ROW(v_med3_i32),
    MXPROOF_ROW(v_med3_u32),
    MXPROOF_ROW(v_lshlrev_b32),
    MXPROOF_ROW(v_lshrrev_b32),
    MXPROOF_ROW(v_ashrrev_i32),
    MXPROOF_ROW(v_bfm_b32),
    MXPROOF_ROW(v_bfe_u32),
    MXPROOF_ROW(v_bfe_i32),
    MXPROOF_ROW(v_alignbit_b32),
    MXPROOF_ROW(v_alignbyte_b32),
    MXPROOF_ROW(v_bfrev_b32),
    MXPROOF_ROW(v_bcnt_u32_b32),
    MXPROOF_ROW(v_ffbl_b32),
    MXPROOF_ROW(v_ffbh_u32),
    MXPROOF_ROW(v_ffbh_i32),
    MXPROOF_ROW(v_mul_lo_u32),
    vector_row<&v_mul_lo_u32>("v_mul_lo_i32"),
    MXPROOF_ROW(v_mul_hi_u32),
    MXPROOF_ROW(v_mul_hi_i32),
    MXPROOF_ROW(v_mul_u32_u24),
    MXPROOF_ROW(v_mul_i32_i24),
    MXPROOF_ROW(v_mul_hi_u32_u24),
    MXPROOF_ROW(v_mul_hi_i32_i24),
    MXPROOF_ROW(v_mad_u32_u24),
    MXPROOF_ROW(v_mad_i32_i24),
    MXPROOF_ROW(v_perm_b32),
    MXPROOF_ROW(v_sad_u32),
    MXPROOF_ROW(v_sad_u16),
    MXPROOF_ROW(v_sad_u8),
    MXPROOF_ROW(v_sad_hi_u8),
    MXPROOF_ROW(v_msad_u8),
    MXPROOF_ROW(v_lerp_u8),
    MXPROOF_ROW(v_prng_b32),
};

}  // namespace

std::span<const Row> vector_integer_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_integer_rows);
std::span<const Row> vector_integer_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_integer_rows)();
}
}  // namespace mxproof::emulator
#endif
