// What a launch did, as JSON.
#pragma once

#include <string>

#include "emulator/loader/kernel.hpp"
#include "emulator/machine/launch.hpp"
#include "emulator/runtime/kernarg.hpp"

namespace mxproof::emulator {

/// One line of MXPROOF_EMU_COUNTS: JSON without a line end. All but host_seconds is the same on every run and
/// for every number of threads. Times in it are modelled: see emulator/watch/roofline.hpp.
std::string counts_line(const Kernel& kernel, const LaunchShape& shape, const LaunchReport& report,
                        double host_seconds);

}  // namespace mxproof::emulator
