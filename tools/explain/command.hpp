// `mxproof explain`: why is this result wrong?
#pragma once

#include "tools/command.hpp"

namespace mxproof {

void add_explain(Program& program);

}  // namespace mxproof
