// `mxproof dequantize`: MXFP4 back to numbers.
#pragma once

#include "tools/command.hpp"

namespace mxproof {

void add_dequantize(Program& program);

}  // namespace mxproof
