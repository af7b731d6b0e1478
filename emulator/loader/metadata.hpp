// The AMDGPU metadata note of a code object: msgpack, versions 1.0 to 1.2 (code objects 3 to 5).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.hpp"
#include "emulator/loader/kernel.hpp"

namespace mxproof::emulator {

struct Metadata {
  std::string target_id;        ///< `amdhsa.target`; empty in version 1.0.
  std::vector<Kernel> kernels;  ///< Everything but the descriptor and the addresses.
};

/// Reads and checks the notes' contents: types, ranges, arguments inside the kernarg segment, no name twice.
/// The kernels of several notes are put together; they must be for one target. Source: LLVM's "User Guide for
/// AMDGPU Backend", section "Code Object Metadata". Errors: bad_input.
Expected<Metadata> read_metadata(std::span<const std::string_view> notes);

}  // namespace mxproof::emulator
