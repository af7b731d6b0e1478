// Opening an LDS access: addresses, range check, captured data.
// Included once per host SIMD level (Highway's foreach_target).
#if defined(MXPROOF_EMULATOR_ISA_LDS_ADDRESS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MXPROOF_EMULATOR_ISA_LDS_ADDRESS_INL_HPP
#undef MXPROOF_EMULATOR_ISA_LDS_ADDRESS_INL_HPP
#else
#define MXPROOF_EMULATOR_ISA_LDS_ADDRESS_INL_HPP
#endif

#include "emulator/isa/lanes-inl.hpp"
#include "emulator/isa/memory_check.hpp"
#include "emulator/isa/memory_wait.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {

constexpr int kLdsAddress = 0;
constexpr int kLdsData = 1;
constexpr int kLdsData2 = 2;

/// Where a lane accesses LDS: the sum of register and instruction offset wraps at 32 bits, so compilers may
/// fold an offset into an address whose register part is negative.
HWY_INLINE std::byte* lds_at(const Wave& w, uint32_t address, uint32_t offset) {
  return w.group->lds.data() + static_cast<uint32_t>(address + offset);
}

/// Checks [address + offset, + bytes) of every active lane; false when the wave is stopped.
HWY_INLINE bool check_lds(const Instruction& inst, Wave& w, const LdsAccess& access, uint32_t offset,
                          uint32_t bytes) {
  const uint64_t size = w.group->lds.size();
  uint32_t highest = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const uint32_t at = access.address[lane] + offset;
    highest = ((access.exec >> lane) & 1U) != 0 && at > highest ? at : highest;
  }
  if (HWY_LIKELY(access.exec == 0 || uint64_t{highest} + bytes <= size)) return true;
  for (uint64_t left = access.exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t at = static_cast<uint32_t>(access.address[lane] + offset);
    if (at + bytes <= size) continue;
    fault_offset(w, inst, lane, at, bytes, "LDS", size);
    break;
  }
  return false;
}

/// Captures addresses and checks them as above.
HWY_INLINE bool begin_lds(const Instruction& inst, Wave& w, LdsAccess& access, uint32_t offset,
                          uint32_t bytes) {
  const uint32_t* address = w.row(inst.src[kLdsAddress].reg);
  uint32_t scattered = 0;
  const uint32_t first = address[0];
  for (int lane = 0; lane < kLanes; ++lane) {
    access.address[lane] = address[lane];
    scattered |= address[lane] ^ (first + static_cast<uint32_t>(lane) * bytes);
  }
  access.consecutive = access.exec == kAllLanes && scattered == 0;
  return check_lds(inst, w, access, offset, bytes);
}

HWY_INLINE LdsAccess& open_lds(const Instruction& inst, Wave& w) {
  LdsAccess& access = begin_lds_access(w);
  access.inst = &inst;
  access.exec = w.exec();
  access.consecutive = false;
  return access;
}

HWY_INLINE void capture_lds(LdsAccess& access, int at, const Wave& w, uint16_t reg, int rows) {
  std::memcpy(access.data[at].data(), w.row(reg), sizeof(uint32_t) * kLanes * static_cast<size_t>(rows));
}

/// Opens an access at two addresses, offset and offset2; false when the wave is stopped.
HWY_INLINE bool begin_lds2(const Instruction& inst, Wave& w, LdsAccess& access, uint32_t bytes) {
  return begin_lds(inst, w, access, static_cast<uint32_t>(inst.offset), bytes) &&
         check_lds(inst, w, access, static_cast<uint32_t>(inst.offset2), bytes);
}

/// The same for one that writes `rows` registers at each address, whose data is captured.
HWY_INLINE void begin_lds_write2(const Instruction& inst, Wave& w, uint32_t bytes, int rows) {
  LdsAccess& access = open_lds(inst, w);
  if (!begin_lds2(inst, w, access, bytes)) return;
  capture_lds(access, 0, w, inst.src[kLdsData].reg, rows);
  capture_lds(access, rows, w, inst.src[kLdsData2].reg, rows);
}

/// Vector registers at text operand `at` become source `slot`.
inline Status build_lds_register(const BuildContext& context, size_t at, int rows, int slot,
                                 Instruction& instruction) {
  const TextOperand& operand = context.text.operands[at];
  if (!is_vector(operand)) return operand_error(context, at, "should be a vector register");
  if (operand.first + rows > kFirstAgpr) return operand_error(context, at, "reaches past the last register");
  instruction.src[slot] = vector_source(register_number(operand), rows);
  return {};
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
