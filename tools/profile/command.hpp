// mxproof profile: where the time of each path goes.
#pragma once

#include "tools/command.hpp"

namespace mxproof {

void add_profile(Program& program);

}  // namespace mxproof
