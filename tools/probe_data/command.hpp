// `mxproof probe-data`: inputs whose output names the layout, and the reading of such outputs.
#pragma once

#include "tools/command.hpp"

namespace mxproof {

void add_probe_data(Program& program);

}  // namespace mxproof
