// The linker's hash over this program: two runs with the same build id timed the same code, whatever they
// say.
#pragma once

#include <string>

namespace mxproof::bench {

/// The GNU build id of the running program in hexadecimal; empty when it was linked without one.
std::string build_id();

}  // namespace mxproof::bench
