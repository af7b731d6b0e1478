// Conversions with a block scale: to FP4 the source is divided by the scale, from FP4 it is multiplied.
// Source of the operations: LLVM documentation of gfx950; the tie rule as seen on silicon (see the project
// notes on FP4).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_convert_scale.cpp"
#include <hwy/foreach_target.h>
//
#include <limits>

#include "emulator/isa/fp4-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u32 = uint32_t;

/// op_sel chooses the byte of the destination (or source): bit 0 is item `low`, bit 1 item `high`.
u32 chosen_byte(const BuildContext& context, size_t low, size_t high) {
  return static_cast<u32>(context.text.item("op_sel", low, 0) | context.text.item("op_sel", high, 0) << 1);
}

/// The scale to the power of `sign`, 1 or -1.
HWY_INLINE double scale_factor(const Wave& w, u32 scale, int sign) {
  const int exponent = scale_exponent(scale);
  const bool nan = exponent == 128 && w.settings.conversion_scale_255 == ConversionScale255::nan;
  return nan ? std::numeric_limits<double>::quiet_NaN() : two_to(sign * exponent);
}

/// Two values become one byte, the first in the low nibble; the other three bytes of the destination stay.
template <class Load>
HWY_INLINE void pack_fp4(const Instruction& inst, Wave& w, const uint32_t* scale, Load load) {
  const uint32_t* old = w.row(inst.dst);
  uint32_t* d = w.result.data();
  const u32 shift = 8U * static_cast<u32>(inst.offset);
  const u32 keep = ~(0xffU << shift);
  bool any_nan = false;
  MXPROOF_EACH_LANE {
    const double factor = scale_factor(w, scale[lane], -1);
    const auto [a, b] = load(lane);
    any_nan |= a * factor != a * factor || b * factor != b * factor;
    const u32 byte = fp4_from_double(a * factor) | fp4_from_double(b * factor) << 4;
    d[lane] = (old[lane] & keep) | byte << shift;
  }
  if (any_nan) {
    const NarrowNan nan = w.settings.narrow_nan;
    for (int lane = 0; lane < kLanes; ++lane) {
      const double factor = scale_factor(w, scale[lane], -1);
      const auto [a, b] = load(lane);
      const u32 byte = fp4_from_any(a * factor, nan) | fp4_from_any(b * factor, nan) << 4;
      d[lane] = (old[lane] & keep) | byte << shift;
    }
  }
  commit(inst, w, OperandType::b32, d);
}

struct Pair {
  double a;
  double b;
};

void v_cvt_scalef32_pk_fp4_f32(const Instruction& inst, Wave& w) {
  const uint32_t* a = fetch(inst, w, 0);
  const uint32_t* b = fetch(inst, w, 1);
  pack_fp4(inst, w, fetch(inst, w, 2), [=](int lane) HWY_ATTR {
    return Pair{std::bit_cast<float>(a[lane]), std::bit_cast<float>(b[lane])};
  });
}
void v_cvt_scalef32_pk_fp4_bf16(const Instruction& inst, Wave& w) {
  const uint32_t* a = fetch(inst, w, 0);
  pack_fp4(inst, w, fetch(inst, w, 1), [=](int lane) HWY_ATTR {
    return Pair{std::bit_cast<float>(a[lane] << 16), std::bit_cast<float>(a[lane] & 0xffff0000U)};
  });
}
void v_cvt_scalef32_pk_fp4_f16(const Instruction& inst, Wave& w) {
  const uint32_t* a = fetch(inst, w, 0);
  pack_fp4(inst, w, fetch(inst, w, 1), [=](int lane) HWY_ATTR {
    return Pair{half_to_float(static_cast<uint16_t>(a[lane])),
                half_to_float(static_cast<uint16_t>(a[lane] >> 16))};
  });
}

/// One byte becomes two values.
template <class Store>
HWY_INLINE void unpack_fp4(const Instruction& inst, Wave& w, Store store) {
  const uint32_t* a = fetch(inst, w, 0);
  const uint32_t* scale = fetch(inst, w, 1);
  uint32_t* d = w.result.data();
  const u32 shift = 8U * static_cast<u32>(inst.offset);
  MXPROOF_EACH_LANE {
    const double factor = scale_factor(w, scale[lane], 1);
    const u32 byte = a[lane] >> shift;
    store(d, lane, static_cast<float>(fp4_to_float(byte & 0xfU) * factor),
          static_cast<float>(fp4_to_float((byte >> 4) & 0xfU) * factor));
  }
  commit(inst, w, OperandType::b32, d);
}
void v_cvt_scalef32_pk_f32_fp4(const Instruction& inst, Wave& w) {
  unpack_fp4(inst, w, [](uint32_t* d, int lane, float a, float b) HWY_ATTR {
    d[lane] = std::bit_cast<u32>(a);
    d[lane + kLanes] = std::bit_cast<u32>(b);
  });
}
void v_cvt_scalef32_pk_f16_fp4(const Instruction& inst, Wave& w) {
  unpack_fp4(inst, w, [](uint32_t* d, int lane, float a, float b) HWY_ATTR {
    d[lane] = float_to_half(a) | u32{float_to_half(b)} << 16;
  });
}
void v_cvt_scalef32_pk_bf16_fp4(const Instruction& inst, Wave& w) {
  unpack_fp4(inst, w, [](uint32_t* d, int lane, float a, float b) HWY_ATTR {
    d[lane] = float_to_brain(a) | u32{float_to_brain(b)} << 16;
  });
}

Status build_to_fp4(const BuildContext& context, Instruction& instruction) {
  instruction.offset = static_cast<int32_t>(chosen_byte(context, 2, 3));
  return build_vector(context, instruction);
}
Status build_from_fp4(const BuildContext& context, Instruction& instruction) {
  instruction.offset = static_cast<int32_t>(chosen_byte(context, 0, 1));
  return build_vector(context, instruction);
}

constexpr InstructionClass kClass = InstructionClass::vector_alu;
constexpr OperandType k32 = OperandType::b32;
constexpr OperandType kF32 = OperandType::f32;

constexpr Row kRows[] = {
    {"v_cvt_scalef32_pk_fp4_f32", &v_cvt_scalef32_pk_fp4_f32, &build_to_fp4, kClass, k32, {kF32, kF32, kF32}},
    {"v_cvt_scalef32_pk_fp4_bf16", &v_cvt_scalef32_pk_fp4_bf16, &build_to_fp4, kClass, k32, {k32, kF32}},
    {"v_cvt_scalef32_pk_fp4_f16", &v_cvt_scalef32_pk_fp4_f16, &build_to_fp4, kClass, k32, {k32, kF32}},
    {"v_cvt_scalef32_pk_f32_fp4",
     &v_cvt_scalef32_pk_f32_fp4,
     &build_from_fp4,
     kClass,
     OperandType::b64,
     {k32, kF32}},
    {"v_cvt_scalef32_pk_f16_fp4", &v_cvt_scalef32_pk_f16_fp4, &build_from_fp4, kClass, k32, {k32, kF32}},
    {"v_cvt_scalef32_pk_bf16_fp4", &v_cvt_scalef32_pk_bf16_fp4, &build_from_fp4, kClass, k32, {k32, kF32}},
};

}  // namespace

std::span<const Row> vector_convert_scale_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_convert_scale_rows);
std::span<const Row> vector_convert_scale_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_convert_scale_rows)();
}
}  // namespace mxproof::emulator
#endif
