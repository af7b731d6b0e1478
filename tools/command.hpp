// The program's subcommands. Each lives in tools/NAME/ (or tools/NAME.cpp), and adds itself to the parser in
// a function that tools/command.cpp lists.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>

#include "common/status.hpp"

namespace mxproof {

enum ExitCode : int {
  kExitPass = 0,
  kExitFail = 1,      ///< A mismatch, an error on the device, or nothing ran.
  kExitBadInput = 2,  ///< A file or flag is wrong; one line on standard error says which and why.
};

/// What main hands to every subcommand.
struct Program {
  CLI::App& app;
  int argc;
  char** argv;
  /// What the chosen subcommand does, once the whole command line has been parsed; returns the exit code.
  std::function<int()> action;
};

/// All subcommands, in the order of the help. No flag of theirs takes an empty value.
void add_commands(Program& program);

/// Prints "mxproof: MESSAGE" as one line on standard error; the exit code that fits the status.
int report_error(const Status& status);

/// The check of a flag that takes integers: this one or a larger.
std::function<std::string(const std::string&)> at_least(int64_t least);

/// A seed: decimal, or hexadecimal after 0x.
Expected<uint64_t> parse_seed(const std::string& text);

/// A bad value of a flag, as the status for it: "--shapes: MESSAGE".
Status bad_flag(const std::string& flag, const Status& why);

}  // namespace mxproof
