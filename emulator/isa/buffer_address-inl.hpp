// Addresses of buffer instructions: a descriptor in four SGPRs, an optional index, an offset, a range check.
// Included once per host SIMD level (Highway's foreach_target).
//
//   descriptor   base[47:0]  stride[61:48]  records[95:64]  flags[127:96]
//   address    = base + soffset + index * stride + (voffset + instruction offset)
//   raw          in range: voffset + instruction offset + 4 <= records, for each dword (soffset is not
//   checked) indexed      in range: index < records
#if defined(MXPROOF_EMULATOR_ISA_BUFFER_ADDRESS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MXPROOF_EMULATOR_ISA_BUFFER_ADDRESS_INL_HPP
#undef MXPROOF_EMULATOR_ISA_BUFFER_ADDRESS_INL_HPP
#else
#define MXPROOF_EMULATOR_ISA_BUFFER_ADDRESS_INL_HPP
#endif

#include "emulator/isa/vector_address-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {

// Instruction::offset2 of buffer instructions.
constexpr int32_t kOffsetEnabled = 1;
constexpr int32_t kIndexEnabled = 2;

struct BufferDescriptor {
  uint64_t base;
  uint64_t stride;
  uint64_t records;
  bool swizzled;
  bool adds_lane;
};
HWY_INLINE BufferDescriptor read_descriptor(const Wave& w, uint16_t reg) {
  const uint64_t low = w.scalar64(reg);
  const uint32_t flags = w.sgpr[reg + 3];
  return {low & 0xffffffffffffU, (low >> 48) & 0x3fffU, w.sgpr[reg + 2], (low >> 63) != 0,
          ((flags >> 23) & 1U) != 0};
}

/// Bytes of a lane's access that are in range: whole dwords, or all of a narrow one.
HWY_INLINE uint64_t bytes_in_range(uint64_t offset, uint64_t bytes, uint64_t size) {
  const uint64_t unit = bytes < 4 ? bytes : 4;
  if (offset + unit > size) return 0;
  return HWY_MIN(bytes, (size - offset) / unit * unit);
}

/// Lanes out of range leave `exec`; `zero` has those, and valid_bytes says how much of them is in range after
/// all.
HWY_NOINLINE inline VectorAccess* begin_buffer(const Instruction& inst, Wave& w, uint64_t bytes) {
  VectorAccess& access = *begin_access(inst, w, bytes);
  const BufferDescriptor descriptor = read_descriptor(w, inst.src[kScalarAddress].reg);
  const bool indexed = (inst.offset2 & kIndexEnabled) != 0;
  if ((descriptor.swizzled && indexed) || descriptor.adds_lane) {
    w.fault(inst, "the buffer descriptor asks for swizzling or lane addressing, which is not modelled");
    return nullptr;
  }
  const bool has_offset = (inst.offset2 & kOffsetEnabled) != 0;
  const uint32_t* index = indexed ? w.row(inst.src[kAddress].reg) : nullptr;
  const uint32_t* offset = has_offset ? w.row(inst.src[kAddress].reg) + (indexed ? kLanes : 0) : nullptr;
  const uint64_t base = descriptor.base + read_scalar32(w, inst.src[kScalarOffset]);
  uint64_t in_range = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const uint64_t from_start =
        uint64_t{has_offset ? offset[lane] : 0U} + static_cast<uint64_t>(int64_t{inst.offset});
    const uint64_t which = indexed ? index[lane] : 0U;
    const uint64_t valid = indexed ? (which < descriptor.records ? bytes : 0)
                                   : bytes_in_range(from_start, bytes, descriptor.records);
    access.address[lane] = base + which * descriptor.stride + from_start;
    access.valid_bytes[lane] = static_cast<uint8_t>(valid);
    in_range |= uint64_t{valid == bytes} << lane;
  }
  access.zero = access.exec & ~in_range;
  for (uint64_t left = access.zero; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (access.valid_bytes[lane] == 0 || is_allocated(w, access.address[lane], access.valid_bytes[lane]))
      continue;
    fault_address(w, inst, lane, access.address[lane], access.valid_bytes[lane]);
    return nullptr;
  }
  access.partial_address = access.address;
  access.exec &= in_range;
  return check_global(access, inst, w, bytes) ? &access : nullptr;
}

/// vaddr or "off" at `at`, then the descriptor, then soffset.
inline Status build_buffer_address(const BuildContext& context, size_t at, Instruction& instruction) {
  const auto& operands = context.text.operands;
  instruction.offset = static_cast<int32_t>(context.text.item("offset", 0, 0));
  instruction.offset2 =
      (context.text.has("offen") ? kOffsetEnabled : 0) | (context.text.has("idxen") ? kIndexEnabled : 0);
  if (is_vector(operands[at])) {
    instruction.src[kAddress] =
        vector_source(register_number(operands[at]), instruction.offset2 == 3 ? 2 : 1);
  } else if (operands[at].kind != OperandKind::off || instruction.offset2 != 0) {
    return operand_error(context, at, "should be a vector register or off");
  }
  const TextOperand& descriptor = operands[at + 1];
  if (descriptor.kind != OperandKind::scalar || descriptor.count != 4)
    return operand_error(context, at + 1, "should be four scalar registers");
  if (Status s = build_source(context, descriptor, OperandType::b64, instruction.src[kScalarAddress]);
      !s.ok())
    return s;
  if (is_vector(operands[at + 2])) return operand_error(context, at + 2, "should be scalar");
  return build_source(context, operands[at + 2], OperandType::b32, instruction.src[kScalarOffset]);
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
