// `mxproof quantize`: an array of numbers to MXFP4 by the reference.
#pragma once

#include "tools/command.hpp"

namespace mxproof {

void add_quantize(Program& program);

}  // namespace mxproof
