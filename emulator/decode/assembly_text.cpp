#include "emulator/decode/assembly_text.hpp"

#include <charconv>
#include <cstdlib>

#include "emulator/isa/scalar_register.hpp"

namespace mxproof::emulator {
namespace {

constexpr uint16_t kVgprs = 256;

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Splits at `separator` wherever no bracket is open.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (c == separator && depth == 0) {
      if (const auto part = trimmed(text.substr(start, i - start)); !part.empty()) parts.push_back(part);
      start = i + 1;
    }
  }
  if (const auto part = trimmed(text.substr(start)); !part.empty()) parts.push_back(part);
  return parts;
}

std::optional<int64_t> parse_integer(std::string_view text) {
  bool negative = false;
  if (!text.empty() && text.front() == '-') {
    negative = true;
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.starts_with("0x")) {
    base = 16;
    text.remove_prefix(2);
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  const auto number = static_cast<int64_t>(value);
  return negative ? static_cast<int64_t>(0 - value) : number;
}

/// "12" or "[12:15]" after the letter of a register file.
bool parse_register_range(std::string_view text, uint16_t limit, TextOperand& operand) {
  std::optional<int64_t> first;
  std::optional<int64_t> last;
  if (text.starts_with('[') && text.ends_with(']')) {
    text = text.substr(1, text.size() - 2);
    const size_t colon = text.find(':');
    first = parse_integer(text.substr(0, colon));
    last = colon == std::string_view::npos ? first : parse_integer(text.substr(colon + 1));
  } else {
    first = last = parse_integer(text);
  }
  if (!first || !last || *first < 0 || *last < *first || *last >= limit) return false;
  operand.first = static_cast<uint16_t>(*first);
  operand.count = static_cast<uint16_t>(*last - *first + 1);
  return true;
}

bool parse_register(std::string_view text, TextOperand& operand) {
  uint16_t count = 1;
  if (const auto special = special_register(text, count)) {
    operand.kind = OperandKind::scalar;
    operand.first = *special;
    operand.count = count;
    return true;
  }
  if (text.starts_with("ttmp") && parse_register_range(text.substr(4), 16, operand)) {
    operand.kind = OperandKind::scalar;
    operand.first = static_cast<uint16_t>(operand.first + kTtmp0);
    return true;
  }
  if (text.size() < 2) return false;
  const char file = text.front();
  if (file == 'v' && parse_register_range(text.substr(1), kVgprs, operand)) {
    operand.kind = OperandKind::vgpr;
    return true;
  }
  if (file == 'a' && parse_register_range(text.substr(1), kVgprs, operand)) {
    operand.kind = OperandKind::agpr;
    return true;
  }
  if (file == 's' && parse_register_range(text.substr(1), kFlatScratch, operand)) {
    operand.kind = OperandKind::scalar;
    return true;
  }
  return false;
}

bool is_number_start(char c) {
  return c == '-' || (c >= '0' && c <= '9');
}

/// lit(0xffffffff): a literal although an inline constant would do.
std::string_view without_lit(std::string_view text) {
  for (const std::string_view prefix : {"lit(", "lit64("}) {
    if (text.starts_with(prefix) && text.ends_with(')'))
      return text.substr(prefix.size(), text.size() - prefix.size() - 1);
  }
  return text;
}

TextOperand parse_operand(std::string_view text) {
  text = without_lit(text);
  TextOperand operand;
  operand.text = text;
  if (text.empty()) return operand;
  if (text == "off") {
    operand.kind = OperandKind::off;
    return operand;
  }
  if (is_number_start(text.front())) {
    if (const auto integer = parse_integer(text)) {
      operand.kind = OperandKind::integer;
      operand.integer = *integer;
      return operand;
    }
    char* end = nullptr;
    const double floating = std::strtod(operand.text.c_str(), &end);
    if (end == operand.text.c_str() + operand.text.size()) {
      operand.kind = OperandKind::floating;
      operand.floating = floating;
      return operand;
    }
  }
  // Modifiers wrap a register or a constant: -x, neg(x), |x|, abs(x), sext(x), in this order.
  std::string_view inner = text;
  if (inner.starts_with('-')) {
    operand.negate = true;
    inner.remove_prefix(1);
  } else if (inner.starts_with("neg(") && inner.ends_with(')')) {
    operand.negate = true;
    inner = inner.substr(4, inner.size() - 5);
  }
  if (inner.size() > 2 && inner.starts_with('|') && inner.ends_with('|')) {
    operand.absolute = true;
    inner = inner.substr(1, inner.size() - 2);
  }
  if (inner.starts_with("sext(") && inner.ends_with(')')) {
    operand.sign_extend = true;
    inner = inner.substr(5, inner.size() - 6);
  }
  if (parse_register(inner, operand)) return operand;
  if (inner.size() < text.size() && !inner.empty() && is_number_start(inner.front())) {
    TextOperand constant = parse_operand(inner);
    constant.negate = operand.negate;
    constant.absolute = operand.absolute;
    constant.sign_extend = operand.sign_extend;
    return constant;
  }
  return operand;  // a word
}

TextModifier parse_modifier(std::string_view text) {
  TextModifier modifier;
  const size_t colon = text.find(':');
  modifier.name = text.substr(0, colon);
  if (colon == std::string_view::npos) return modifier;
  std::string_view value = text.substr(colon + 1);
  modifier.value = value;
  if (value.starts_with('[') && value.ends_with(']')) value = value.substr(1, value.size() - 2);
  for (const std::string_view item : split(value, ',')) {
    if (const auto number = parse_integer(item)) modifier.items.push_back(*number);
  }
  return modifier;
}

void take_encoding_suffix(TextInstruction& instruction) {
  struct Suffix {
    std::string_view text;
    Encoding encoding;
  };
  for (const auto& [text, encoding] : {Suffix{"_e32", Encoding::e32}, Suffix{"_e64", Encoding::e64},
                                       Suffix{"_sdwa", Encoding::sdwa}, Suffix{"_dpp", Encoding::dpp}}) {
    if (instruction.mnemonic.ends_with(text)) {
      instruction.mnemonic.resize(instruction.mnemonic.size() - text.size());
      instruction.encoding = encoding;
      return;
    }
  }
}

}  // namespace

const TextModifier* TextInstruction::find(std::string_view name) const {
  for (const TextModifier& modifier : modifiers) {
    if (modifier.name == name) return &modifier;
  }
  return nullptr;
}

int64_t TextInstruction::item(std::string_view name, size_t index, int64_t fallback) const {
  const TextModifier* modifier = find(name);
  return modifier != nullptr && index < modifier->items.size() ? modifier->items[index] : fallback;
}

Expected<TextInstruction> parse_assembly(std::string_view text) {
  TextInstruction instruction;
  text = trimmed(text);
  const size_t space = text.find_first_of(" \t");
  instruction.mnemonic = text.substr(0, space);
  if (instruction.mnemonic.empty()) return Status::bad_input("an instruction without mnemonic");
  take_encoding_suffix(instruction);
  if (space == std::string_view::npos) return instruction;

  const auto parts = split(text.substr(space + 1), ',');
  for (size_t i = 0; i < parts.size(); ++i) {
    // Modifiers follow the last operand, separated by blanks; an instruction may also have modifiers alone.
    const auto words = split(parts[i], ' ');
    const bool last = i + 1 == parts.size();
    if (words.size() > 1 && !last) {
      return Status::bad_input("operand '" + std::string(parts[i]) + "' of '" + std::string(text) +
                               "' is not understood");
    }
    instruction.operands.push_back(parse_operand(words.front()));
    for (size_t w = 1; w < words.size(); ++w) instruction.modifiers.push_back(parse_modifier(words[w]));
  }
  return instruction;
}

}  // namespace mxproof::emulator
