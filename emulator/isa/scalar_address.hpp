// What scalar loads and stores share: how their text operands are built and where they access memory.
// Source: AMD CDNA3 ISA reference guide, chapter "Scalar Memory Operations".
#pragma once

#include <cstdint>

#include "emulator/isa/build.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {

constexpr int kScalarBase = 0;    ///< Source that holds the address, or the buffer descriptor.
constexpr int kScalarOffset = 1;  ///< Source that holds the scalar offset, if there is one.

/// Immediate offset plus scalar offset, in bytes.
inline uint64_t scalar_offset(const Instruction& inst, const Wave& w) {
  auto offset = static_cast<uint64_t>(int64_t{inst.offset});
  if (inst.src[kScalarOffset].kind != SourceKind::none) offset += read_scalar32(w, inst.src[kScalarOffset]);
  return offset;
}

/// The address of s_load and s_store: base plus offsets, down to the dword.
inline uint64_t scalar_address(const Instruction& inst, const Wave& w) {
  return (w.scalar64(inst.src[kScalarBase].reg) + scalar_offset(inst, w)) & ~uint64_t{3};
}

/// What a buffer descriptor leaves of an access.
struct ScalarBufferRange {
  uint64_t address;
  uint64_t valid_bytes;  ///< To the end of the buffer, in whole dwords.
};

/// s_buffer_load and s_buffer_store. V#: base[47:0], stride[61:48], records[95:64].
inline ScalarBufferRange scalar_buffer_range(const Instruction& inst, const Wave& w) {
  const uint64_t low = w.scalar64(inst.src[kScalarBase].reg);
  const uint64_t base = low & 0xffffffffffffU;
  const uint64_t stride = (low >> 48) & 0x3fffU;
  const uint64_t records = w.sgpr[inst.src[kScalarBase].reg + 2];
  const uint64_t size = stride == 0 ? records : stride * records;
  const uint64_t offset = scalar_offset(inst, w) & ~uint64_t{3};
  return {base + offset, offset < size ? (size - offset) & ~uint64_t{3} : 0};
}

/// Text operands 1 (base) and 2 (offset: a number, a register, or a register and "offset:").
inline Status build_scalar_address(const BuildContext& context, Instruction& instruction) {
  const TextOperand& base = context.text.operands[1];
  const TextOperand& offset = context.text.operands[2];
  if (base.kind != OperandKind::scalar) return operand_error(context, 1, "should be scalar");
  if (Status s = build_source(context, base, OperandType::b64, instruction.src[kScalarBase]); !s.ok())
    return s;
  if (offset.kind == OperandKind::integer) {
    instruction.offset = static_cast<int32_t>(offset.integer);
    return {};
  }
  instruction.offset = static_cast<int32_t>(context.text.item("offset", 0, 0));
  return build_source(context, offset, OperandType::b32, instruction.src[kScalarOffset]);
}

}  // namespace mxproof::emulator
