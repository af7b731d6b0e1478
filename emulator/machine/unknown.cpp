#include "emulator/machine/unknown.hpp"

#include <algorithm>

#include "emulator/isa/host_address.hpp"
#include "emulator/machine/program.hpp"

namespace mxproof::emulator {

Expected<std::vector<UnknownInstruction>> unknown_instructions(const CodeObject& code_object,
                                                               const Kernel& kernel) {
  std::vector<UnknownInstruction> unknown;
  for (const Segment& segment : code_object.segments()) {
    if (!segment.executable || kernel.entry < segment.address ||
        kernel.entry - segment.address >= segment.size)
      continue;
    const std::span<const std::byte> code(host(segment.address), segment.size);
    auto program = Program::decode(code, kernel.entry);
    if (!program) return program.status();
    (*program)->for_each([&](const Instruction& instruction) {
      if (Program::can_run(instruction)) return;
      unknown.push_back({code_object.to_vaddr(instruction.pc), (*program)->text_of(instruction)});
    });
  }
  std::ranges::sort(unknown, {}, &UnknownInstruction::vaddr);
  return unknown;
}

}  // namespace mxproof::emulator
