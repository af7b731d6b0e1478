// Scalar stores. They take effect at once: the wave that issues one cannot look at it earlier than through a
// wait of its own. Source of the operations: AMD CDNA3 ISA reference guide, chapter "Scalar Memory
// Operations".
#include <algorithm>
#include <cstring>

#include "emulator/isa/host_address.hpp"
#include "emulator/isa/memory_check.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/isa/scalar_address.hpp"

namespace mxproof::emulator {
namespace {

constexpr int kData = 2;

void store(const Instruction& inst, Wave& w, uint64_t address, uint64_t bytes) {
  if (bytes == 0) return;
  if (!is_allocated(w, address, bytes)) {
    fault_address(w, inst, -1, address, bytes);
    return;
  }
  std::memcpy(host(address), &w.sgpr[inst.src[kData].reg], bytes);
}

void s_store(const Instruction& inst, Wave& w) {
  store(inst, w, scalar_address(inst, w), uint64_t{inst.extra} * 4);
}

/// Dwords past the end are not written.
void s_buffer_store(const Instruction& inst, Wave& w) {
  const ScalarBufferRange range = scalar_buffer_range(inst, w);
  store(inst, w, range.address, std::min<uint64_t>(range.valid_bytes, uint64_t{inst.extra} * 4));
}

/// sdata, sbase, offset
Status build_store(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 3); !s.ok()) return s;
  const TextOperand& data = context.text.operands[0];
  if (data.kind != OperandKind::scalar) return operand_error(context, 0, "should be scalar");
  if (data.count != context.row.extra) return operand_error(context, 0, "has the wrong number of registers");
  if (Status s = build_source(context, data, OperandType::b32, instruction.src[kData]); !s.ok()) return s;
  return build_scalar_address(context, instruction);
}

constexpr Row row(std::string_view name, Handler run, uint32_t words) {
  return {name, run, &build_store, InstructionClass::scalar_memory, OperandType::none, {}, words};
}

constexpr Row kRows[] = {
    row("s_store_dword", &s_store, 1),
    row("s_store_dwordx2", &s_store, 2),
    row("s_store_dwordx4", &s_store, 4),
    row("s_buffer_store_dword", &s_buffer_store, 1),
    row("s_buffer_store_dwordx2", &s_buffer_store, 2),
    row("s_buffer_store_dwordx4", &s_buffer_store, 4),
};

}  // namespace

std::span<const Row> scalar_store_rows() {
  return kRows;
}

}  // namespace mxproof::emulator
