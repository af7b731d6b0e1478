// `mxproof identify`: which layout is this buffer in?
#pragma once

#include "tools/command.hpp"

namespace mxproof {

void add_identify(Program& program);

}  // namespace mxproof
