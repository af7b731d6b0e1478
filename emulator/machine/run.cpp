#include "emulator/machine/run.hpp"

#include "emulator/machine/wave.hpp"

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

/// One instruction under s_set_gpr_idx_on: vector ALU operands are shifted by M0[7:0] where the mode says so.
void run_indexed(const Instruction& inst, Wave& w) {
  if (inst.row == nullptr || inst.row->instruction_class != InstructionClass::vector_alu ||
      w.gpr_index_mode == 0) {
    inst.run(inst, w);
    return;
  }
  Instruction shifted = inst;
  for (int i = 0; i < 3; ++i) {
    const bool indexed = ((w.gpr_index_mode >> i) & 1U) != 0 && shifted.src[i].kind == SourceKind::vector;
    if (indexed && !shift_register(inst, w, shifted.src[i].reg)) return;
  }
  const bool indexed =
      (w.gpr_index_mode & kIndexDestination) != 0 && !shifted.dst_scalar && shifted.dst != kNone;
  if (indexed && !shift_register(inst, w, shifted.dst)) return;
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
    run_indexed(inst, w);
  }
}

void Wave::fault(const Instruction& inst, std::string text) {
  if (state == WaveState::faulted) return;  // the first one counts
  state = WaveState::faulted;
  fault_at = &inst;
  fault_text = std::move(text);
}

}  // namespace mxproof::emulator
