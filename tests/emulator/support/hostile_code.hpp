// Any bytes as code, for the fuzzer and for tests.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "emulator/isa/rows.hpp"
#include "emulator/machine/group.hpp"
#include "emulator/machine/program.hpp"
#include "emulator/machine/run.hpp"
#include "emulator/machine/wave.hpp"
#include "tests/fuzz/checks.hpp"

namespace mxproof::emulator {
/// Every register that an instruction names lies in the wave's files.
inline void require_registers(const Instruction& inst) {
  using fuzz::require;
  if (inst.row == nullptr || !Program::can_run(inst)) return;
  for (const Source& source : inst.src) {
    switch (source.kind) {
      case SourceKind::vector:
        require(source.reg + source.rows <= kVectorRegisters);
        break;
      case SourceKind::scalar:
        require(source.reg + source.rows <= kScalarRegisters);
        break;
      case SourceKind::constant:
        require(source.constant != nullptr);
        break;
      case SourceKind::none:
        break;
    }
    require(source.kind == SourceKind::none || !source.direct || source.decoration == nullptr);
  }
  if (inst.dst != kNone)
    require(inst.dst + inst.dst_rows <= (inst.dst_scalar ? kScalarRegisters : kVectorRegisters));
  if (inst.dst2 != kNone) require(inst.dst2 + 2 <= kScalarRegisters);
}

/// A wave with nothing but registers and a little LDS and scratch.
class LoneWave {
 public:
  LoneWave() : wave_(new Wave), lds_(1024), scratch_(64 * 64) {}

  void run(Program& program) {
    Wave& w = *wave_;
    const AllocationTable none;
    GroupContext group;
    group.program = &program;
    group.memory = &none;
    group.lds = lds_;
    executed_.assign(program.capacity() + 1, 0);
    w.sgpr.fill(0);
    w.set_exec(kAllLanes);
    w.mode = kModePlain | kModeIeee | kModeDx10Clamp;
    w.plain_mode = true;
    w.scc = false;
    w.group = &group;
    w.executed = executed_.data();
    w.pc = program.entry();
    w.run_start = w.pc->index;
    w.state = WaveState::running;
    w.slice = w.budget = 64;
    w.last_base = 1;
    w.last_end = 0;
    w.vector_memory.clear();
    w.lds.clear();
    w.scalar_memory.clear();
    w.flat_waiting.clear();
    w.flat_in_flight = 0;
    w.fault_at = nullptr;
    w.scratch = scratch_.data();
    w.scratch_bytes = 64;
    while (w.state != WaveState::ended && w.state != WaveState::faulted) {
      w.state = WaveState::running;
      w.slice = w.budget;
      run_wave(w);
    }
    ++runs_;
    if (w.state != WaveState::faulted) return;
    ++faults_;
    fuzz::require(!w.fault_text.empty() && w.fault_text.size() < 4096 && w.fault_at != nullptr);
  }

  size_t runs() const { return runs_; }
  size_t faults() const { return faults_; }

 private:
  size_t runs_ = 0;
  size_t faults_ = 0;
  std::unique_ptr<Wave> wave_;
  std::vector<std::byte> lds_;
  std::vector<std::byte> scratch_;
  std::vector<int64_t> executed_;
};

/// Decodes `code` and runs it to an end, a fault or the end of a small budget. No memory is allowed to it, so
/// that every access must be refused. Ends the process where something does not hold.
inline void run_hostile_code(std::span<const std::byte> code, LoneWave& wave) {
  const auto program = Program::decode(code, reinterpret_cast<uint64_t>(code.data()));
  if (!program) {
    fuzz::require_refusal(program.status());
    return;
  }
  (*program)->for_each(require_registers);
  wave.run(**program);
}

}  // namespace mxproof::emulator
