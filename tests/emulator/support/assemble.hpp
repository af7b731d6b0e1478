// gfx950 assembly text to machine code, by LLVM's assembler.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/status.hpp"

namespace mxproof::emulator {

/// The bytes of the .text section that `text` assembles to. Errors: bad_input with the assembler's message.
Expected<std::vector<std::byte>> assemble(const std::string& text);

}  // namespace mxproof::emulator
