// Runs the mxproof program as a user would, and keeps what it said.
#pragma once

#include <string>
#include <vector>

namespace mxproof {

struct ProgramResult {
  int exit_code = -1;  ///< 128 + signal when it died of one.
  std::string out;
  std::string err;
};

/// Runs build/bin/mxproof with these arguments; standard input is empty. `environment` holds "NAME=VALUE" to
/// add.
ProgramResult run_mxproof(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment = {});

/// The same with both outputs on a pseudo-terminal of 100 columns; everything it showed is in `out`.
ProgramResult run_mxproof_on_terminal(const std::vector<std::string>& arguments,
                                      const std::vector<std::string>& environment = {});

}  // namespace mxproof
