// One line of gfx950 assembly taken apart: mnemonic, operands, modifiers. The syntax is LLVM's "AMDGPU
// Instruction Syntax" as its printer writes it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.hpp"

namespace mxproof::emulator {

/// Which encoding the suffix of the mnemonic names.
enum class Encoding : uint8_t { base, e32, e64, sdwa, dpp };

enum class OperandKind : uint8_t {
  vgpr,
  agpr,
  scalar,  ///< SGPRs and what shares their numbering: vcc, exec, m0, apertures, ... (see scalar_register.hpp)
  integer,   ///< Inline integer or literal.
  floating,  ///< Inline floating-point constant; its bits depend on the type of the operand.
  off,       ///< The word "off": no register.
  word,      ///< Anything else, kept as text: hwreg(...), sendmsg(...), gpr_idx(...).
};

struct TextOperand {
  OperandKind kind = OperandKind::word;
  uint16_t first = 0;        ///< First register.
  uint16_t count = 1;        ///< Consecutive registers.
  bool negate = false;       ///< -x or neg(x)
  bool absolute = false;     ///< |x|
  bool sign_extend = false;  ///< sext(x), in SDWA
  int64_t integer = 0;
  double floating = 0;
  std::string text;
};

/// name, name:value, name:[a,b,c]
struct TextModifier {
  std::string name;
  std::string value;           ///< Text after the colon, "" when there is none.
  std::vector<int64_t> items;  ///< The number, or the numbers in brackets, when it has any.
};

struct TextInstruction {
  std::string mnemonic;  ///< Without encoding suffix.
  Encoding encoding = Encoding::base;
  std::vector<TextOperand> operands;
  std::vector<TextModifier> modifiers;

  const TextModifier* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Item `index` of modifier `name`; `fallback` when the modifier or the item is missing.
  int64_t item(std::string_view name, size_t index, int64_t fallback) const;
};

/// Takes `text` apart. Errors: bad_input naming the part that is not understood.
Expected<TextInstruction> parse_assembly(std::string_view text);

}  // namespace mxproof::emulator
