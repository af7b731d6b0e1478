// What of a kernel's code the machine cannot run, without running it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/status.hpp"
#include "emulator/loader/code_object.hpp"

namespace mxproof::emulator {

struct UnknownInstruction {
  uint64_t vaddr = 0;  ///< In the file's numbering, as objdump prints it.
  std::string text;    ///< As LLVM prints it.
};

/// Every instruction reached from the kernel's entry by falling through and by direct branches that a launch
/// would stop at, in address order. Code reached only through computed jumps is not looked at.
/// Errors: bad_input when the code cannot be read at all.
Expected<std::vector<UnknownInstruction>> unknown_instructions(const CodeObject& code_object,
                                                               const Kernel& kernel);

}  // namespace mxproof::emulator
