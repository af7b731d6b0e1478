// Clocks, power and temperature of the device, as text for the context of a run.
#pragma once

#include <string>

namespace mxproof::bench {

/// One line such as "sm 1980 MHz, memory 3201 MHz, 212.5 W, 41 C, power cap 700 W", or why there is none.
std::string device_state(bool emulated);

}  // namespace mxproof::bench
