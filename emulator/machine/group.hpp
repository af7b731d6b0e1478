// One launch as its waves see it, and the running of one work-group.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emulator/loader/kernel.hpp"
#include "emulator/machine/global_memory.hpp"
#include "emulator/machine/launch.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {

class GroupWatch;
class LaunchWatch;
class Program;
struct Instruction;

/// What the waves of one work-group share while it runs.
struct GroupContext {
  Program* program = nullptr;
  const AllocationTable* memory = nullptr;  ///< Allocations by address.
  std::span<const Allocation> own_memory;   ///< Code image, kernarg segment, dispatch packet.
  std::span<std::byte> lds;
};

/// What does not change between the groups of a launch.
struct LaunchState {
  const Kernel* kernel = nullptr;
  const LaunchConfig* config = nullptr;
  Program* program = nullptr;
  const Instruction* entry = nullptr;
  std::shared_ptr<const AllocationTable> memory;
  std::vector<Allocation> own_memory;
  uint64_t kernarg_address = 0;
  uint64_t dispatch_address = 0;
  uint32_t lds_bytes = 0;
  uint32_t scratch_bytes = 0;  ///< A lane.
  uint32_t lanes_per_group = 0;
  LaunchWatch* watch = nullptr;  ///< nullptr: nothing is watched or counted.
};

/// A work-group of the launch.
struct GroupPlace {
  uint64_t position = 0;         ///< In the order of the launch.
  uint64_t index = 0;            ///< In order of x, y, z.
  std::array<uint32_t, 3> id{};  ///< Along x, y, z.
};

/// Where and why a wave was stopped.
struct Fault {
  const Instruction* inst = nullptr;
  std::string text;
  uint32_t wave = 0;
  Stop stop;
};

/// A host thread's waves, LDS and scratch, kept from launch to launch.
class GroupRunner {
 public:
  GroupRunner();
  ~GroupRunner();
  GroupRunner(const GroupRunner&) = delete;
  GroupRunner& operator=(const GroupRunner&) = delete;

  /// Prepares for groups of this launch.
  void begin(const LaunchState& launch);
  /// No more of them.
  void end();

  /// Runs one work-group to its end. False when a wave was stopped: see `fault`.
  bool run(const GroupPlace& group, Fault& fault);

  /// Differences of execution counts by instruction index: +1 where a straight run begins, -1 after it ends.
  std::span<const int64_t> executed() const;

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  template <class T>
  using Buffer = std::unique_ptr<T, Free>;

  void start_wave(Wave& wave, uint32_t index, const std::array<uint32_t, 3>& group_id);
  /// The number of scalar registers, from s0 on, that have been set up.
  uint16_t set_up_scalars(Wave& wave, const std::array<uint32_t, 3>& group_id);
  void set_up_lanes(Wave& wave, uint32_t index);
  bool run_waves(Fault& fault);
  void run_one(Wave& wave);

  const LaunchState* launch_ = nullptr;
  std::unique_ptr<GroupWatch> watch_;  ///< Made when it is first needed; used when the launch has one.
  GroupContext context_;
  std::vector<std::unique_ptr<Wave>> waves_;
  uint32_t wave_count_ = 0;
  Buffer<std::byte> lds_;
  size_t lds_capacity_ = 0;
  std::vector<std::byte> scratch_;
  Buffer<int64_t> executed_;
  uint32_t executed_size_ = 0;
};

}  // namespace mxproof::emulator
