// `mxproof emulate`: any HIP program, on the emulated device.
#pragma once

#include "tools/command.hpp"

namespace mxproof {

void add_emulate(Program& program);

}  // namespace mxproof
