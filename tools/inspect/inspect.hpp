// `mxproof inspect`: what is in a code object, bundle or HIP program.
#pragma once

#include "tools/command.hpp"

namespace mxproof {

void add_inspect(Program& program);

}  // namespace mxproof
