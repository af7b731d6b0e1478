// A whole file as bytes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/status.hpp"

namespace mxproof::emulator {

/// Reads a regular file. Errors: bad_input, with the path and the system's reason.
Expected<std::vector<std::byte>> read_file_bytes(const std::string& path);

}  // namespace mxproof::emulator
