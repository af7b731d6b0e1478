// SMEM: scalar loads. They complete in any order, so only lgkmcnt(0) makes their results certain.
// Source of the operations: AMD CDNA3 ISA reference guide, chapter "Scalar Memory Operations".
#include <algorithm>

#include "emulator/isa/memory_check.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/isa/scalar_address.hpp"

namespace mxproof::emulator {
namespace {

void issue(const Instruction& inst, Wave& w, uint64_t address, uint64_t valid_bytes) {
  const uint64_t bytes = std::min<uint64_t>(valid_bytes, uint64_t{inst.dst_rows} * 4);
  if (bytes != 0 && !is_allocated(w, address, bytes)) {
    fault_address(w, inst, -1, address, bytes);
    return;
  }
  w.scalar_memory.push_back({address, bytes, 0, inst.dst, inst.dst_rows});
}

void s_load(const Instruction& inst, Wave& w) {
  issue(inst, w, scalar_address(inst, w), ~uint64_t{0});
}

/// Dwords past the end read 0.
void s_buffer_load(const Instruction& inst, Wave& w) {
  const ScalarBufferRange range = scalar_buffer_range(inst, w);
  issue(inst, w, range.address, range.valid_bytes);
}

/// A clock that counts the wave's instructions: deterministic, and it moves.
void s_memtime(const Instruction& inst, Wave& w) {
  const uint64_t executed = static_cast<uint64_t>(INT64_MAX - w.budget) + (inst.index - w.run_start);
  w.scalar_memory.push_back({0, 0, executed, inst.dst, 0});
}

void no_effect(const Instruction&, Wave&) {}

/// sdst, sbase, offset
Status build_load(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 3); !s.ok()) return s;
  if (Status s = build_destination(context, 0, static_cast<int>(context.row.extra), instruction); !s.ok())
    return s;
  if (!instruction.dst_scalar) return operand_error(context, 0, "should be scalar");
  return build_scalar_address(context, instruction);
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
