// What kind of unit an instruction keeps busy.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mxproof::emulator {

/// What kind of unit an instruction keeps busy; the classes that launches count.
enum class InstructionClass : uint8_t {
  scalar_alu,
  scalar_memory,
  vector_alu,
  matrix,
  lds,
  global_memory,
  scratch,
  branch,
  wait,
  barrier,
  other,
};
inline constexpr size_t kInstructionClasses = 11;
/// Spelling for reports, such as "vector_alu".
const char* instruction_class_name(InstructionClass instruction_class);

}  // namespace mxproof::emulator
