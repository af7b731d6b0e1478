// Vector instructions that read or write a bit a lane: carries, selects, 64-bit multiply-add with carry out.
// Source of the operations: AMD CDNA3 ISA reference guide, chapter "Instructions", VOP2 and VOP3.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_carry.cpp"
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

/// Writes a mask result: bits of inactive lanes become 0.
void write_mask(const Instruction& inst, Wave& w, uint64_t mask) {
  w.set_scalar64(inst.dst2, mask & w.exec());
}

enum class CarryOp : uint8_t { add, sub, subrev };

/// Sum or difference with a carry in of 0 or 1 a lane; `out` receives ~0 where it carried.
template <CarryOp Op, bool CarryIn>
void carry_op(const Instruction& inst, Wave& w) {
  const uint32_t* s0 = fetch(inst, w, 0);
  const uint32_t* s1 = fetch(inst, w, 1);
  alignas(64) uint32_t in[kLanes];
  alignas(64) uint32_t out[kLanes];
  if constexpr (CarryIn) spread_mask(read_scalar64(w, inst.src[2]), in);
  const uint32_t* a = Op == CarryOp::subrev ? s1 : s0;
  const uint32_t* b = Op == CarryOp::subrev ? s0 : s1;
  uint32_t* d = result_rows(inst, w);
  const bool clamp = inst.extra != 0;
  MXPROOF_EACH_LANE {
    const u32 carry = CarryIn ? in[lane] & 1U : 0U;
    const u32 x = a[lane];
    const u32 y = b[lane];
    u32 value;
    bool carried;
    if constexpr (Op == CarryOp::add) {
      value = x + y + carry;
      carried = value < x || (carry != 0 && value == x);
    } else {
      value = x - y - carry;
      carried = x < y || (carry != 0 && x == y);
    }
    out[lane] = carried ? ~0U : 0U;
    d[lane] = clamp && carried ? (Op == CarryOp::add ? ~0U : 0U) : value;
  }
  commit(inst, w, OperandType::b32, d);
  write_mask(inst, w, gather_mask(out));
}

/// 64-bit a * b + c; the carry out is that of the unsigned or signed 64-bit sum.
template <class T>
void mad_64(const Instruction& inst, Wave& w) {
  using Wide = std::conditional_t<std::is_signed_v<T>, i64, u64>;
  const uint32_t* a = fetch(inst, w, 0);
  const uint32_t* b = fetch(inst, w, 1);
  const uint32_t* c = fetch(inst, w, 2);
  alignas(64) uint32_t out[kLanes];
  uint32_t* d = w.result.data();
  MXPROOF_EACH_LANE {
    const auto product = static_cast<u64>(Wide{static_cast<T>(a[lane])} * Wide{static_cast<T>(b[lane])});
    const u64 addend = c[lane] | u64{c[lane + kLanes]} << 32;
    const u64 sum = product + addend;
    const bool overflow =
        std::is_signed_v<T> ? ((~(product ^ addend) & (product ^ sum)) >> 63) != 0 : sum < product;
    out[lane] = overflow ? ~0U : 0U;
    LaneType<u64>::store(d, lane, sum);
  }
  commit(inst, w, OperandType::b64, d);
  write_mask(inst, w, gather_mask(out));
}

void v_cndmask_b32(const Instruction& inst, Wave& w) {
  const uint32_t* s0 = fetch(inst, w, 0);
  const uint32_t* s1 = fetch(inst, w, 1);
  alignas(64) uint32_t mask[kLanes];
  spread_mask(read_scalar64(w, inst.src[2]), mask);
  uint32_t* d = result_rows(inst, w);
  MXPROOF_EACH_LANE {
    d[lane] = (s1[lane] & mask[lane]) | (s0[lane] & ~mask[lane]);
  }
  commit(inst, w, OperandType::b32, d);
}

/// The mask is the fourth operand; SDWA and DPP forms leave it out and mean VCC.
Status build_cndmask(const BuildContext& context, Instruction& instruction) {
  if (context.text.operands.size() >= 4) return build_vector(context, instruction);
  TextInstruction text = context.text;
  TextOperand vcc;
  vcc.kind = OperandKind::scalar;
  vcc.first = kVcc;
  vcc.count = 2;
  vcc.text = "vcc";
  text.operands.push_back(vcc);
  return build_vector({text, context.words, context.row, context.arena}, instruction);
}

constexpr OperandType k32 = OperandType::b32;
constexpr OperandType k64 = OperandType::b64;
constexpr OperandType kMask = OperandType::mask;
constexpr InstructionClass kClass = InstructionClass::vector_alu;

constexpr Row kRows[] = {
    {"v_cndmask_b32", &v_cndmask_b32, &build_cndmask, kClass, k32, {k32, k32, kMask}},
    {"v_add_co_u32", &carry_op<CarryOp::add, false>, &build_carry, kClass, k32, {k32, k32}},
    {"v_sub_co_u32", &carry_op<CarryOp::sub, false>, &build_carry, kClass, k32, {k32, k32}},
    {"v_subrev_co_u32", &carry_op<CarryOp::subrev, false>, &build_carry, kClass, k32, {k32, k32}},
    {"v_addc_co_u32", &carry_op<CarryOp::add, true>, &build_carry, kClass, k32, {k32, k32, kMask}},
    {"v_subb_co_u32", &carry_op<CarryOp::sub, true>, &build_carry, kClass, k32, {k32, k32, kMask}},
    {"v_subbrev_co_u32", &carry_op<CarryOp::subrev, true>, &build_carry, kClass, k32, {k32, k32, kMask}},
    {"v_add_co_u32 clamp", &carry_op<CarryOp::add, false>, &build_carry, kClass, k32, {k32, k32}, 1},
    {"v_sub_co_u32 clamp", &carry_op<CarryOp::sub, false>, &build_carry, kClass, k32, {k32, k32}, 1},
    {"v_subrev_co_u32 clamp", &carry_op<CarryOp::subrev, false>, &build_carry, kClass, k32, {k32, k32}, 1},
    {"v_addc_co_u32 clamp", &carry_op<CarryOp::add, true>, &build_carry, kClass, k32, {k32, k32, kMask}, 1},
    {"v_subb_co_u32 clamp", &carry_op<CarryOp::sub, true>, &build_carry, kClass, k32, {k32, k32, kMask}, 1},
    {"v_subbrev_co_u32 clamp",
     &carry_op<CarryOp::subrev, true>,
     &build_carry,
     kClass,
     k32,
     {k32, k32, kMask},
     1},
    {"v_mad_u64_u32", &mad_64<u32>, &build_carry, kClass, k64, {k32, k32, k64}},
    {"v_mad_i64_i32", &mad_64<i32>, &build_carry, kClass, k64, {k32, k32, k64}},
};

}  // namespace

std::span<const Row> vector_carry_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_carry_rows);
std::span<const Row> vector_carry_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_carry_rows)();
}
}  // namespace mxproof::emulator
#endif
