// `mxproof report`: the dashboard over a folder of benchmark runs, and the regression check between two of
// them.
#pragma once

#include "tools/command.hpp"

namespace mxproof {

///   mxproof report RUNS -o DIR            writes the dashboard
///   mxproof report --check BASE NEW       compares two runs; exit 1 on a regression
void add_report(Program& program);

}  // namespace mxproof
