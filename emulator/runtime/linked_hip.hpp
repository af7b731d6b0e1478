// Which HIP the process was built for, which its binary interface depends on.
#pragma once

#include <optional>
#include <string_view>

namespace mxproof::emulator {

/// 6 for "libamdhip64.so.6"; nothing for the name of another library.
std::optional<int> hip_major(std::string_view library);

/// The major version of HIP that the program was linked with, by its own list of needed libraries; if it
/// names none, by that of the first loaded library that names one; 5, which hipRuntimeGetVersion says, if
/// none does.
int linked_hip_major();

/// True when the program was linked with HIP 6 or newer, which renumbered hipMemoryType and hipGraphNodeType.
bool is_hip6_program();

}  // namespace mxproof::emulator
