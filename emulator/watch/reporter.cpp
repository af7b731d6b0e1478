#include "emulator/watch/reporter.hpp"

#include <fmt/format.h>

#include "emulator/loader/code_object.hpp"
#include "emulator/machine/program.hpp"

namespace mxproof::emulator {

std::string Reporter::name_of(const Instruction& inst) const {
  return fmt::format("'{}' at pc 0x{:x}", program_->text_of(inst), code_object_->to_vaddr(inst.pc));
}

}  // namespace mxproof::emulator
