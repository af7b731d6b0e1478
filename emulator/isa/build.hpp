// From text operands to resolved ones: what the builders of all families share.
#pragma once

#include "emulator/isa/instruction.hpp"

namespace mxproof::emulator {

/// The bits of a constant operand (an inline constant or a literal) where `type` is expected.
uint64_t constant_bits(const TextOperand& operand, OperandType type);

/// Row of the vector register file, or number of the scalar register; kNone for anything else.
uint16_t register_number(const TextOperand& operand);
inline bool is_vector(const TextOperand& operand) {
  return operand.kind == OperandKind::vgpr || operand.kind == OperandKind::agpr;
}
inline bool is_constant(const TextOperand& operand) {
  return operand.kind == OperandKind::integer || operand.kind == OperandKind::floating;
}

/// Fills `source` from `operand`, signs included, without SDWA, op_sel or DPP.
Status build_source(const BuildContext& context, const TextOperand& operand, OperandType type,
                    Source& source);

/// The same without text: a vector register read as it is.
Source vector_source(uint16_t reg, int rows);

/// "operand N of 'text' ...": what a builder says when it gives up.
Status operand_error(const BuildContext& context, size_t operand, const char* what);

/// Makes sure that there are at least `count` operands.
Status need_operands(const BuildContext& context, size_t count);

/// Destination register.
Status build_destination(const BuildContext& context, size_t operand, int rows, Instruction& instruction);

/// Immediate operand as a number.
Expected<int64_t> immediate(const BuildContext& context, size_t operand);

// Builders, one per operand pattern.

/// dst, src0, src1, ... with VOP3 modifiers, SDWA, DPP.
Status build_vector(const BuildContext& context, Instruction& instruction);
/// As build_vector, the last source is the destination itself: fmac, dot2c.
Status build_vector_accumulate(const BuildContext& context, Instruction& instruction);
/// Mask destination: comparisons.
Status build_compare(const BuildContext& context, Instruction& instruction);
/// dst, carry out, src0, src1 [, carry in].
Status build_carry(const BuildContext& context, Instruction& instruction);
/// dst, src0, src1, src2 with op_sel, op_sel_hi, neg_lo, neg_hi: VOP3P.
Status build_packed(const BuildContext& context, Instruction& instruction);
/// Scalar: sdst, ssrc0, ssrc1.
Status build_scalar(const BuildContext& context, Instruction& instruction);
/// Scalar without destination: comparisons.
Status build_scalar_compare(const BuildContext& context, Instruction& instruction);
/// Scalar with a 16-bit immediate taken from the encoding, the destination being a source too.
Status build_scalar_immediate(const BuildContext& context, Instruction& instruction);
/// Nothing but simm16 of the encoding.
Status build_simm16(const BuildContext& context, Instruction& instruction);

}  // namespace mxproof::emulator
