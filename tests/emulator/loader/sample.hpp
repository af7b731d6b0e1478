// The compiled sample kernels as bytes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mxproof::emulator {

/// Reads one of the files that the build makes of sample_kernels.hip, such as "sample_o3.co".
std::vector<std::byte> sample(const std::string& name);

}  // namespace mxproof::emulator
