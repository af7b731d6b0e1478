// `mxproof layout`: offsets, pictures and conversions of layouts.
#pragma once

#include "tools/command.hpp"

namespace mxproof {

void add_layout(Program& program);

}  // namespace mxproof
