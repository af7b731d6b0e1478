// The flags of every subcommand that runs somebody's kernels on the emulator. Each sets an environment
// variable, which the emulator's HIP runtime reads.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/status.hpp"
#include "tools/command.hpp"

namespace mxproof {

class EmulatorFlags {
 public:
  /// Adds --watch, --watch-json, --counts, --order, --budget and --threads.
  void add_to(CLI::App& command);
  /// Puts what was given into the environment. Errors: bad_input naming the variable that is wrong.
  Status set_environment() const;
  /// True when any of them was given.
  bool any() const;

 private:
  struct Flag {
    const char* variable = nullptr;
    bool is_file = false;
    std::string value;
  };
  std::vector<Flag> flags_;
};

/// For footers: the watchers, the environment variables and the exit code.
std::string emulator_flags_help();

}  // namespace mxproof
