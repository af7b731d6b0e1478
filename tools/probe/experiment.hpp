// One-instruction experiments: what goes in, which outputs are looked at, and what each setting of a switch
// would give. An experiment about no switch checks a fact that is documented or published and that the
// machine relies on.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/policy/chip_settings.hpp"
#include "common/status.hpp"
#include "tools/probe/kernels.hpp"

namespace mxproof::chip_probe {

inline constexpr int kEveryLane = -1;
/// An expected value that any NaN meets.
inline constexpr uint64_t kAnyNan = uint64_t{1} << 32;

/// A dword of an input row; later ones replace earlier ones. What is not set is 0.
struct Input {
  int row = 0;
  int lane = 0;  ///< Or kEveryLane.
  uint32_t value = 0;
};

/// A dword of an output row.
struct Cell {
  int row = 0;
  int lane = 0;
};

struct Experiment {
  std::optional<ChipSwitch> about;  ///< Nothing: a fact.
  std::string_view instruction;
  std::string_view what;  ///< What is tried, or the fact.
  KernelId kernel{};
  std::vector<Input> in;
  std::vector<Cell> look;
  std::vector<std::vector<uint64_t>> expected;  ///< By setting (a fact has one), then by cell.
};

/// Every experiment; each switch has some that tell all of its settings apart.
const std::vector<Experiment>& experiments();

/// Runs a kernel on rows of dwords; the rows that it wrote come back.
using Runner = std::function<Expected<std::vector<uint32_t>>(KernelId, std::span<const uint32_t>)>;

/// What the experiments about one switch say.
struct SwitchFinding {
  ChipSwitch id{};
  int experiments = 0;
  std::vector<size_t> fitting;  ///< Settings that all of them agree with.
  std::string contradiction;    ///< Where none fits: an instruction and what it gave.

  bool is_determined() const { return fitting.size() == 1; }
};

/// What one experiment about a fact says.
struct FactFinding {
  const Experiment* experiment = nullptr;
  bool holds = false;
  std::string difference;  ///< Where it does not: the first output that differs.
};

struct Findings {
  std::vector<SwitchFinding> switches;  ///< In the order of ChipSwitch.
  std::vector<FactFinding> facts;

  /// What is determined, and defaults.
  ChipSettings settings() const;
  std::vector<ChipSwitch> undetermined() const;
  bool is_complete() const;  ///< Every switch determined, every fact holds.
};

/// Runs all experiments. Errors: the runner's, behind the instruction's name.
Expected<Findings> run_experiments(const Runner& run);

}  // namespace mxproof::chip_probe
