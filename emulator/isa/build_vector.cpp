// Builders of vector instructions: VOP1, VOP2, VOP3, VOPC and VOP3P with their SDWA and DPP decorators.
#include <array>
#include <string>

#include "emulator/isa/build.hpp"
#include "emulator/isa/scalar_register.hpp"

namespace mxproof::emulator {
namespace {

constexpr std::array<std::string_view, 7> kPartNames = {"DWORD",  "BYTE_0", "BYTE_1", "BYTE_2",
                                                        "BYTE_3", "WORD_0", "WORD_1"};

Part part_named(std::string_view name) {
  for (size_t i = 0; i < kPartNames.size(); ++i) {
    if (kPartNames[i] == name) return static_cast<Part>(i);
  }
  return Part::dword;
}

bool is_half(OperandType type) {
  return type == OperandType::b16 || type == OperandType::f16;
}

/// DPP controls as lane tables. Source: the ISA's "DPP" pseudocode for each control.
bool fill_dpp(const TextInstruction& text, Dpp& dpp) {
  const auto each_lane = [&dpp](auto&& source_of) {
    for (int lane = 0; lane < kLanes; ++lane) dpp.source[lane] = static_cast<int16_t>(source_of(lane));
  };
  if (const auto* m = text.find("quad_perm"); m != nullptr && m->items.size() == 4) {
    each_lane([&](int lane) { return (lane & ~3) | static_cast<int>(m->items[lane & 3] & 3); });
  } else if (text.has("row_shl")) {
    const int n = static_cast<int>(text.item("row_shl", 0, 0));
    each_lane([&](int lane) { return (lane & 15) + n < 16 ? lane + n : -1; });
  } else if (text.has("row_shr")) {
    const int n = static_cast<int>(text.item("row_shr", 0, 0));
    each_lane([&](int lane) { return (lane & 15) - n >= 0 ? lane - n : -1; });
  } else if (text.has("row_ror")) {
    const int n = static_cast<int>(text.item("row_ror", 0, 0));
    each_lane([&](int lane) { return (lane & ~15) | ((lane - n) & 15); });
  } else if (text.has("wave_shl")) {
    each_lane([](int lane) { return lane < 63 ? lane + 1 : -1; });
  } else if (text.has("wave_shr")) {
    each_lane([](int lane) { return lane - 1; });
  } else if (text.has("wave_rol")) {
    each_lane([](int lane) { return (lane + 1) & 63; });
  } else if (text.has("wave_ror")) {
    each_lane([](int lane) { return (lane - 1) & 63; });
  } else if (text.has("row_mirror")) {
    each_lane([](int lane) { return lane ^ 15; });
  } else if (text.has("row_half_mirror")) {
    each_lane([](int lane) { return lane ^ 7; });
  } else if (text.has("row_bcast")) {
    const bool fifteen = text.item("row_bcast", 0, 0) == 15;
    each_lane([&](int lane) { return fifteen ? (lane & ~15) - 1 : lane > 31 ? 31 : -1; });
  } else if (text.has("row_newbcast")) {
    const int n = static_cast<int>(text.item("row_newbcast", 0, 0));
    each_lane([&](int lane) { return (lane & ~15) | (n & 15); });
  } else {
    return false;
  }
  const auto row_mask = static_cast<uint32_t>(text.item("row_mask", 0, 0xf));
  const auto bank_mask = static_cast<uint32_t>(text.item("bank_mask", 0, 0xf));
  dpp.enabled = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const bool enabled =
        ((row_mask >> (lane / 16)) & 1U) != 0 && ((bank_mask >> ((lane % 16) / 4)) & 1U) != 0;
    if (enabled) dpp.enabled |= uint64_t{1} << lane;
  }
  dpp.zero_invalid = text.has("bound_ctrl");
  return true;
}

SourceDecoration decoration_of(const Source& source, OperandType type) {
  if (source.decoration != nullptr) return *source.decoration;
  SourceDecoration decoration;
  decoration.sign_bit = is_half(type) ? 15 : rows_of(type) == 2 ? 63 : 31;
  return decoration;
}

/// SDWA selects, op_sel and DPP of source `i`.
void decorate_source(const BuildContext& context, size_t i, OperandType type, Instruction& instruction) {
  const TextInstruction& text = context.text;
  Source& source = instruction.src[i];
  SourceDecoration decoration = decoration_of(source, type);
  bool needed = source.decoration != nullptr;
  if (text.encoding == Encoding::sdwa) {
    const char* name = i == 0 ? "src0_sel" : i == 1 ? "src1_sel" : "";
    if (const TextModifier* select = text.find(name)) {
      decoration.part = part_named(select->value);
      needed |= decoration.part != Part::dword;
    }
  } else if (is_half(type) && text.item("op_sel", i, 0) != 0) {
    decoration.part = Part::word1;
    needed = true;
  }
  if (i == 0 && text.encoding == Encoding::dpp) {
    decoration.dpp = true;
    needed = true;
  }
  if (!needed) return;
  source.decoration = context.arena.keep(decoration);
  source.direct = false;
}

Status decorate_result(const BuildContext& context, size_t sources, Instruction& instruction) {
  const TextInstruction& text = context.text;
  ResultDecoration decoration;
  bool needed = false;
  if (const TextModifier* select = text.find("dst_sel")) {
    decoration.part = part_named(select->value);
    const TextModifier* unused = text.find("dst_unused");
    if (unused != nullptr && unused->value == "UNUSED_SEXT")
      decoration.unused = ResultDecoration::Unused::sign_extend;
    if (unused != nullptr && unused->value == "UNUSED_PRESERVE")
      decoration.unused = ResultDecoration::Unused::preserve;
    needed = decoration.part != Part::dword;
  } else if (is_half(context.row.result)) {
    const bool high = text.item("op_sel", sources, 0) != 0;
    if (high || (context.row.extra & kKeepsHighHalf) != 0) {
      decoration.part = high ? Part::word1 : Part::word0;
      decoration.unused = ResultDecoration::Unused::preserve;
      needed = true;
    }
  }
  const bool floating = context.row.result == OperandType::f16 || context.row.result == OperandType::f32 ||
                        context.row.result == OperandType::f64 || context.row.result == OperandType::pkf16;
  // Integer rows that saturate are rows of their own, named "... clamp".
  if (text.has("clamp") && !context.row.name.ends_with(" clamp")) {
    if (!floating) return Status::bad_input(std::string(context.row.name) + ": clamp is not modelled here");
    decoration.clamp = true;
    needed = true;
  }
  if (text.has("mul")) decoration.multiply = static_cast<float>(text.item("mul", 0, 1));
  if (text.has("div")) decoration.multiply = 1.0F / static_cast<float>(text.item("div", 0, 1));
  needed |= decoration.multiply != 1.0F;
  if (needed) instruction.result = context.arena.keep(decoration);
  return {};
}

Status decorate(const BuildContext& context, size_t sources, Instruction& instruction) {
  for (size_t i = 0; i < sources; ++i) {
    if (instruction.src[i].kind != SourceKind::none)
      decorate_source(context, i, context.row.sources[i], instruction);
  }
  if (context.text.encoding == Encoding::dpp) {
    Dpp dpp;
    if (!fill_dpp(context.text, dpp)) {
      return Status::bad_input(std::string(context.row.name) + ": its DPP control is not understood");
    }
    instruction.dpp = context.arena.keep(dpp);
  }
  if (Status s = decorate_result(context, sources, instruction); !s.ok()) return s;
  instruction.plain = instruction.dpp == nullptr && instruction.result == nullptr;
  return {};
}

size_t source_count(const Row& row) {
  size_t count = 0;
  while (count < row.sources.size() && row.sources[count] != OperandType::none) ++count;
  return count;
}

/// Sources `from`.. of the row, at text operands `at`...
Status build_sources(const BuildContext& context, size_t count, size_t at, Instruction& instruction) {
  if (Status s = need_operands(context, at + count); !s.ok()) return s;
  for (size_t i = 0; i < count; ++i) {
    if (Status s =
            build_source(context, context.text.operands[at + i], context.row.sources[i], instruction.src[i]);
        !s.ok()) {
      return s;
    }
  }
  return {};
}

}  // namespace

Status build_vector(const BuildContext& context, Instruction& instruction) {
  const size_t count = source_count(context.row);
  if (Status s = need_operands(context, 1); !s.ok()) return s;
  if (Status s = build_destination(context, 0, rows_of(context.row.result), instruction); !s.ok()) return s;
  if (Status s = build_sources(context, count, 1, instruction); !s.ok()) return s;
  return decorate(context, count, instruction);
}

Status build_vector_accumulate(const BuildContext& context, Instruction& instruction) {
  const size_t count = source_count(context.row);
  if (Status s = need_operands(context, 1); !s.ok()) return s;
  if (Status s = build_destination(context, 0, rows_of(context.row.result), instruction); !s.ok()) return s;
  if (Status s = build_sources(context, count - 1, 1, instruction); !s.ok()) return s;
  instruction.src[count - 1] = vector_source(instruction.dst, instruction.dst_rows);
  return decorate(context, count - 1, instruction);
}

Status build_compare(const BuildContext& context, Instruction& instruction) {
  const size_t count = source_count(context.row);
  if (Status s = need_operands(context, 1); !s.ok()) return s;
  if (Status s = build_destination(context, 0, 2, instruction); !s.ok()) return s;
  if (!instruction.dst_scalar) return operand_error(context, 0, "should be a scalar register");
  if (Status s = build_sources(context, count, 1, instruction); !s.ok()) return s;
  return decorate(context, count, instruction);
}

Status build_carry(const BuildContext& context, Instruction& instruction) {
  const size_t count = source_count(context.row);
  if (Status s = need_operands(context, 2); !s.ok()) return s;
  if (Status s = build_destination(context, 0, rows_of(context.row.result), instruction); !s.ok()) return s;
  const TextOperand& carry = context.text.operands[1];
  if (carry.kind != OperandKind::scalar) return operand_error(context, 1, "should be a scalar register pair");
  instruction.dst2 = carry.first;
  if (Status s = build_sources(context, count, 2, instruction); !s.ok()) return s;
  return decorate(context, count, instruction);
}

Status build_packed(const BuildContext& context, Instruction& instruction) {
  const size_t count = source_count(context.row);
  if (Status s = need_operands(context, 1); !s.ok()) return s;
  if (Status s = build_destination(context, 0, rows_of(context.row.result), instruction); !s.ok()) return s;
  if (Status s = build_sources(context, count, 1, instruction); !s.ok()) return s;
  const TextInstruction& text = context.text;
  for (size_t i = 0; i < count; ++i) {
    SourceDecoration decoration;
    const bool half_pair =
        context.row.sources[i] == OperandType::pk16 || context.row.sources[i] == OperandType::pkf16;
    decoration.packed = true;
    decoration.low_from_high = text.item("op_sel", i, 0) != 0;
    decoration.high_from_high = text.item("op_sel_hi", i, 1) != 0;
    const uint32_t low_flip = text.item("neg_lo", i, 0) != 0 ? (half_pair ? 0x8000U : 1U) : 0U;
    const uint32_t high_flip = text.item("neg_hi", i, 0) != 0 ? (half_pair ? 0x80000000U : 2U) : 0U;
    decoration.flip = low_flip | high_flip;
    if (!decoration.low_from_high && decoration.high_from_high && decoration.flip == 0) continue;
    instruction.src[i].decoration = context.arena.keep(decoration);
    instruction.src[i].direct = false;
  }
  if (Status s = decorate_result(context, count, instruction); !s.ok()) return s;
  instruction.plain = instruction.result == nullptr;
  return {};
}

}  // namespace mxproof::emulator
