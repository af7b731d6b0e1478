// SMEM: scalar loads. They complete in any order, so only lgkmcnt(0) makes their results certain.
// Source of the operations: AMD CDNA3 ISA reference guide, chapter "Scalar Memory Operations".
#include <algorithm>

#include "emulator/isa/build.hpp"
#include "emulator/isa/memory_check.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {
namespace {

/// Immediate offset plus scalar offset.
uint64_t offset_of(const Instruction& inst, const Wave& w) {
  uint64_t offset = static_cast<uint64_t>(int64_t{inst.offset});
  if (inst.src[1].kind != SourceKind::none) offset += read_scalar32(w, inst.src[1]);
  return offset;
}

void issue(const Instruction& inst, Wave& w, uint64_t address, uint64_t valid_bytes) {
  const uint64_t bytes = std::min<uint64_t>(valid_bytes, uint64_t{inst.dst_rows} * 4);
  if (bytes != 0 && !is_allocated(w, address, bytes)) {
    fault_address(w, inst, -1, address, bytes);
    return;
  }
  w.scalar_memory.push_back({address, bytes, 0, inst.dst, inst.dst_rows});
}

void s_load(const Instruction& inst, Wave& w) {
  const uint64_t address = (w.scalar64(inst.src[0].reg) + offset_of(inst, w)) & ~uint64_t{3};
  issue(inst, w, address, ~uint64_t{0});
}

/// V#: base[47:0], stride[61:48], records[95:64]. Dwords past the end read 0.
void s_buffer_load(const Instruction& inst, Wave& w) {
  const uint64_t low = w.scalar64(inst.src[0].reg);
  const uint64_t base = low & 0xffffffffffffU;
  const uint64_t stride = (low >> 48) & 0x3fffU;
  const uint64_t records = w.sgpr[inst.src[0].reg + 2];
  const uint64_t size = stride == 0 ? records : stride * records;
  const uint64_t offset = offset_of(inst, w) & ~uint64_t{3};
  issue(inst, w, base + offset, offset < size ? (size - offset) & ~uint64_t{3} : 0);
}

/// A clock that counts the wave's instructions: deterministic, and it moves.
void s_memtime(const Instruction& inst, Wave& w) {
  const uint64_t executed = static_cast<uint64_t>(INT64_MAX - w.budget) + (inst.index - w.run_start);
  w.scalar_memory.push_back({0, 0, executed, inst.dst, 0});
}

void no_effect(const Instruction&, Wave&) {}

/// sdst, sbase, offset: a number, a register, or a register and "offset:".
Status build_load(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 3); !s.ok()) return s;
  if (Status s = build_destination(context, 0, static_cast<int>(context.row.extra), instruction); !s.ok())
    return s;
  const TextOperand& base = context.text.operands[1];
  const TextOperand& offset = context.text.operands[2];
  if (!instruction.dst_scalar || base.kind != OperandKind::scalar)
    return operand_error(context, 1, "should be scalar");
  if (Status s = build_source(context, base, OperandType::b64, instruction.src[0]); !s.ok()) return s;
  if (offset.kind == OperandKind::integer) {
    instruction.offset = static_cast<int32_t>(offset.integer);
    return {};
  }
  instruction.offset = static_cast<int32_t>(context.text.item("offset", 0, 0));
  return build_source(context, offset, OperandType::b32, instruction.src[1]);
}
Status build_time(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 1); !s.ok()) return s;
  return build_destination(context, 0, 2, instruction);
}

constexpr Row load_row(std::string_view name, Handler run, uint32_t words) {
  return {name, run, &build_load, InstructionClass::scalar_memory, OperandType::none, {}, words};
}
constexpr Row plain_row(std::string_view name, Handler run, Builder build) {
  return {name, run, build, InstructionClass::scalar_memory};
}

constexpr Row kRows[] = {
    load_row("s_load_dword", &s_load, 1),
    load_row("s_load_dwordx2", &s_load, 2),
    load_row("s_load_dwordx4", &s_load, 4),
    load_row("s_load_dwordx8", &s_load, 8),
    load_row("s_load_dwordx16", &s_load, 16),
    load_row("s_buffer_load_dword", &s_buffer_load, 1),
    load_row("s_buffer_load_dwordx2", &s_buffer_load, 2),
    load_row("s_buffer_load_dwordx4", &s_buffer_load, 4),
    load_row("s_buffer_load_dwordx8", &s_buffer_load, 8),
    load_row("s_buffer_load_dwordx16", &s_buffer_load, 16),
    plain_row("s_memtime", &s_memtime, &build_time),
    plain_row("s_memrealtime", &s_memtime, &build_time),
    plain_row("s_dcache_inv", &no_effect, &build_simm16),
    plain_row("s_dcache_wb", &no_effect, &build_simm16),
    plain_row("s_dcache_inv_vol", &no_effect, &build_simm16),
    plain_row("s_dcache_wb_vol", &no_effect, &build_simm16),
};

}  // namespace

std::span<const Row> scalar_memory_rows() {
  return kRows;
}

}  // namespace mxproof::emulator
