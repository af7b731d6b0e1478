// Watcher `wait`: values used before the s_waitcnt that their load needs.
//
// A wave's loads are kept here as they are in flight in the machine, which completes them as late as the
// counters allow. A register of a load in flight is pending; reading it, or writing it with something else,
// needs a wait before. The same holds for LDS bytes that a load straight to LDS is still bringing.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "emulator/watch/memory_access.hpp"
#include "emulator/watch/register_shadow.hpp"
#include "emulator/watch/reporter.hpp"

namespace mxproof::emulator {

/// One wave's loads in flight.
class Waits {
 public:
  explicit Waits(RegisterShadow& shadow) : shadow_(&shadow) {}
  void begin();

  // After an instruction was issued: what it has put in flight. Reports what it may not overtake.
  void issue_vector(const VectorAccess& access, const OperandUse& operands);
  void issue_lds(const LdsAccess& access, const OperandUse& operands);
  void issue_scalar(const Instruction& inst, const OperandUse& operands);

  /// Takes out what the machine has completed since.
  void complete(Wave& wave);

  /// Reports the registers of `operands` that are still on their way, of `lanes`.
  void check_registers(const Instruction& inst, const OperandUse& operands, uint64_t lanes, uint32_t wave,
                       const Reporter& reporter) const;
  /// Reports an LDS access to bytes that a load of this wave is still bringing.
  void check_lds(const MemoryAccess& access, const Reporter& reporter) const;
  /// Reports a load to LDS whose bytes this wave's LDS instructions in flight still read or write.
  void check_load_to_lds(const MemoryAccess& access, Wave& wave, const Reporter& reporter) const;

 private:
  struct Load {
    const Instruction* inst = nullptr;
    RegisterRange rows;
    uint64_t lanes = 0;
    bool is_flat = false;
    uint64_t sequence = 0;   ///< Of flat ones, as in VectorAccess.
    uint32_t lds_begin = 0;  ///< Of loads to LDS: lane i brings step bytes to lds_begin + i * step.
    uint32_t lds_step = 0;   ///< 0: no load to LDS.
  };
  struct ScalarLoad {
    const Instruction* inst = nullptr;
    ScalarSet registers;
  };

  void add(std::deque<Load>& queue, const Load& load);
  void retire(const Load& load);
  template <class Visit>
  void for_each_load(Visit visit) const;
  const Load* find(uint16_t row, uint64_t lanes) const;
  const ScalarLoad* find_scalar(size_t reg) const;

  RegisterShadow* shadow_;
  std::deque<Load> vector_;
  std::deque<Load> lds_;
  std::vector<Load> flat_;  ///< Flat ones that vmcnt has covered and lgkmcnt not yet.
  std::vector<ScalarLoad> scalar_;
  uint32_t to_lds_ = 0;  ///< Loads to LDS in flight.
};

}  // namespace mxproof::emulator
