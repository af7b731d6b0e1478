// f16 arithmetic on one lane, shared by the plain and the packed instructions.
// Included once per host SIMD level (Highway's foreach_target).
#if defined(MXPROOF_EMULATOR_ISA_HALF_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MXPROOF_EMULATOR_ISA_HALF_LANES_INL_HPP
#undef MXPROOF_EMULATOR_ISA_HALF_LANES_INL_HPP
#else
#define MXPROOF_EMULATOR_ISA_HALF_LANES_INL_HPP
#endif

#include "emulator/isa/float_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {

HWY_INLINE float widened(Half a) {
  return half_to_float(a.bits);
}
/// kHost: rounded as the host rounds now, which follows MODE; else to nearest even, which vectorises.
template <bool kHost = false>
HWY_INLINE Half narrowed(float a) {
  return Half{kHost ? half_as_host_rounds(a) : float_to_half(a)};
}
HWY_INLINE bool is_nan(Half a) {
  return (a.bits & 0x7fffU) > 0x7c00U;
}
HWY_INLINE Half quieted(Half a) {
  return Half{static_cast<uint16_t>(a.bits | 0x200U)};
}
HWY_INLINE bool is_signalling(Half a) {
  return is_nan(a) && (a.bits & 0x200U) == 0;
}

/// The NaN that an operation returns: its first NaN operand made quiet, else the default.
HWY_INLINE Half settled(Half result, Half a, Half b) {
  const Half nan = is_nan(a) ? quieted(a) : is_nan(b) ? quieted(b) : Half{0x7e00};
  return is_nan(result) ? nan : result;
}
HWY_INLINE Half settled(Half result, Half a, Half b, Half c) {
  const Half nan = is_nan(a) ? quieted(a) : is_nan(b) ? quieted(b) : is_nan(c) ? quieted(c) : Half{0x7e00};
  return is_nan(result) ? nan : result;
}

// Sums and products of two halves are exact in float up to the one rounding; float_to_half rounds the rest
// once. In a directed mode both roundings go the same way, which is the same as one.
template <bool kHost = false>
HWY_INLINE Half half_add(Half a, Half b) {
  return settled(narrowed<kHost>(widened(a) + widened(b)), a, b);
}
template <bool kHost = false>
HWY_INLINE Half half_sub(Half a, Half b) {
  return settled(narrowed<kHost>(widened(a) - widened(b)), a, b);
}
template <bool kHost = false>
HWY_INLINE Half half_mul(Half a, Half b) {
  return settled(narrowed<kHost>(widened(a) * widened(b)), a, b);
}
/// Product exact in double; where the sum is not, the smaller term is too small to reach a rounding border.
template <bool kHost = false>
HWY_INLINE Half half_fma(Half a, Half b, Half c) {
  const double product = static_cast<double>(widened(a)) * static_cast<double>(widened(b));
  const double sum = product + static_cast<double>(widened(c));
  return settled(Half{kHost ? half_as_host_rounds(sum) : double_to_half(sum)}, a, b, c);
}
HWY_INLINE Half half_min(Half a, Half b) {
  const float x = widened(a);
  const float y = widened(b);
  const Half number = x == y ? ((a.bits & 0x8000U) != 0 ? a : b) : x < y ? a : b;
  const Half with_nan = is_nan(a) ? b : is_nan(b) ? a : number;
  return is_signalling(a) ? quieted(a) : is_signalling(b) ? quieted(b) : with_nan;
}
HWY_INLINE Half half_max(Half a, Half b) {
  const float x = widened(a);
  const float y = widened(b);
  const Half number = x == y ? ((a.bits & 0x8000U) != 0 ? b : a) : x > y ? a : b;
  const Half with_nan = is_nan(a) ? b : is_nan(b) ? a : number;
  return is_signalling(a) ? quieted(a) : is_signalling(b) ? quieted(b) : with_nan;
}
/// IEEE 754-2019 minimum and maximum: a NaN wins.
HWY_INLINE Half half_minimum(Half a, Half b) {
  return is_nan(a) ? quieted(a) : is_nan(b) ? quieted(b) : half_min(a, b);
}
HWY_INLINE Half half_maximum(Half a, Half b) {
  return is_nan(a) ? quieted(a) : is_nan(b) ? quieted(b) : half_max(a, b);
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
