// What watches a work-group while a thread runs it: hands each instruction to the watchers that are on.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "emulator/machine/wave.hpp"
#include "emulator/watch/access_counts.hpp"
#include "emulator/watch/byte_shadow.hpp"
#include "emulator/watch/launch_watch.hpp"
#include "emulator/watch/lds_race.hpp"
#include "emulator/watch/operands.hpp"
#include "emulator/watch/register_shadow.hpp"
#include "emulator/watch/wait.hpp"

namespace mxproof::emulator {

struct GroupContext;

/// One thread's. Between `begin` and `end` the launch lives.
class GroupWatch {
 public:
  void begin(LaunchWatch& launch);
  /// The thread has no more work-groups of the launch.
  void end();

  void begin_group(uint64_t position, const std::array<uint32_t, 3>& group, uint64_t index,
                   const GroupContext& context, uint32_t waves);
  /// `set_up`: the scalar registers that the hardware has filled in. v0 is there in all lanes of EXEC.
  void begin_wave(const Wave& wave, const ScalarSet& set_up);

  /// Around each instruction of a wave.
  void before(const Instruction& inst, const Wave& wave);
  /// Under s_set_gpr_idx, where `inst` is a copy with its registers moved.
  void before_shifted(const Instruction& inst, const Wave& wave);
  void after(const Instruction& inst, Wave& wave);

  /// All waves that have not ended wait at a barrier and are about to go on.
  void pass_barrier(std::span<const std::unique_ptr<Wave>> waves);

 private:
  struct WaveWatch {
    RegisterShadow registers;
    Waits waits{registers};
    ByteShadow scratch;
  };

  const OperandUse& operands(const Instruction& inst);
  void check(const Instruction& inst, const OperandUse& operands, uint64_t lanes, const Wave& wave);
  void after_vector(const Instruction& inst, const OperandUse& operands, Wave& wave);
  void after_lds(const Instruction& inst, const OperandUse& operands, Wave& wave);
  void after_scalar(const Instruction& inst, const OperandUse& operands, Wave& wave);
  void global(const MemoryAccess& access, Wave& wave, UndefinedLanes& undefined);
  void scratch(const MemoryAccess& access, Wave& wave, UndefinedLanes& undefined);
  void lds(const MemoryAccess& access, Wave& wave, UndefinedLanes& undefined);
  void load_to_lds(const VectorAccess& access, const OperandUse& operands, Wave& wave,
                   const UndefinedLanes& undefined);
  void set_loaded(const MemoryAccess& access, Wave& wave, uint16_t first_row, const UndefinedLanes& undefined,
                  Watcher watcher);
  UndefinedLanes undefined_data(const Instruction& inst, int slot, const Wave& wave) const;
  void repeat_in_flight(Wave& wave);

  LaunchWatch* launch_ = nullptr;
  WatchSet watchers_;
  bool watches_registers_ = false;  ///< Whether anything looks at registers, or at memory.
  bool watches_undefined_ = false;
  bool watches_alignment_ = false;
  bool watches_memory_ = false;
  std::unique_ptr<Reporter> reporter_;  ///< Never null between begin() and end().
  std::vector<OperandUse> operands_;    ///< By Instruction::index.
  std::vector<std::unique_ptr<WaveWatch>> waves_;
  const GroupContext* group_ = nullptr;
  GlobalRace::Group group_order_;
  LdsRace lds_race_;
  ByteShadow lds_written_;
  AccessCounter counter_;
  alignas(64) std::array<uint64_t, kLanes> lds_address_{};
};

}  // namespace mxproof::emulator
