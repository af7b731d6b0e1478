// Instructions that move values between lanes, or between vector and scalar registers.
// Source of the operations: AMD CDNA3 ISA reference guide; for the permlane swaps LLVM documentation of
// gfx950.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_lane.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/lanes-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u32 = uint32_t;

// These ignore EXEC, apart from which lane v_readfirstlane takes.
void v_readfirstlane_b32(const Instruction& inst, Wave& w) {
  const uint64_t exec = w.exec();
  const int lane = exec == 0 ? 0 : std::countr_zero(exec);
  const Source& source = inst.src[0];
  w.sgpr[inst.dst] = source.kind == SourceKind::vector ? w.row(source.reg)[lane] : read_scalar32(w, source);
}
void v_readlane_b32(const Instruction& inst, Wave& w) {
  const u32 lane = read_scalar32(w, inst.src[1]) & 63U;
  const Source& source = inst.src[0];
  w.sgpr[inst.dst] = source.kind == SourceKind::vector ? w.row(source.reg)[lane] : read_scalar32(w, source);
}
void v_writelane_b32(const Instruction& inst, Wave& w) {
  w.row(inst.dst)[read_scalar32(w, inst.src[1]) & 63U] = read_scalar32(w, inst.src[0]);
}

/// Swaps under EXEC of the destination's and the source's lane.
void v_swap_b32(const Instruction& inst, Wave& w) {
  uint32_t* a = w.row(inst.dst);
  uint32_t* b = w.row(inst.src[0].reg);
  const uint64_t exec = w.exec();
  for (int lane = 0; lane < kLanes; ++lane) {
    if (((exec >> lane) & 1U) != 0) std::swap(a[lane], b[lane]);
  }
}

/// v_permlane16_swap: rows 1 and 3 of vdst with rows 0 and 2 of the source.
/// v_permlane32_swap: the upper half of vdst with the lower half of the source.
/// Inactive lanes keep their values; where EXEC splits a pair, a switch says what becomes of the other.
template <int Distance>
void permlane_swap(const Instruction& inst, Wave& w) {
  uint32_t* d = w.row(inst.dst);
  uint32_t* s = w.row(inst.src[0].reg);
  const uint64_t exec = w.exec();
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((lane & Distance) == 0) continue;
    const int partner = lane - Distance;
    const uint32_t from_d = d[lane];
    const uint32_t from_s = s[partner];
    bool writes_d = ((exec >> lane) & 1U) != 0;
    bool writes_s = ((exec >> partner) & 1U) != 0;
    if (w.settings.permlane_swap_exec == PermlaneSwapExec::both_lanes)
      writes_d = writes_s = writes_d && writes_s;
    if (writes_d) d[lane] = from_s;
    if (writes_s) s[partner] = from_d;
  }
}

/// Lanes below mine whose bit is set in the mask, within the low or the high half.
void v_mbcnt_lo_u32_b32(const Instruction& inst, Wave& w) {
  const uint32_t* mask = fetch(inst, w, 0);
  const uint32_t* base = fetch(inst, w, 1);
  uint32_t* d = result_rows(inst, w);
  MXPROOF_EACH_LANE {
    const u32 below = lane >= 32 ? ~0U : (1U << (lane & 31)) - 1U;
    d[lane] = static_cast<u32>(std::popcount(mask[lane] & below)) + base[lane];
  }
  commit(inst, w, OperandType::b32, d);
}
void v_mbcnt_hi_u32_b32(const Instruction& inst, Wave& w) {
  const uint32_t* mask = fetch(inst, w, 0);
  const uint32_t* base = fetch(inst, w, 1);
  uint32_t* d = result_rows(inst, w);
  MXPROOF_EACH_LANE {
    const u32 below = lane < 32 ? 0U : (1U << (lane & 31)) - 1U;
    d[lane] = static_cast<u32>(std::popcount(mask[lane] & below)) + base[lane];
  }
  commit(inst, w, OperandType::b32, d);
}

void v_nop(const Instruction&, Wave&) {}
Status build_nothing(const BuildContext&, Instruction&) {
  return {};
}

/// sdst, vsrc [, lane]: the destination is scalar.
Status build_to_scalar(const BuildContext& context, Instruction& instruction) {
  if (Status s = build_vector(context, instruction); !s.ok()) return s;
  return instruction.dst_scalar ? Status() : operand_error(context, 0, "should be a scalar register");
}
/// vdst, ssrc, lane: sources are scalar.
Status build_from_scalar(const BuildContext& context, Instruction& instruction) {
  if (Status s = build_vector(context, instruction); !s.ok()) return s;
  for (const Source& source : {instruction.src[0], instruction.src[1]}) {
    if (source.kind == SourceKind::vector) return operand_error(context, 1, "should be scalar");
  }
  return {};
}
Status build_swap(const BuildContext& context, Instruction& instruction) {
  if (Status s = build_vector(context, instruction); !s.ok()) return s;
  return instruction.src[0].kind == SourceKind::vector
             ? Status()
             : operand_error(context, 1, "should be a vector register");
}

MXPROOF_LANE u32 v_accvgpr_read_b32(u32 a) {
  return a;
}
MXPROOF_LANE u32 v_accvgpr_write_b32(u32 a) {
  return a;
}
MXPROOF_LANE u32 v_accvgpr_mov_b32(u32 a) {
  return a;
}

constexpr OperandType k32 = OperandType::b32;
constexpr InstructionClass kClass = InstructionClass::vector_alu;

constexpr Row kRows[] = {
    {"v_nop", &v_nop, &build_nothing, kClass},
    {"v_readfirstlane_b32", &v_readfirstlane_b32, &build_to_scalar, kClass, k32, {k32}},
    {"v_readlane_b32", &v_readlane_b32, &build_to_scalar, kClass, k32, {k32, k32}},
    {"v_writelane_b32", &v_writelane_b32, &build_from_scalar, kClass, k32, {k32, k32}},
    {"v_swap_b32", &v_swap_b32, &build_swap, kClass, k32, {k32}},
    {"v_permlane16_swap_b32", &permlane_swap<16>, &build_swap, kClass, k32, {k32}},
    {"v_permlane32_swap_b32", &permlane_swap<32>, &build_swap, kClass, k32, {k32}},
    {"v_mbcnt_lo_u32_b32", &v_mbcnt_lo_u32_b32, &build_vector, kClass, k32, {k32, k32}},
    {"v_mbcnt_hi_u32_b32", &v_mbcnt_hi_u32_b32, &build_vector, kClass, k32, {k32, k32}},
    MXPROOF_ROW(v_accvgpr_read_b32),
    MXPROOF_ROW(v_accvgpr_write_b32),
    MXPROOF_ROW(v_accvgpr_mov_b32),
};

}  // namespace

std::span<const Row> vector_lane_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_lane_rows);
std::span<const Row> vector_lane_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_lane_rows)();
}
}  // namespace mxproof::emulator
#endif
