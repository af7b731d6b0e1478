#include "emulator/machine/run.hpp"

#include "emulator/machine/wave.hpp"
#include "emulator/watch/group_watch.hpp"

namespace mxproof::emulator {
namespace {

constexpr uint32_t kIndexDestination = 1U << 3;

/// Adds the index to a register number; a number past the file's end stops the wave.
bool shift_register(const Instruction& inst, Wave& w, uint16_t& reg) {
  const uint32_t index = w.sgpr[kM0] & 0xffU;
  const uint32_t end = reg < kFirstAgpr ? kFirstAgpr : kVectorRegisters;
  if (reg + index >= end) {
    w.fault(inst, "VGPR index " + std::to_string(index) + " leads past the last register");
    return false;
  }
  reg = static_cast<uint16_t>(reg + index);
  return true;
}

bool is_indexed(const Instruction& inst, const Wave& w) {
  return inst.row != nullptr && inst.row->instruction_class == InstructionClass::vector_alu &&
         w.gpr_index_mode != 0;
}

/// Under s_set_gpr_idx_on vector ALU operands are shifted by M0[7:0] where the mode says so. False when the
/// wave was stopped.
bool shift_registers(const Instruction& inst, Wave& w, Instruction& shifted) {
  for (int i = 0; i < 3; ++i) {
    const bool indexed = ((w.gpr_index_mode >> i) & 1U) != 0 && shifted.src[i].kind == SourceKind::vector;
    if (indexed && !shift_register(inst, w, shifted.src[i].reg)) return false;
  }
  const bool indexed =
      (w.gpr_index_mode & kIndexDestination) != 0 && !shifted.dst_scalar && shifted.dst != kNone;
  return !indexed || shift_register(inst, w, shifted.dst);
}

void run_indexed(const Instruction& inst, Wave& w, GroupWatch* watch) {
  if (!is_indexed(inst, w)) {
    if (watch != nullptr) watch->before(inst, w);
    inst.run(inst, w);
    if (watch != nullptr) watch->after(inst, w);
    return;
  }
  Instruction shifted = inst;
  if (!shift_registers(inst, w, shifted)) return;
  if (watch != nullptr) watch->before_shifted(shifted, w);
  shifted.run(shifted, w);
}

}  // namespace

void run_wave(Wave& w) {
  for (;;) {
    while (w.state == WaveState::running) {
      const Instruction& inst = *w.pc++;
      inst.run(inst, w);
    }
    if (w.state != WaveState::indexed) return;
    const Instruction& inst = *w.pc++;
    run_indexed(inst, w, nullptr);
  }
}

void run_wave(Wave& w, GroupWatch& watch) {
  for (;;) {
    while (w.state == WaveState::running) {
      const Instruction& inst = *w.pc++;
      watch.before(inst, w);
      inst.run(inst, w);
      watch.after(inst, w);
    }
    if (w.state != WaveState::indexed) return;
    const Instruction& inst = *w.pc++;
    run_indexed(inst, w, &watch);
  }
}

void Wave::fault(const Instruction& inst, std::string text, const Stop& why) {
  if (state == WaveState::faulted) return;  // the first one counts
  state = WaveState::faulted;
  fault_at = &inst;
  fault_text = std::move(text);
  stop = why;
}

}  // namespace mxproof::emulator
