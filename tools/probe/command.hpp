// `mxproof probe`: which settings of the switches of chip_settings.hpp a chip has.
#pragma once

#include "tools/command.hpp"

namespace mxproof {

void add_probe(Program& program);

}  // namespace mxproof
