// Addresses of global, flat and scratch instructions, and the builders of their operands.
// Included once per host SIMD level (Highway's foreach_target).
#if defined(MXPROOF_EMULATOR_ISA_VECTOR_ADDRESS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MXPROOF_EMULATOR_ISA_VECTOR_ADDRESS_INL_HPP
#undef MXPROOF_EMULATOR_ISA_VECTOR_ADDRESS_INL_HPP
#else
#define MXPROOF_EMULATOR_ISA_VECTOR_ADDRESS_INL_HPP
#endif

#include "emulator/isa/access_shape.hpp"
#include "emulator/isa/host_address.hpp"
#include "emulator/isa/lanes-inl.hpp"
#include "emulator/isa/memory_check.hpp"
#include "emulator/isa/memory_wait.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {

// Sources of a vector memory instruction, whatever its operand order in assembly.
constexpr int kAddress = 0;        ///< VGPRs: 64-bit address or 32-bit offset.
constexpr int kData = 1;           ///< VGPRs stored.
constexpr int kScalarAddress = 2;  ///< SGPRs: base address, scratch offset, buffer descriptor.
constexpr int kScalarOffset = 3;   ///< SGPR or constant: buffer soffset.

/// Inactive lanes take the address of the first active one, so that reductions may ignore EXEC.
HWY_INLINE void fill_inactive(VectorAccess& access) {
  if (access.exec == kAllLanes || access.exec == 0) return;
  const uint64_t first = access.address[std::countr_zero(access.exec)];
  MXPROOF_EACH_LANE {
    access.address[lane] = ((access.exec >> lane) & 1U) != 0 ? access.address[lane] : first;
  }
}

/// True when every active lane's address lies in an allocation; else the wave is stopped.
HWY_INLINE bool check_global(VectorAccess& access, const Instruction& inst, Wave& w, uint64_t bytes) {
  if (access.exec == 0) return true;
  fill_inactive(access);
  uint64_t lowest = ~uint64_t{0};
  uint64_t highest = 0;
  uint64_t scattered = 0;
  const uint64_t first = access.address[0];
  for (int lane = 0; lane < kLanes; ++lane) {
    const uint64_t address = access.address[lane];
    lowest = address < lowest ? address : lowest;
    highest = address > highest ? address : highest;
    scattered |= address ^ (first + static_cast<uint64_t>(lane) * bytes);
  }
  access.consecutive = scattered == 0 && access.exec == kAllLanes;
  if (HWY_LIKELY(highest - lowest < (uint64_t{1} << 48) && is_allocated(w, lowest, highest - lowest + bytes)))
    return true;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!is_allocated(w, access.address[lane], bytes)) {
      fault_address(w, inst, lane, access.address[lane], bytes);
      return false;
    }
  }
  return true;
}

/// Flat addresses: the high word says whether a lane means LDS, scratch or global memory.
HWY_NOINLINE inline bool resolve_flat(VectorAccess& access, const Instruction& inst, Wave& w,
                                      uint64_t bytes) {
  access.consecutive = false;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (((access.exec >> lane) & 1U) == 0) continue;
    uint64_t& address = access.address[lane];
    const auto window = static_cast<uint32_t>(address >> 32);
    const uint64_t offset = address & 0xffffffffU;
    if (window == kSharedAperture) {
      const auto lds = w.group->lds;
      if (offset + bytes > lds.size()) {
        fault_offset(w, inst, lane, offset, bytes, "LDS", lds.size());
        return false;
      }
      address = device(lds.data()) + offset;
    } else if (window == kPrivateAperture) {
      if (offset + bytes > w.scratch_bytes) {
        fault_offset(w, inst, lane, offset, bytes, "scratch", w.scratch_bytes);
        return false;
      }
      address = device(w.scratch) + static_cast<uint64_t>(lane) * w.scratch_bytes + offset;
    } else if (!is_allocated(w, address, bytes)) {
      fault_address(w, inst, lane, address, bytes);
      return false;
    }
  }
  return true;
}

HWY_INLINE bool any_aperture(const VectorAccess& access) {
  for (uint64_t left = access.exec; left != 0; left &= left - 1) {
    const auto window = static_cast<uint32_t>(access.address[std::countr_zero(left)] >> 32);
    if (window == kSharedAperture || window == kPrivateAperture) return true;
  }
  return false;
}

/// Opens an access with its addresses computed and checked; nullptr when the wave was stopped.
HWY_INLINE VectorAccess* begin_access(const Instruction& inst, Wave& w, uint64_t bytes) {
  VectorAccess& access = begin_vector_access(w);
  access.inst = &inst;
  access.exec = w.exec();
  access.zero = 0;
  access.flat = false;
  access.consecutive = false;
  return bytes == 0 ? nullptr : &access;
}

HWY_INLINE VectorAccess* begin_global(const Instruction& inst, Wave& w, uint64_t bytes) {
  VectorAccess& access = *begin_access(inst, w, bytes);
  const uint32_t* low = w.row(inst.src[kAddress].reg);
  const auto offset = static_cast<uint64_t>(int64_t{inst.offset});
  if (inst.src[kScalarAddress].kind == SourceKind::none) {
    MXPROOF_EACH_LANE {
      access.address[lane] = (low[lane] | uint64_t{low[lane + kLanes]} << 32) + offset;
    }
  } else {
    const uint64_t base = read_scalar64(w, inst.src[kScalarAddress]) + offset;
    MXPROOF_EACH_LANE {
      access.address[lane] = base + low[lane];
    }
  }
  return check_global(access, inst, w, bytes) ? &access : nullptr;
}

HWY_INLINE VectorAccess* begin_flat(const Instruction& inst, Wave& w, uint64_t bytes) {
  VectorAccess& access = *begin_access(inst, w, bytes);
  access.flat = true;
  access.sequence = w.lgkm_sequence;
  ++w.flat_in_flight;
  const uint32_t* low = w.row(inst.src[kAddress].reg);
  const auto offset = static_cast<uint64_t>(int64_t{inst.offset});
  MXPROOF_EACH_LANE {
    access.address[lane] = (low[lane] | uint64_t{low[lane + kLanes]} << 32) + offset;
  }
  const bool ok =
      any_aperture(access) ? resolve_flat(access, inst, w, bytes) : check_global(access, inst, w, bytes);
  return ok ? &access : nullptr;
}

HWY_INLINE VectorAccess* begin_scratch(const Instruction& inst, Wave& w, uint64_t bytes) {
  VectorAccess& access = *begin_access(inst, w, bytes);
  auto uniform = static_cast<uint32_t>(inst.offset);
  if (inst.src[kScalarAddress].kind != SourceKind::none)
    uniform += read_scalar32(w, inst.src[kScalarAddress]);
  const bool has_vector = inst.src[kAddress].kind == SourceKind::vector;
  const uint32_t* offsets = has_vector ? w.row(inst.src[kAddress].reg) : nullptr;
  for (int lane = 0; lane < kLanes; ++lane) {
    const uint32_t offset = uniform + (has_vector ? offsets[lane] : 0);
    access.address[lane] = device(w.scratch) + uint64_t{w.scratch_bytes} * lane + offset;
    const bool active = ((access.exec >> lane) & 1U) != 0;
    if (active && uint64_t{offset} + bytes > w.scratch_bytes) {
      fault_offset(w, inst, lane, offset, bytes, "scratch", w.scratch_bytes);
      return nullptr;
    }
  }
  return &access;
}

enum class AddressMode : uint8_t { global, flat, scratch };

template <AddressMode Mode>
HWY_INLINE VectorAccess* begin(const Instruction& inst, Wave& w, uint64_t bytes) {
  if constexpr (Mode == AddressMode::global) return begin_global(inst, w, bytes);
  if constexpr (Mode == AddressMode::flat) return begin_flat(inst, w, bytes);
  if constexpr (Mode == AddressMode::scratch) return begin_scratch(inst, w, bytes);
}

/// Stored values as they are now: registers may change while the store is in flight.
HWY_INLINE void capture(VectorAccess& access, Wave& w, uint16_t reg, int rows) {
  std::memcpy(access.data.data(), w.row(reg), sizeof(uint32_t) * kLanes * static_cast<size_t>(rows));
}

// ---- Operands in assembly ----

/// vaddr at `at`, then (flat apart) saddr or "off" at `scalar_at`.
template <AddressMode Mode>
Status build_address(const BuildContext& context, size_t at, size_t scalar_at, Instruction& instruction) {
  const auto& operands = context.text.operands;
  instruction.offset = static_cast<int32_t>(context.text.item("offset", 0, 0));
  const bool has_scalar = Mode != AddressMode::flat && operands[scalar_at].kind == OperandKind::scalar;
  if (has_scalar) {
    const OperandType type = Mode == AddressMode::scratch ? OperandType::b32 : OperandType::b64;
    if (Status s = build_source(context, operands[scalar_at], type, instruction.src[kScalarAddress]); !s.ok())
      return s;
  } else if (Mode != AddressMode::flat && operands[scalar_at].kind != OperandKind::off) {
    return operand_error(context, scalar_at, "should be a scalar base or off");
  }
  if (Mode == AddressMode::scratch && operands[at].kind == OperandKind::off) return {};
  if (!is_vector(operands[at])) return operand_error(context, at, "should be a vector register");
  const int rows = Mode == AddressMode::scratch || has_scalar ? 1 : 2;
  instruction.src[kAddress] = vector_source(register_number(operands[at]), rows);
  return {};
}

/// Registers of data at `at`.
inline Status build_data(const BuildContext& context, size_t at, int rows, Instruction& instruction) {
  const TextOperand& operand = context.text.operands[at];
  if (!is_vector(operand)) return operand_error(context, at, "should be a vector register");
  if (operand.first + rows > kFirstAgpr) return operand_error(context, at, "reaches past the last register");
  instruction.src[kData] = vector_source(register_number(operand), rows);
  return {};
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
