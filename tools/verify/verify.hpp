// `mxproof verify`: products on the device, every output held against the exact reference.
#pragma once

#include "tools/command.hpp"

namespace mxproof {

void add_verify(Program& program);

}  // namespace mxproof
