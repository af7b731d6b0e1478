// Branches, waits, barriers, register-file controls: SOPP and the program-counter part of SOP1 and SOPK.
// Source of the operations: AMD's CDNA3 ISA reference guide, chapters "Program Flow Control" and
// "Instructions".
#include <algorithm>
#include <array>

#include "emulator/isa/build.hpp"
#include "emulator/isa/memory_wait.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/machine/group.hpp"
#include "emulator/machine/program.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {
namespace {

/// Past its budget a wave runs so many more instructions, which show how far its loop reaches.
constexpr int64_t kLoopInstructions = 1 << 16;

/// The wave has used up its slice, and perhaps its budget.
void end_slice(const Instruction& inst, Wave& w, const Instruction& target, int64_t length) {
  if (w.budget > 0) {
    if (w.state == WaveState::running) w.state = WaveState::yielded;
    return;
  }
  if (w.loop_left == 0) {
    w.loop_left = kLoopInstructions;
    w.stop.loop_begin = target.pc;
    w.stop.loop_end = inst.pc;
  }
  w.stop.loop_begin = std::min({w.stop.loop_begin, target.pc, inst.pc});
  w.stop.loop_end = std::max({w.stop.loop_end, target.pc, inst.pc});
  w.loop_left -= length;
  if (w.loop_left > 0) return;
  w.fault(inst, "ran past its instruction budget: a loop that does not end?",
          {FaultKind::loop, -1, std::nullopt, w.stop.loop_begin, w.stop.loop_end});
}

/// Continues at `target`. Counting and the budget happen here, once per straight run of instructions.
void jump(const Instruction& inst, Wave& w, const Instruction* target) {
  const auto length = static_cast<int64_t>(inst.index - w.run_start) + 1;
  ++w.executed[target->index];
  --w.executed[inst.index + 1];
  w.run_start = target->index;
  w.pc = target;
  w.budget -= length;
  w.slice -= length;
  if (w.slice <= 0) end_slice(inst, w, *target, length);
}

/// To an address known only now.
void jump_to_address(const Instruction& inst, Wave& w, uint64_t address) {
  const Instruction* target = w.group->program->at(address);
  if (target == nullptr) {
    char text[64];
    std::snprintf(text, sizeof text, "jumps to 0x%llx, where there is no code",
                  static_cast<unsigned long long>(address));
    w.fault(inst, text);
    return;
  }
  jump(inst, w, target);
}

void s_branch(const Instruction& inst, Wave& w) {
  jump(inst, w, inst.target);
}
template <bool (*Condition)(const Wave&)>
void branch_if(const Instruction& inst, Wave& w) {
  if (Condition(w)) jump(inst, w, inst.target);
}
bool scc0(const Wave& w) {
  return !w.scc;
}
bool scc1(const Wave& w) {
  return w.scc;
}
bool vccz(const Wave& w) {
  return w.vcc() == 0;
}
bool vccnz(const Wave& w) {
  return w.vcc() != 0;
}
bool execz(const Wave& w) {
  return w.exec() == 0;
}
bool execnz(const Wave& w) {
  return w.exec() != 0;
}
bool never(const Wave&) {
  return false;
}

void s_getpc_b64(const Instruction& inst, Wave& w) {
  w.set_scalar64(inst.dst, inst.pc + inst.size);
}
void s_setpc_b64(const Instruction& inst, Wave& w) {
  jump_to_address(inst, w, read_scalar64(w, inst.src[0]));
}
void s_swappc_b64(const Instruction& inst, Wave& w) {
  const uint64_t target = read_scalar64(w, inst.src[0]);
  w.set_scalar64(inst.dst, inst.pc + inst.size);
  jump_to_address(inst, w, target);
}
void s_call_b64(const Instruction& inst, Wave& w) {
  w.set_scalar64(inst.dst, inst.pc + inst.size);
  jump(inst, w, inst.target);
}

void s_nop(const Instruction&, Wave&) {}

void s_endpgm(const Instruction& inst, Wave& w) {
  finish_all_accesses(w);
  --w.executed[inst.index + 1];
  if (w.state != WaveState::faulted) w.state = WaveState::ended;
}

void s_barrier(const Instruction&, Wave& w) {
  w.state = WaveState::barrier;
}

/// Lets other waves run: what a wave that polls memory does between two looks.
void s_sleep(const Instruction&, Wave& w) {
  if (w.state == WaveState::running) w.state = WaveState::yielded;
}

void s_trap(const Instruction& inst, Wave& w) {
  w.fault(inst,
          "trap " + std::to_string(inst.offset & 0xff) + " (a failed device assertion or __builtin_trap)");
}

/// vmcnt = imm[15:14]:imm[3:0], expcnt = imm[6:4], lgkmcnt = imm[11:8].
void s_waitcnt(const Instruction& inst, Wave& w) {
  const auto imm = static_cast<uint32_t>(inst.offset);
  wait_lgkm(w, (imm >> 8) & 0xfU);
  wait_vm(w, (imm & 0xfU) | ((imm >> 10) & 0x30U));
}

// ---- VGPR indexing: M0[7:0] is added to VGPR numbers, M0[15:12] says of which operands ----
void s_set_gpr_idx_on(const Instruction& inst, Wave& w) {
  const uint32_t mode = static_cast<uint32_t>(inst.offset) & 0xfU;
  w.sgpr[kM0] = (w.sgpr[kM0] & ~0xf0ffU) | (read_scalar32(w, inst.src[0]) & 0xffU) | (mode << 12);
  w.gpr_index_mode = mode;
  w.state = WaveState::indexed;
}
void s_set_gpr_idx_off(const Instruction&, Wave& w) {
  if (w.state == WaveState::indexed) w.state = WaveState::running;
}
void s_set_gpr_idx_idx(const Instruction& inst, Wave& w) {
  w.sgpr[kM0] = (w.sgpr[kM0] & ~0xffU) | (read_scalar32(w, inst.src[0]) & 0xffU);
}
void s_set_gpr_idx_mode(const Instruction& inst, Wave& w) {
  const uint32_t mode = static_cast<uint32_t>(inst.offset) & 0xfU;
  w.sgpr[kM0] = (w.sgpr[kM0] & ~0xf000U) | (mode << 12);
  w.gpr_index_mode = mode;
}

/// The mode bits stand in the second source field of the encoding.
Status build_gpr_idx_on(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 1); !s.ok()) return s;
  instruction.offset = static_cast<int32_t>((context.words[0] >> 8) & 0xffU);
  return build_source(context, context.text.operands[0], OperandType::b32, instruction.src[0]);
}

// ---- Hardware registers: simm16 = (size - 1)[15:11], offset[10:6], id[5:0] ----
constexpr uint32_t kHwRegMode = 1;

struct Field {
  uint32_t id;
  uint32_t shift;
  uint32_t mask;  ///< Unshifted.
};
Field hardware_field(const Instruction& inst) {
  const auto imm = static_cast<uint32_t>(inst.offset);
  const uint32_t size = ((imm >> 11) & 31U) + 1;
  return {imm & 63U, (imm >> 6) & 31U, size == 32 ? ~0U : (1U << size) - 1U};
}

/// Registers that say where a wave runs have a fixed answer: one XCC, one SE, wave slot = index in the group.
uint32_t hardware_register(const Wave& w, uint32_t id) {
  constexpr uint32_t kHwId = 4;
  if (id == kHwRegMode) return w.mode;
  return id == kHwId ? w.index_in_group & 0xfU : 0;
}

void s_getreg_b32(const Instruction& inst, Wave& w) {
  const Field field = hardware_field(inst);
  w.sgpr[inst.dst] = (hardware_register(w, field.id) >> field.shift) & field.mask;
}

void set_hardware_register(const Instruction& inst, Wave& w, uint32_t value) {
  const Field field = hardware_field(inst);
  if (field.id != kHwRegMode) return;  // STATUS and TRAPSTS hold nothing that is modelled
  w.mode = (w.mode & ~(field.mask << field.shift)) | ((value & field.mask) << field.shift);
  constexpr uint32_t kArithmetic = kModeRound32 | kModeRound64 | kModeDenorm32 | kModeDenorm64;
  w.plain_mode = (w.mode & kArithmetic) == kModePlain;
}
void s_setreg_b32(const Instruction& inst, Wave& w) {
  set_hardware_register(inst, w, read_scalar32(w, inst.src[0]));
}

Status build_getreg(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 1); !s.ok()) return s;
  if (Status s = build_destination(context, 0, 1, instruction); !s.ok()) return s;
  return build_simm16(context, instruction);
}
/// s_setreg_b32 hwreg(...), sdata - the second operand is a register or, for the imm32 form, a literal.
Status build_setreg(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 2); !s.ok()) return s;
  if (Status s = build_source(context, context.text.operands[1], OperandType::b32, instruction.src[0]);
      !s.ok())
    return s;
  return build_simm16(context, instruction);
}

Status build_call(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 1); !s.ok()) return s;
  if (Status s = build_destination(context, 0, 2, instruction); !s.ok()) return s;
  return build_simm16(context, instruction);
}

constexpr Row simple(std::string_view name, Handler run, InstructionClass instruction_class,
                     Builder build = &build_simm16) {
  return {name, run, build, instruction_class};
}
constexpr InstructionClass kBranch = InstructionClass::branch;
constexpr InstructionClass kOther = InstructionClass::other;
constexpr OperandType kNothing = OperandType::none;
constexpr OperandType k64 = OperandType::b64;

constexpr Row kRows[] = {
    simple("s_branch", &s_branch, kBranch),
    simple("s_cbranch_scc0", &branch_if<&scc0>, kBranch),
    simple("s_cbranch_scc1", &branch_if<&scc1>, kBranch),
    simple("s_cbranch_vccz", &branch_if<&vccz>, kBranch),
    simple("s_cbranch_vccnz", &branch_if<&vccnz>, kBranch),
    simple("s_cbranch_execz", &branch_if<&execz>, kBranch),
    simple("s_cbranch_execnz", &branch_if<&execnz>, kBranch),
    simple("s_cbranch_cdbgsys", &branch_if<&never>, kBranch),
    simple("s_cbranch_cdbguser", &branch_if<&never>, kBranch),
    simple("s_cbranch_cdbgsys_or_user", &branch_if<&never>, kBranch),
    simple("s_cbranch_cdbgsys_and_user", &branch_if<&never>, kBranch),
    simple("s_call_b64", &s_call_b64, kBranch, &build_call),
    {"s_getpc_b64", &s_getpc_b64, &build_scalar, InstructionClass::scalar_alu, k64},
    {"s_setpc_b64", &s_setpc_b64, &build_scalar, kBranch, kNothing, {k64}},
    {"s_swappc_b64", &s_swappc_b64, &build_scalar, kBranch, k64, {k64}},
    simple("s_endpgm", &s_endpgm, kOther),
    simple("s_endpgm_saved", &s_endpgm, kOther),
    simple("s_barrier", &s_barrier, InstructionClass::barrier),
    simple("s_waitcnt", &s_waitcnt, InstructionClass::wait),
    simple("s_nop", &s_nop, kOther),
    simple("s_sleep", &s_sleep, kOther),
    simple("s_wakeup", &s_nop, kOther),
    simple("s_setprio", &s_nop, kOther),
    simple("s_sethalt", &s_nop, kOther),
    simple("s_setkill", &s_nop, kOther),
    simple("s_icache_inv", &s_nop, kOther),
    simple("s_incperflevel", &s_nop, kOther),
    simple("s_decperflevel", &s_nop, kOther),
    simple("s_ttracedata", &s_nop, kOther),
    simple("s_sendmsg", &s_nop, kOther),
    simple("s_trap", &s_trap, kOther),
    simple("s_set_gpr_idx_on", &s_set_gpr_idx_on, kOther, &build_gpr_idx_on),
    simple("s_set_gpr_idx_off", &s_set_gpr_idx_off, kOther),
    {"s_set_gpr_idx_idx", &s_set_gpr_idx_idx, &build_scalar, kOther, kNothing, {OperandType::b32}},
    simple("s_set_gpr_idx_mode", &s_set_gpr_idx_mode, kOther),
    simple("s_getreg_b32", &s_getreg_b32, InstructionClass::scalar_alu, &build_getreg),
    simple("s_setreg_b32", &s_setreg_b32, InstructionClass::scalar_alu, &build_setreg),
    simple("s_setreg_imm32_b32", &s_setreg_b32, InstructionClass::scalar_alu, &build_setreg),
};

}  // namespace

std::span<const Row> scalar_control_rows() {
  return kRows;
}

}  // namespace mxproof::emulator
