// Which of the compiled host SIMD levels runs the vector instructions. Normally the best that the host has;
// tests go through all of them, because the bits must be the same on each.
#pragma once

#include <string>
#include <vector>

namespace mxproof::emulator {

/// Levels that were compiled and that this host supports, best first.
std::vector<std::string> simd_levels();

/// Uses `level`, one of simd_levels(), for everything decoded from now on. "" goes back to the best.
void use_simd_level(const std::string& level);

}  // namespace mxproof::emulator
