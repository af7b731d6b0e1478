// Running a kernel of a loaded code object on the gfx950 machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/status.hpp"
#include "emulator/isa/instruction_class.hpp"
#include "emulator/loader/code_object.hpp"
#include "emulator/machine/global_memory.hpp"
#include "emulator/machine/settings.hpp"
#include "emulator/watch/access_counts.hpp"
#include "emulator/watch/report.hpp"
#include "emulator/watch/request.hpp"
#include "emulator/watch/roofline.hpp"

namespace mxproof::emulator {

/// The order in which work-groups start. Hardware defines none; a kernel whose result depends on it is wrong.
enum class GroupOrder : uint8_t { ascending, descending, shuffled };

/// One launch.
struct LaunchConfig {
  std::array<uint32_t, 3> grid = {1, 1, 1};   ///< Work-groups along x, y, z.
  std::array<uint32_t, 3> block = {1, 1, 1};  ///< Work-items of a group along x, y, z.
  uint32_t dynamic_lds = 0;                   ///< Bytes on top of the kernel's own.
  /// The kernarg segment, hidden arguments included. Copied; shorter than the kernel's size is bad_input.
  std::span<const std::byte> kernarg = {};
  /// Bytes of scratch a lane for a kernel whose need the compiler could not tell: recursion, calls through
  /// pointers. ROCm takes hipLimitStackSize, whose default is not documented.
  uint32_t stack_bytes = 16384;
  unsigned threads = 0;  ///< Host threads; 0 = one per host core.
  GroupOrder order = GroupOrder::ascending;
  uint64_t order_seed = 0;  ///< For GroupOrder::shuffled.
  /// Wave-instructions that one wave may execute before the run stops as a runaway loop.
  uint64_t instruction_budget = uint64_t{1} << 32;
  Settings settings = {};
  WatchRequest watch = {};
  /// Where the watchers' reports go, also when the launch was stopped; may be nullptr.
  std::vector<WatchReport>* reports = nullptr;
};

/// How often one mnemonic was executed, by all waves together.
struct MnemonicCount {
  std::string mnemonic;  ///< Without encoding suffix, such as "v_add_f32".
  InstructionClass instruction_class = InstructionClass::other;
  uint64_t executed = 0;
};

/// How often one kind of matrix instruction was executed, by all waves together.
struct MatrixCount {
  std::string kind;  ///< "16x16x128 fp4 x fp4": shape, and formats of A and B.
  uint64_t executed = 0;
  uint64_t flop = 0;  ///< Of all of them, two an element product.
};

/// What a launch did. Exact, and the same for every thread count.
struct LaunchReport {
  uint64_t groups = 0;
  uint64_t waves = 0;
  uint64_t wave_instructions = 0;
  std::array<uint64_t, kInstructionClasses> by_class{};
  std::vector<MnemonicCount> by_mnemonic;  ///< Descending by count, then by name.
  std::vector<MatrixCount> by_matrix;      ///< By name.
  double matrix_cycles = 0;                ///< Of their SIMDs, by the chip's peak rates.
  AccessCounts accesses;                   ///< All 0 unless counts were asked for, as are the next.
  Roofline modelled;
};

/// Runs `kernel` over the whole grid and returns when it has finished.
/// Memory: `memory`, the image of `code_object`, and the kernarg segment; anything else is an error.
/// Errors: bad_input for a malformed launch (zero or too large sizes, too much LDS, short kernarg); device
/// when the run was stopped: an instruction that is not known, an address out of all allocations, LDS out of
/// range, the instruction budget. The message names kernel, pc, instruction text, and for an access lane and
/// address.
Expected<LaunchReport> launch(const CodeObject& code_object, const Kernel& kernel, const LaunchConfig& config,
                              const GlobalMemory& memory);

}  // namespace mxproof::emulator
