// A kernel's code, decoded once: every instruction that can be reached from its entry, ready to run.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/status.hpp"
#include "emulator/decode/disassembler.hpp"
#include "emulator/isa/instruction.hpp"
#include "emulator/loader/kernel.hpp"

namespace mxproof::emulator {

/// Vector registers that a kernel's waves have.
struct RegisterLimits {
  uint16_t vgprs = kFirstAgpr;
  uint16_t agprs = kFirstAgpr;
};
/// What the descriptor allocates. Source: LLVM's "User Guide for AMDGPU Backend", compute_pgm_rsrc1 and
/// ACCUM_OFFSET.
RegisterLimits register_limits(const KernelDescriptor& descriptor);

/// Decoded code. Branch targets are resolved to instructions; code reached only through computed jumps is
/// decoded when it is first reached. Shared by all threads of a launch.
class Program {
 public:
  /// `code` holds the bytes of the executable segment that contains `entry`; address == host address. An
  /// instruction that names a register beyond `limits` stops the run when it is reached.
  static Expected<std::shared_ptr<Program>> decode(std::span<const std::byte> code, uint64_t entry,
                                                   RegisterLimits limits = {});

  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const Instruction* entry() const { return entry_; }

  /// The instruction at `address`, decoded now if need be; nullptr when there can be none. Thread safe.
  const Instruction* at(uint64_t address);

  /// False when a launch that reaches `instruction` stops there because it is not modelled.
  static bool can_run(const Instruction& instruction);

  /// As LLVM prints it.
  std::string text_of(const Instruction& instruction) const;

  /// Instructions and end markers so far: Instruction::index is below it, `Wave::executed` needs one more.
  /// Grows when `at` decodes; never past `capacity()`.
  uint32_t size() const;
  /// An upper bound of size() for all times: one per code dword, one more per segment.
  uint32_t capacity() const { return capacity_; }

  /// True while the code is still what was decoded.
  bool matches(std::span<const std::byte> code) const;

  /// Whether any reachable instruction is a global atomic, so that the order of work-groups can show.
  bool has_global_atomics() const { return has_global_atomics_; }

  /// Calls `visit` for each instruction, in index order.
  template <class Visit>
  void for_each(Visit visit) const {
    const std::shared_lock lock(mutex_);
    for (const auto& segment : segments_) {
      for (const Instruction& instruction : segment) visit(instruction);
    }
  }

 private:
  class Arena;
  struct Raw {
    std::string text;
    uint32_t size = 0;
  };

  Program(std::span<const std::byte> code, Disassembler disassembler, RegisterLimits limits);
  ~Program();
  friend std::default_delete<Program>;

  void discover(uint64_t address);
  void link_new_segments();
  Instruction make_instruction(uint64_t address, const Raw& raw);
  uint64_t branch_target(uint64_t address, const Raw& raw) const;
  bool holds(uint64_t address) const;

  uint64_t base_;                ///< Address of the first byte of code.
  std::vector<std::byte> code_;  ///< A copy: what was decoded.
  Disassembler disassembler_;
  RegisterLimits limits_;
  std::unique_ptr<Arena> arena_;
  const Instruction* entry_ = nullptr;
  uint32_t capacity_ = 0;
  uint32_t next_index_ = 0;
  bool has_global_atomics_ = false;

  mutable std::shared_mutex mutex_;
  std::map<uint64_t, Raw> raw_;  ///< Everything disassembled, by address.
  std::set<uint64_t> fresh_;     ///< Disassembled, not yet made into instructions.
  std::deque<std::vector<Instruction>>
      segments_;  ///< Runs of consecutive instructions, each with an end marker.
  std::unordered_map<uint64_t, const Instruction*> by_address_;
};

}  // namespace mxproof::emulator
