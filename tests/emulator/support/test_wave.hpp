// One wave on its own, for tests of single instructions written in assembly.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "emulator/machine/group.hpp"
#include "emulator/machine/program.hpp"
#include "emulator/machine/run.hpp"
#include "emulator/machine/wave.hpp"
#include "tests/emulator/support/assemble.hpp"

namespace mxproof::emulator {

/// Registers are set by the test, then `run` executes assembly text (s_endpgm is added) to its end.
class TestWave {
 public:
  TestWave() : wave_(new Wave), lds_(64 * 1024) {
    wave_->vgpr.fill(0);
    wave_->sgpr.fill(0);
    wave_->set_exec(kAllLanes);
    wave_->mode = kModePlain | kModeIeee | kModeDx10Clamp;
    wave_->set_scalar64(kSharedBase, uint64_t{kSharedAperture} << 32);
    wave_->set_scalar64(kPrivateBase, uint64_t{kPrivateAperture} << 32);
  }

  Wave& operator*() { return *wave_; }
  Wave* operator->() { return wave_.get(); }

  uint32_t& v(int reg, int lane) { return wave_->row(static_cast<uint16_t>(reg))[lane]; }
  uint32_t& a(int reg, int lane) { return v(kFirstAgpr + reg, lane); }
  uint32_t& s(int reg) { return wave_->sgpr[reg]; }
  uint64_t v64(int reg, int lane) { return v(reg, lane) | uint64_t{v(reg + 1, lane)} << 32; }
  void set_v64(int reg, int lane, uint64_t value) {
    v(reg, lane) = static_cast<uint32_t>(value);
    v(reg + 1, lane) = static_cast<uint32_t>(value >> 32);
  }
  uint64_t s64(int reg) { return wave_->scalar64(static_cast<uint16_t>(reg)); }
  void set_s64(int reg, uint64_t value) { wave_->set_scalar64(static_cast<uint16_t>(reg), value); }
  std::vector<std::byte>& lds() { return lds_; }
  /// Makes [data, data + bytes) accessible.
  void allow(const void* data, size_t bytes) { EXPECT_TRUE(memory_.add(data, bytes).ok()); }

  /// Runs to the end; what stopped the wave, or "".
  std::string run(const std::string& text) {
    const auto code = assemble(text + "\ns_endpgm");
    if (!code.ok()) return code.status().message();
    code_.push_back(*code);
    const std::vector<std::byte>& bytes = code_.back();
    auto program = Program::decode(bytes, reinterpret_cast<uint64_t>(bytes.data()));
    if (!program.ok()) return program.status().message();
    programs_.push_back(*program);
    const auto table = memory_.snapshot();
    GroupContext group;
    group.program = program->get();
    group.memory = table.get();
    group.lds = lds_;
    std::vector<int64_t> executed((*program)->capacity() + 1);
    wave_->group = &group;
    wave_->executed = executed.data();
    wave_->pc = (*program)->entry();
    wave_->run_start = wave_->pc->index;
    wave_->state = WaveState::running;
    wave_->slice = wave_->budget = 1000000;
    wave_->last_base = 1;
    wave_->last_end = 0;
    wave_->vector_memory.clear();
    wave_->lds.clear();
    wave_->scalar_memory.clear();
    wave_->flat_waiting.clear();
    wave_->flat_in_flight = 0;
    scratch_.resize(64 * 256);
    wave_->scratch = scratch_.data();
    wave_->scratch_bytes = 256;
    while (wave_->state != WaveState::ended && wave_->state != WaveState::faulted) {
      wave_->state = WaveState::running;
      run_wave(*wave_);
    }
    if (wave_->state == WaveState::ended) return {};
    return (*program)->text_of(*wave_->fault_at) + ": " + wave_->fault_text;
  }

 private:
  std::unique_ptr<Wave> wave_;
  std::vector<std::byte> lds_;
  std::vector<std::byte> scratch_;
  GlobalMemory memory_;
  std::vector<std::vector<std::byte>> code_;
  std::vector<std::shared_ptr<Program>> programs_;
};

}  // namespace mxproof::emulator
