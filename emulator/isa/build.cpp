#include "emulator/isa/build.hpp"

#include <bit>

#include "emulator/isa/float16.hpp"
#include "emulator/isa/scalar_register.hpp"

namespace mxproof::emulator {
namespace {

/// The inline constant 1/(2 pi), which the chip holds in each format; text carries too few digits of it.
constexpr double kInverseTwoPi = 0.15915494309189532;

bool is_inverse_two_pi(double value) {
  return value > 0.159154 && value < 0.159155;
}

uint64_t floating_bits(double value, OperandType type) {
  if (is_inverse_two_pi(value)) {
    switch (type) {
      case OperandType::b16:
      case OperandType::f16:
      case OperandType::pk16:
      case OperandType::pkf16:
        return 0x3118;
      case OperandType::b64:
      case OperandType::f64:
        return 0x3fc45f306dc9c882;
      default:
        return 0x3e22f983;
    }
  }
  switch (type) {
    case OperandType::b16:
    case OperandType::f16:
    case OperandType::pk16:
    case OperandType::pkf16:
      return float_to_half(static_cast<float>(value));
    case OperandType::b64:
    case OperandType::f64:
      return std::bit_cast<uint64_t>(value);
    default:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
  }
}

uint8_t sign_bit_of(OperandType type) {
  switch (type) {
    case OperandType::b16:
    case OperandType::f16:
      return 15;
    case OperandType::b64:
    case OperandType::f64:
      return 63;
    default:
      return 31;
  }
}

void set_decoration(const BuildContext& context, const SourceDecoration& decoration, Source& source) {
  source.decoration = context.arena.keep(decoration);
  source.direct = false;
}

}  // namespace

uint64_t constant_bits(const TextOperand& operand, OperandType type) {
  static_assert(kInverseTwoPi > 0.159154);
  if (operand.kind == OperandKind::floating) return floating_bits(operand.floating, type);
  const auto bits = static_cast<uint64_t>(operand.integer);
  if (type == OperandType::b64) return bits;  // literals zero-extended, inline constants sign-extended
  if (type == OperandType::f64) return operand.text.find("0x") != std::string::npos ? bits << 32 : bits;
  return bits & 0xffffffffU;
}

uint16_t register_number(const TextOperand& operand) {
  switch (operand.kind) {
    case OperandKind::vgpr:
    case OperandKind::scalar:
      return operand.first;
    case OperandKind::agpr:
      return static_cast<uint16_t>(kFirstAgpr + operand.first);
    default:
      return kNone;
  }
}

Status operand_error(const BuildContext& context, size_t operand, const char* what) {
  std::string text = std::string(context.row.name) + ": operand " + std::to_string(operand);
  if (operand < context.text.operands.size()) text += " '" + context.text.operands[operand].text + "'";
  return Status::bad_input(text + " " + what);
}

Status need_operands(const BuildContext& context, size_t count) {
  if (context.text.operands.size() >= count) return {};
  return Status::bad_input(std::string(context.row.name) + ": expects " + std::to_string(count) +
                           " operands, has " + std::to_string(context.text.operands.size()));
}

Source vector_source(uint16_t reg, int rows) {
  Source source;
  source.kind = SourceKind::vector;
  source.reg = reg;
  source.rows = static_cast<uint8_t>(rows);
  source.direct = true;
  return source;
}

Status build_source(const BuildContext& context, const TextOperand& operand, OperandType type,
                    Source& source) {
  source = Source{};
  source.rows = static_cast<uint8_t>(rows_of(type));
  if (is_constant(operand)) {
    source.kind = SourceKind::constant;
    source.constant = context.arena.constant(constant_bits(operand, type));
    source.direct = true;
  } else if (is_vector(operand)) {
    source.kind = SourceKind::vector;
    source.reg = register_number(operand);
    source.direct = true;
    if (operand.first + source.rows > kFirstAgpr) {
      return Status::bad_input(std::string(context.row.name) + ": register '" + operand.text +
                               "' is too short");
    }
  } else if (operand.kind == OperandKind::scalar) {
    source.kind = SourceKind::scalar;
    source.reg = operand.first;
  } else {
    return Status::bad_input(std::string(context.row.name) + ": source '" + operand.text +
                             "' is not understood");
  }
  if (operand.negate || operand.absolute || operand.sign_extend) {
    SourceDecoration decoration;
    decoration.negate = operand.negate;
    decoration.absolute = operand.absolute;
    decoration.sign_extend = operand.sign_extend;
    decoration.sign_bit = sign_bit_of(type);
    set_decoration(context, decoration, source);
  }
  return {};
}

Status build_destination(const BuildContext& context, size_t operand, int rows, Instruction& instruction) {
  const TextOperand& text = context.text.operands[operand];
  instruction.dst = register_number(text);
  instruction.dst_rows = static_cast<uint8_t>(rows);
  instruction.dst_scalar = text.kind == OperandKind::scalar;
  if (instruction.dst == kNone) return operand_error(context, operand, "is no register to write to");
  const int limit = instruction.dst_scalar ? int{kScalarRegisters} : int{kFirstAgpr};
  if (text.first + rows > limit) return operand_error(context, operand, "reaches past the last register");
  return {};
}

Expected<int64_t> immediate(const BuildContext& context, size_t operand) {
  if (operand >= context.text.operands.size() ||
      context.text.operands[operand].kind != OperandKind::integer) {
    return operand_error(context, operand, "should be a number");
  }
  return context.text.operands[operand].integer;
}

Status build_scalar(const BuildContext& context, Instruction& instruction) {
  const Row& row = context.row;
  const bool writes = row.result != OperandType::none;
  size_t at = 0;
  if (writes) {
    if (Status s = need_operands(context, 1); !s.ok()) return s;
    if (Status s = build_destination(context, at++, rows_of(row.result), instruction); !s.ok()) return s;
    if (!instruction.dst_scalar) return operand_error(context, 0, "should be a scalar register");
  }
  for (size_t i = 0; i < row.sources.size() && row.sources[i] != OperandType::none; ++i, ++at) {
    if (Status s = need_operands(context, at + 1); !s.ok()) return s;
    if (Status s = build_source(context, context.text.operands[at], row.sources[i], instruction.src[i]);
        !s.ok())
      return s;
    if (instruction.src[i].kind == SourceKind::vector) return operand_error(context, at, "should be scalar");
  }
  return {};
}

Status build_scalar_compare(const BuildContext& context, Instruction& instruction) {
  return build_scalar(context, instruction);
}

Status build_simm16(const BuildContext& context, Instruction& instruction) {
  instruction.offset = static_cast<int16_t>(context.words[0] & 0xffffU);
  return {};
}

Status build_scalar_immediate(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 1); !s.ok()) return s;
  if (Status s = build_destination(context, 0, 1, instruction); !s.ok()) return s;
  if (!instruction.dst_scalar) return operand_error(context, 0, "should be a scalar register");
  if (Status s = build_source(context, context.text.operands[0], OperandType::b32, instruction.src[0]);
      !s.ok())
    return s;
  const uint32_t bits = context.words[0] & 0xffffU;
  const bool is_unsigned = context.row.name.ends_with("_u32");
  const uint32_t value = is_unsigned ? bits : static_cast<uint32_t>(static_cast<int16_t>(bits));
  instruction.src[1].kind = SourceKind::constant;
  instruction.src[1].constant = context.arena.constant(value);
  instruction.src[1].direct = true;
  return {};
}

}  // namespace mxproof::emulator
