// Decorations of results: clamp, output multiplier, SDWA and op_sel destinations.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_decorate.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/float_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

template <class T>
HWY_INLINE double to_double(T value) {
  if constexpr (std::is_same_v<T, Half>) {
    return half_to_float(value.bits);
  } else {
    return value;
  }
}
template <class T>
HWY_INLINE T from_double(double value) {
  if constexpr (std::is_same_v<T, Half>) {
    return Half{double_to_half(value)};
  } else {
    return static_cast<T>(value);
  }
}

/// Output modifiers work only where the format's subnormal results are flushed, as the ISA says.
template <class T>
void multiply_and_clamp(const ResultDecoration& decoration, const Wave& w, uint32_t* rows) {
  const bool multiplies =
      decoration.multiply != 1.0F && (denormal_bits(w.mode, LaneType<T>::kType) & 2U) == 0;
  const bool nan_to_zero = (w.mode & kModeDx10Clamp) != 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    double value = to_double(LaneType<T>::load(rows, lane));
    if (multiplies) value *= double{decoration.multiply};
    if (decoration.clamp)
      value = value != value ? (nan_to_zero ? 0.0 : value) : value <= 0 ? 0.0 : value > 1 ? 1.0 : value;
    if (value == value) LaneType<T>::store(rows, lane, from_double<T>(value));
  }
}

void clamp_halves(const Wave& w, uint32_t* rows) {
  const bool nan_to_zero = (w.mode & kModeDx10Clamp) != 0;
  const auto clamped = [&](uint32_t half) -> uint32_t {
    const float value = half_to_float(static_cast<uint16_t>(half));
    if (value != value) return nan_to_zero ? 0U : half;
    return value <= 0 ? 0U : value > 1 ? 0x3c00U : half;
  };
  for (int lane = 0; lane < kLanes; ++lane) {
    rows[lane] = clamped(rows[lane] & 0xffffU) | clamped(rows[lane] >> 16) << 16;
  }
}

void place_part(const Instruction& inst, const ResultDecoration& decoration, const Wave& w, uint32_t* rows) {
  const auto part = static_cast<int>(decoration.part);
  const bool byte = part <= static_cast<int>(Part::byte3);
  const int bits = byte ? 8 : 16;
  const int shift =
      byte ? (part - static_cast<int>(Part::byte0)) * 8 : (part - static_cast<int>(Part::word0)) * 16;
  const uint32_t field = (byte ? 0xffU : 0xffffU) << shift;
  const uint32_t* old = w.row(inst.dst);
  for (int lane = 0; lane < kLanes; ++lane) {
    const uint32_t placed = (rows[lane] << shift) & field;
    switch (decoration.unused) {
      case ResultDecoration::Unused::pad:
        rows[lane] = placed;
        break;
      case ResultDecoration::Unused::preserve:
        rows[lane] = placed | (old[lane] & ~field);
        break;
      case ResultDecoration::Unused::sign_extend: {
        // Bits above are copies of the field's sign, bits below are zero.
        const auto up = static_cast<int32_t>(placed << (32 - bits - shift));
        rows[lane] = static_cast<uint32_t>(up >> (32 - bits - shift));
        break;
      }
    }
  }
}

}  // namespace

void decorate_rows(const Instruction& inst, Wave& w, OperandType type, uint32_t* rows) {
  const ResultDecoration& decoration = *inst.result;
  if (decoration.clamp || decoration.multiply != 1.0F) {
    switch (type) {
      case OperandType::f16:
        multiply_and_clamp<Half>(decoration, w, rows);
        break;
      case OperandType::f32:
        multiply_and_clamp<float>(decoration, w, rows);
        break;
      case OperandType::f64:
        multiply_and_clamp<double>(decoration, w, rows);
        break;
      case OperandType::pkf16:
        clamp_halves(w, rows);
        break;
      default:
        break;
    }
  }
  if (decoration.part != Part::dword) place_part(inst, decoration, w, rows);
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
