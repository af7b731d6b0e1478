#include "emulator/isa/matrix_operand.hpp"

namespace mxproof::emulator {
namespace {

Status build_registers(const BuildContext& context, size_t at, int rows, Source& source) {
  const TextOperand& operand = context.text.operands[at];
  if (!is_vector(operand)) return operand_error(context, at, "should be vector registers");
  if (operand.count != rows) return operand_error(context, at, "has the wrong number of registers");
  source = vector_source(register_number(operand), rows);
  return {};
}

}  // namespace

Status build_matrix(const BuildContext& context, int d_rows, int a_rows, int b_rows,
                    Instruction& instruction) {
  if (Status s = need_operands(context, 4); !s.ok()) return s;
  if (Status s = build_destination(context, 0, d_rows, instruction); !s.ok()) return s;
  if (instruction.dst_scalar) return operand_error(context, 0, "should be vector registers");
  if (Status s = build_registers(context, 1, a_rows, instruction.src[kMatrixA]); !s.ok()) return s;
  if (Status s = build_registers(context, 2, b_rows, instruction.src[kMatrixB]); !s.ok()) return s;
  const TextOperand& c = context.text.operands[3];
  if (is_vector(c)) return build_registers(context, 3, d_rows, instruction.src[kMatrixC]);
  if (!is_constant(c)) return operand_error(context, 3, "should be vector registers or a constant");
  return build_source(context, c, context.row.result, instruction.src[kMatrixC]);
}

}  // namespace mxproof::emulator
