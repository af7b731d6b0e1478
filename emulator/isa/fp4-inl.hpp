// FP4 e2m1 on one lane, by comparisons that the compiler can vectorise.
// Included once per host SIMD level (Highway's foreach_target).
#if defined(MXPROOF_EMULATOR_ISA_FP4_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MXPROOF_EMULATOR_ISA_FP4_INL_HPP
#undef MXPROOF_EMULATOR_ISA_FP4_INL_HPP
#else
#define MXPROOF_EMULATOR_ISA_FP4_INL_HPP
#endif

#include <cmath>

#include "emulator/isa/lanes-inl.hpp"
#include "emulator/isa/small_float.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {

/// Nearest code, ties to the even one, saturated at 6; `value` must be exact and no NaN. Midpoints belong to
/// the code with an even significand: 0.25 -> 0, 0.75 -> 1, 1.25 -> 1, 1.75 -> 2, 2.5 -> 2, 3.5 -> 4, 5 -> 4.
HWY_INLINE uint32_t fp4_from_double(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const double m = std::bit_cast<double>(bits & 0x7fffffffffffffffU);
  const uint32_t code = uint32_t{m > 0.25} + uint32_t{m >= 0.75} + uint32_t{m > 1.25} + uint32_t{m >= 1.75} +
                        uint32_t{m > 2.5} + uint32_t{m >= 3.5} + uint32_t{m > 5.0};
  return code | static_cast<uint32_t>(bits >> 60 & 8U);
}
/// The same, for any value.
HWY_INLINE uint32_t fp4_from_any(double value, NarrowNan nan) {
  return value == value ? fp4_from_double(value) : narrow_nan_code(nan, std::signbit(value), 4);
}

/// 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives: exponent 2 bits with bias 1, significand 1 bit.
HWY_INLINE float fp4_to_float(uint32_t code) {
  const uint32_t magnitude = code & 7U;
  const uint32_t normal = (magnitude << 22) + (126U << 23);
  const uint32_t bits = magnitude < 2 ? (magnitude == 1 ? 0x3f000000U : 0U) : normal;
  return std::bit_cast<float>(bits | (code & 8U) << 28);
}

/// 2^(exponent field of the scale - 127); sign and fraction are ignored, field 0 is 2^-127, field 255 is
/// 2^128 unless conversion_scale_255 says otherwise.
HWY_INLINE int scale_exponent(uint32_t scale) {
  return static_cast<int>((scale >> 23) & 0xffU) - 127;
}
HWY_INLINE double two_to(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
