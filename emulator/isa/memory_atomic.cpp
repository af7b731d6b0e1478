// Atomics on global, flat and buffer memory. They take effect, and return the old value, at their wait.
// A launch whose code has any of them runs on one host thread, so plain loads and stores are enough here.
// Source of the operations: AMD CDNA3 ISA reference guide, chapters "Flat Memory Instructions" and "Vector
// Memory".
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/memory_atomic.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/atomic_ops.hpp"
#include "emulator/isa/buffer_address-inl.hpp"
#include "emulator/isa/host_address.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/isa/vector_address-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

/// The value of `rows` that starts at row `at`.
template <class T>
HWY_INLINE T operand(const VectorAccess& access, int at, int lane) {
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(access.data[at][lane] | uint64_t{access.data[at + 1][lane]} << 32);
  } else {
    return std::bit_cast<T>(access.data[at][lane]);
  }
}

/// In memory order: the new value of a compare-and-swap comes first, then what it is compared with.
template <AtomicOp Op, class T>
void complete(VectorAccess& access, Wave& w) {
  constexpr int kRows = sizeof(T) / 4;
  for (uint64_t left = access.exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    auto* memory = host(access.address[lane]);
    T old;
    std::memcpy(&old, memory, sizeof old);
    const T first = operand<T>(access, 0, lane);
    const T compare = has_second_operand(Op) ? operand<T>(access, kRows, lane) : first;
    const T value = apply_atomic<Op, T>(old, compare, first);
    std::memcpy(memory, &value, sizeof value);
    if (access.inst->dst != kNone) LaneType<T>::store(w.row(access.inst->dst), lane, old);
  }
  if (access.inst->dst == kNone) return;
  for (uint64_t left = access.zero; left != 0; left &= left - 1) {
    LaneType<T>::store(w.row(access.inst->dst), std::countr_zero(left), T{});
  }
}

template <AddressMode Mode>
void issue(const Instruction& inst, Wave& w) {
  VectorAccess* access = begin<Mode>(inst, w, shape_bytes(inst.extra));
  if (access != nullptr) capture(*access, w, inst.src[kData].reg, inst.src[kData].rows);
}
void issue_buffer(const Instruction& inst, Wave& w) {
  VectorAccess* access = begin_buffer(inst, w, shape_bytes(inst.extra));
  if (access != nullptr) capture(*access, w, inst.src[kData].reg, inst.src[kData].rows);
}

constexpr uint32_t kTwoOperands = 1U << 16;
int data_rows(const Row& row) {
  return shape_rows(row.extra) * ((row.extra & kTwoOperands) != 0 ? 2 : 1);
}

/// [vdst,] vaddr, vdata, saddr - vdst is there when sc0 asks for the old value.
template <AddressMode Mode>
Status build(const BuildContext& context, Instruction& instruction) {
  const bool returns = context.text.has("sc0");
  const size_t at = returns ? 1 : 0;
  if (Status s = need_operands(context, at + (Mode == AddressMode::flat ? 2 : 3)); !s.ok()) return s;
  if (returns) {
    if (Status s = build_destination(context, 0, shape_rows(context.row.extra), instruction); !s.ok())
      return s;
  }
  if (Status s = build_data(context, at + 1, data_rows(context.row), instruction); !s.ok()) return s;
  return build_address<Mode>(context, at, at + 2, instruction);
}
/// vdata, vaddr, srsrc, soffset - the old value comes back in vdata.
Status build_for_buffer(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 4); !s.ok()) return s;
  if (Status s = build_data(context, 0, data_rows(context.row), instruction); !s.ok()) return s;
  if (context.text.has("sc0")) {
    if (Status s = build_destination(context, 0, shape_rows(context.row.extra), instruction); !s.ok())
      return s;
  }
  return build_buffer_address(context, 1, instruction);
}

template <AtomicOp Op, class T>
constexpr Row row(std::string_view name, Handler run, Builder build) {
  const uint32_t shape = sizeof(T) | (has_second_operand(Op) ? kTwoOperands : 0U);
  return {name, run, build, InstructionClass::global_memory, OperandType::none, {}, shape, &complete<Op, T>};
}

#define FORMS(suffix, op, T)                                                                               \
  row<AtomicOp::op, T>("global_atomic_" suffix, &issue<AddressMode::global>, &build<AddressMode::global>), \
      row<AtomicOp::op, T>("flat_atomic_" suffix, &issue<AddressMode::flat>, &build<AddressMode::flat>),   \
      row<AtomicOp::op, T>("buffer_atomic_" suffix, &issue_buffer, &build_for_buffer)
#define WIDTHS(suffix, op, T32, T64) FORMS(suffix, op, T32), FORMS(suffix "_x2", op, T64)

constexpr Row kRows[] = {
    WIDTHS("swap", swap, uint32_t, uint64_t),
    WIDTHS("cmpswap", compare_swap, uint32_t, uint64_t),
    WIDTHS("add", add, uint32_t, uint64_t),
    WIDTHS("sub", sub, uint32_t, uint64_t),
    WIDTHS("smin", min, int32_t, int64_t),
    WIDTHS("umin", min, uint32_t, uint64_t),
    WIDTHS("smax", max, int32_t, int64_t),
    WIDTHS("umax", max, uint32_t, uint64_t),
    WIDTHS("and", and_, uint32_t, uint64_t),
    WIDTHS("or", or_, uint32_t, uint64_t),
    WIDTHS("xor", xor_, uint32_t, uint64_t),
    WIDTHS("inc", increment, uint32_t, uint64_t),
    WIDTHS("dec", decrement, uint32_t, uint64_t),
    FORMS("add_f32", add, float),
    FORMS("add_f64", add, double),
    FORMS("min_f64", float_min, double),
    FORMS("max_f64", float_max, double),
    FORMS("pk_add_f16", pk_add_f16, uint32_t),
    FORMS("pk_add_bf16", pk_add_bf16, uint32_t),
};

}  // namespace

std::span<const Row> memory_atomic_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(memory_atomic_rows);
std::span<const Row> memory_atomic_rows() {
  return HWY_DYNAMIC_DISPATCH(memory_atomic_rows)();
}
}  // namespace mxproof::emulator
#endif
