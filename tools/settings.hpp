// The --settings flag of every subcommand whose result depends on the switches of chip_settings.hpp.
#pragma once

#include <string>

#include "common/policy/chip_settings.hpp"
#include "tools/command.hpp"

namespace mxproof {

/// Adds --settings to a subcommand; the file's name goes to `file`, empty when it was not given.
void add_settings_flag(CLI::App& command, std::string& file);

/// Makes `file` the settings of this process (MXPROOF_SETTINGS), before any HIP call, and reads them; an
/// empty name leaves the environment to decide. Errors: bad_input naming flag or variable, file and what is
/// wrong with it.
Expected<ChosenSettings> use_settings(const std::string& file);

}  // namespace mxproof
