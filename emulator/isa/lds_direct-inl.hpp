// The LDS side of loads that go straight from memory to LDS.
// Included once per host SIMD level (Highway's foreach_target).
//
//   LDS address of a lane = M0[17:0] + instruction offset + lane * size; narrow values take a dword each.
#if defined(MXPROOF_EMULATOR_ISA_LDS_DIRECT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MXPROOF_EMULATOR_ISA_LDS_DIRECT_INL_HPP
#undef MXPROOF_EMULATOR_ISA_LDS_DIRECT_INL_HPP
#else
#define MXPROOF_EMULATOR_ISA_LDS_DIRECT_INL_HPP
#endif

#include "emulator/isa/access_shape.hpp"
#include "emulator/isa/lanes-inl.hpp"
#include "emulator/isa/memory_check.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {

HWY_INLINE uint32_t lds_step(uint32_t shape) {
  return shape_bytes(shape) < 4 ? 4 : shape_bytes(shape);
}

/// Takes M0 and checks that all lanes' places lie in LDS.
HWY_INLINE void begin_lds_destination(const Instruction& inst, Wave& w, VectorAccess& access) {
  access.lds_base = (w.sgpr[kM0] & 0x3ffffU) + static_cast<uint32_t>(inst.offset);
  const uint64_t lanes = access.exec | access.zero;
  if (lanes == 0) return;
  const int last = 63 - std::countl_zero(lanes);
  const uint32_t step = lds_step(inst.extra);
  const uint64_t begin = access.lds_base + static_cast<uint64_t>(last) * step;
  if (begin + step > w.group->lds.size())
    fault_offset(w, inst, last, begin, step, "LDS", w.group->lds.size());
}

/// Writes one lane's value, found at `from`.
HWY_INLINE void write_lds_lane(const VectorAccess& access, Wave& w, int lane, const std::byte* from) {
  const uint32_t shape = access.inst->extra;
  std::byte* to = w.group->lds.data() + access.lds_base + static_cast<uint32_t>(lane) * lds_step(shape);
  const uint32_t bytes = shape_bytes(shape);
  if (bytes >= 4) {
    std::memcpy(to, from, bytes);
    return;
  }
  uint32_t value = 0;
  std::memcpy(&value, from, bytes);
  if ((shape & kShapeSigned) != 0) {
    const int up = bytes == 1 ? 24 : 16;
    value = static_cast<uint32_t>(static_cast<int32_t>(value << up) >> up);
  }
  std::memcpy(to, &value, sizeof value);
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
