// The settings that a launch computes with: the switches of chip_settings.hpp, at their defaults unless told
// otherwise.
#pragma once

#include "common/policy/chip_settings.hpp"

namespace mxproof::emulator {

using Settings = ChipSettings;

}  // namespace mxproof::emulator
