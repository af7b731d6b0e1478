// `mxproof report`: the subcommand.
#pragma once

#include <CLI/CLI.hpp>

namespace mxproof::report {

/// Adds the subcommand to the program. When it ran, `exit_code` is 0, 1 (a regression) or 2 (bad input).
///   mxproof report RUNS -o DIR            writes the dashboard
///   mxproof report --check BASE NEW       compares two runs
void add_command(CLI::App& program, int& exit_code);

}  // namespace mxproof::report
