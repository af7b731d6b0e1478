// Scalar stores. They take effect at once: the wave that issues one cannot look at it earlier than through a
// wait of its own. Source of the operations: AMD CDNA3 ISA reference guide, chapter "Scalar Memory
// Operations".
#include <algorithm>
#include <cstring>

#include "emulator/isa/build.hpp"
#include "emulator/isa/host_address.hpp"
#include "emulator/isa/memory_check.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {
namespace {

constexpr int kBase = 0;
constexpr int kOffset = 1;
constexpr int kData = 2;

uint64_t offset_of(const Instruction& inst, const Wave& w) {
  auto offset = static_cast<uint64_t>(int64_t{inst.offset});
  if (inst.src[kOffset].kind != SourceKind::none) offset += read_scalar32(w, inst.src[kOffset]);
  return offset;
}

void store(const Instruction& inst, Wave& w, uint64_t address, uint64_t bytes) {
  if (bytes == 0) return;
  if (!is_allocated(w, address, bytes)) {
    fault_address(w, inst, -1, address, bytes);
    return;
  }
  std::memcpy(host(address), &w.sgpr[inst.src[kData].reg], bytes);
}

void s_store(const Instruction& inst, Wave& w) {
  const uint64_t address = (w.scalar64(inst.src[kBase].reg) + offset_of(inst, w)) & ~uint64_t{3};
  store(inst, w, address, uint64_t{inst.extra} * 4);
}

/// As s_buffer_load: dwords past the end are not written.
void s_buffer_store(const Instruction& inst, Wave& w) {
  const uint64_t low = w.scalar64(inst.src[kBase].reg);
  const uint64_t base = low & 0xffffffffffffU;
  const uint64_t stride = (low >> 48) & 0x3fffU;
  const uint64_t records = w.sgpr[inst.src[kBase].reg + 2];
  const uint64_t size = stride == 0 ? records : stride * records;
  const uint64_t offset = offset_of(inst, w) & ~uint64_t{3};
  const uint64_t valid = offset < size ? (size - offset) & ~uint64_t{3} : 0;
  store(inst, w, base + offset, std::min<uint64_t>(valid, uint64_t{inst.extra} * 4));
}

/// sdata, sbase, offset: as of a load.
Status build_store(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 3); !s.ok()) return s;
  const auto& operands = context.text.operands;
  for (size_t i = 0; i < 2; ++i)
    if (operands[i].kind != OperandKind::scalar) return operand_error(context, i, "should be scalar");
  if (operands[0].count != context.row.extra)
    return operand_error(context, 0, "has the wrong number of registers");
  if (Status s = build_source(context, operands[0], OperandType::b32, instruction.src[kData]); !s.ok())
    return s;
  if (Status s = build_source(context, operands[1], OperandType::b64, instruction.src[kBase]); !s.ok())
    return s;
  if (operands[2].kind == OperandKind::integer) {
    instruction.offset = static_cast<int32_t>(operands[2].integer);
    return {};
  }
  instruction.offset = static_cast<int32_t>(context.text.item("offset", 0, 0));
  return build_source(context, operands[2], OperandType::b32, instruction.src[kOffset]);
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
