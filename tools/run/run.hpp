// `mxproof run`: one kernel of a code object, with arguments from the command line and from files.
#pragma once

#include "tools/command.hpp"

namespace mxproof {

void add_run(Program& program);

}  // namespace mxproof
