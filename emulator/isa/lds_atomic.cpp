// LDS atomics, with and without returning the old value.
// Source of the operations: AMD CDNA3 ISA reference guide, chapter "Data Share".
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/lds_atomic.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/access_shape.hpp"
#include "emulator/isa/atomic_ops.hpp"
#include "emulator/isa/lds_address-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

template <class T>
HWY_INLINE T operand(const LdsAccess& access, int at, int lane) {
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(access.data[at][lane] | uint64_t{access.data[at + 1][lane]} << 32);
  } else {
    return std::bit_cast<T>(access.data[at][lane]);
  }
}

/// data0 is what compare-and-swap compares with (the mask of mask-or), data1 what it stores.
template <AtomicOp Op, class T>
void complete(LdsAccess& access, Wave& w) {
  constexpr int kRows = sizeof(T) / 4;
  const auto offset = static_cast<uint32_t>(access.inst->offset);
  for (uint64_t left = access.exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::byte* memory = lds_at(w, access.address[lane], offset);
    T old;
    std::memcpy(&old, memory, sizeof old);
    const T first = operand<T>(access, 0, lane);
    const T second = has_second_operand(Op) ? operand<T>(access, kRows, lane) : first;
    const T value = apply_atomic<Op, T>(old, first, second);
    std::memcpy(memory, &value, sizeof value);
    if (access.inst->dst != kNone) LaneType<T>::store(w.row(access.inst->dst), lane, old);
  }
}

void issue(const Instruction& inst, Wave& w) {
  LdsAccess& access = open_lds(inst, w);
  if (!begin_lds(inst, w, access, static_cast<uint32_t>(inst.offset), shape_bytes(inst.extra))) return;
  const int rows = shape_rows(inst.extra);
  capture_lds(access, 0, w, inst.src[kLdsData].reg, rows);
  if (inst.src[kLdsData2].kind != SourceKind::none)
    capture_lds(access, rows, w, inst.src[kLdsData2].reg, rows);
}

constexpr uint32_t kTwoOperands = 1U << 16;
constexpr uint32_t kReturns = 1U << 17;

/// [vdst,] vaddr, data0 [, data1]
Status build(const BuildContext& context, Instruction& instruction) {
  const uint32_t extra = context.row.extra;
  const size_t at = (extra & kReturns) != 0 ? 1 : 0;
  const bool two = (extra & kTwoOperands) != 0;
  if (Status s = need_operands(context, at + (two ? 3 : 2)); !s.ok()) return s;
  instruction.offset = static_cast<int32_t>(context.words[0] & 0xffffU);
  const int rows = shape_rows(extra);
  if (at != 0) {
    if (Status s = build_destination(context, 0, rows, instruction); !s.ok()) return s;
  }
  if (Status s = build_lds_register(context, at, 1, kLdsAddress, instruction); !s.ok()) return s;
  if (Status s = build_lds_register(context, at + 1, rows, kLdsData, instruction); !s.ok()) return s;
  return two ? build_lds_register(context, at + 2, rows, kLdsData2, instruction) : Status();
}

/// LDS counter at M0 + offset: grows or shrinks by the number of active lanes; every lane gets the old value.
template <bool Append>
void complete_counter(LdsAccess& access, Wave& w) {
  std::byte* counter = lds_at(w, access.address[0], 0);
  uint32_t old;
  std::memcpy(&old, counter, sizeof old);
  const auto lanes = static_cast<uint32_t>(std::popcount(access.exec));
  const uint32_t value = Append ? old + lanes : old - lanes;
  std::memcpy(counter, &value, sizeof value);
  for (uint64_t left = access.exec; left != 0; left &= left - 1)
    w.row(access.inst->dst)[std::countr_zero(left)] = old;
}
void issue_counter(const Instruction& inst, Wave& w) {
  const uint64_t address = uint64_t{w.sgpr[kM0] & 0xffffU} + static_cast<uint32_t>(inst.offset);
  if (address + 4 > w.group->lds.size()) {
    fault_offset(w, inst, 0, address, 4, "LDS", w.group->lds.size());
    return;
  }
  open_lds(inst, w).address[0] = static_cast<uint32_t>(address);
}
Status build_counter(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 1); !s.ok()) return s;
  instruction.offset = static_cast<int32_t>(context.words[0] & 0xffffU);
  return build_destination(context, 0, 1, instruction);
}

template <AtomicOp Op, class T>
constexpr Row row(std::string_view name, bool returns) {
  const uint32_t shape = sizeof(T) | (has_second_operand(Op) ? kTwoOperands : 0U) | (returns ? kReturns : 0U);
  return {name, &issue, &build,  InstructionClass::lds, OperandType::none,
          {},   shape,  nullptr, &complete<Op, T>};
}
constexpr Row counter_row(std::string_view name, void (*complete)(LdsAccess&, Wave&)) {
  return {name, &issue_counter, &build_counter, InstructionClass::lds, OperandType::none, {},
          4,    nullptr,        complete};
}

#define BOTH(stem, suffix, op, T) \
  row<AtomicOp::op, T>("ds_" stem "_" suffix, false), row<AtomicOp::op, T>("ds_" stem "_rtn_" suffix, true)

constexpr Row kRows[] = {
    BOTH("add", "u32", add, uint32_t),
    BOTH("add", "u64", add, uint64_t),
    BOTH("sub", "u32", sub, uint32_t),
    BOTH("sub", "u64", sub, uint64_t),
    BOTH("rsub", "u32", rsub, uint32_t),
    BOTH("rsub", "u64", rsub, uint64_t),
    BOTH("inc", "u32", increment, uint32_t),
    BOTH("inc", "u64", increment, uint64_t),
    BOTH("dec", "u32", decrement, uint32_t),
    BOTH("dec", "u64", decrement, uint64_t),
    BOTH("min", "i32", min, int32_t),
    BOTH("min", "i64", min, int64_t),
    BOTH("max", "i32", max, int32_t),
    BOTH("max", "i64", max, int64_t),
    BOTH("min", "u32", min, uint32_t),
    BOTH("min", "u64", min, uint64_t),
    BOTH("max", "u32", max, uint32_t),
    BOTH("max", "u64", max, uint64_t),
    BOTH("and", "b32", and_, uint32_t),
    BOTH("and", "b64", and_, uint64_t),
    BOTH("or", "b32", or_, uint32_t),
    BOTH("or", "b64", or_, uint64_t),
    BOTH("xor", "b32", xor_, uint32_t),
    BOTH("xor", "b64", xor_, uint64_t),
    BOTH("mskor", "b32", mask_or, uint32_t),
    BOTH("mskor", "b64", mask_or, uint64_t),
    BOTH("cmpst", "b32", compare_swap, uint32_t),
    BOTH("cmpst", "b64", compare_swap, uint64_t),
    BOTH("cmpst", "f32", compare_swap, float),
    BOTH("cmpst", "f64", compare_swap, double),
    BOTH("add", "f32", add, float),
    BOTH("add", "f64", add, double),
    BOTH("min", "f32", float_min, float),
    BOTH("max", "f32", float_max, float),
    BOTH("min", "f64", float_min, double),
    BOTH("max", "f64", float_max, double),
    row<AtomicOp::swap, uint32_t>("ds_wrxchg_rtn_b32", true),
    row<AtomicOp::swap, uint64_t>("ds_wrxchg_rtn_b64", true),
    row<AtomicOp::pk_add_f16, uint32_t>("ds_pk_add_f16", false),
    row<AtomicOp::pk_add_f16, uint32_t>("ds_pk_add_rtn_f16", true),
    row<AtomicOp::pk_add_bf16, uint32_t>("ds_pk_add_bf16", false),
    row<AtomicOp::pk_add_bf16, uint32_t>("ds_pk_add_rtn_bf16", true),
    counter_row("ds_append", &complete_counter<true>),
    counter_row("ds_consume", &complete_counter<false>),
};

}  // namespace

std::span<const Row> lds_atomic_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(lds_atomic_rows);
std::span<const Row> lds_atomic_rows() {
  return HWY_DYNAMIC_DISPATCH(lds_atomic_rows)();
}
}  // namespace mxproof::emulator
#endif
