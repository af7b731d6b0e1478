// The --device flag of every subcommand that runs kernels.
#pragma once

#include <string>

#include "common/status.hpp"
#include "optimized/device/info.hpp"
#include "tools/command.hpp"

namespace mxproof {

/// Adds --device to a subcommand; the choice goes to `choice`, empty when it was not given.
void add_device_flag(CLI::App& command, std::string& choice);

/// Settles which device serves this process, before any HIP call, and describes it. For the emulator the
/// process starts itself again, once, so nothing should have been printed or changed before. An empty choice
/// leaves the environment variable MXPROOF_DEVICE to decide.
Expected<DeviceInfo> open_device(const Program& program, const std::string& choice);

}  // namespace mxproof
