// f64 arithmetic of the vector ALU.
// Source of the operations: AMD CDNA3 ISA reference guide, chapter "Instructions", VOP1 and VOP3.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_float64.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/float_lanes-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u64 = uint64_t;
using i32 = int32_t;

MXPROOF_LANE double v_add_f64(double a, double b) {
  return a + b;
}
MXPROOF_LANE double v_mul_f64(double a, double b) {
  return a * b;
}
MXPROOF_LANE double v_fma_f64(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
MXPROOF_LANE bool is_nan(double a) {
  return a != a;
}
MXPROOF_LANE bool is_signalling(double a) {
  return is_nan(a) && (std::bit_cast<u64>(a) & 0x8000000000000U) == 0;
}
MXPROOF_LANE double quieted(double a) {
  return std::bit_cast<double>(std::bit_cast<u64>(a) | 0x8000000000000U);
}
MXPROOF_LANE bool is_negative(double a) {
  return (std::bit_cast<u64>(a) >> 63) != 0;
}
/// As v_min_f32 and v_max_f32.
MXPROOF_LANE double v_min_f64(double a, double b) {
  const double number = a == b ? (is_negative(a) ? a : b) : a < b ? a : b;
  const double with_nan = is_nan(a) ? b : is_nan(b) ? a : number;
  return is_signalling(a) ? quieted(a) : is_signalling(b) ? quieted(b) : with_nan;
}
MXPROOF_LANE double v_max_f64(double a, double b) {
  const double number = a == b ? (is_negative(a) ? b : a) : a > b ? a : b;
  const double with_nan = is_nan(a) ? b : is_nan(b) ? a : number;
  return is_signalling(a) ? quieted(a) : is_signalling(b) ? quieted(b) : with_nan;
}
MXPROOF_LANE double v_trunc_f64(double a) {
  return __builtin_trunc(a);
}
MXPROOF_LANE double v_ceil_f64(double a) {
  return __builtin_ceil(a);
}
MXPROOF_LANE double v_floor_f64(double a) {
  return __builtin_floor(a);
}
MXPROOF_LANE double v_rndne_f64(double a) {
  return __builtin_roundeven(a);
}
MXPROOF_LANE double v_fract_f64(double a) {
  const double fraction = a - __builtin_floor(a);
  return fraction >= 1.0 ? 0x1.fffffffffffffp-1 : fraction;
}
MXPROOF_LANE double power_of_two(i32 exponent) {
  return std::bit_cast<double>(static_cast<u64>(exponent + 1023) << 52);
}
/// In up to three multiplications, of which only the last can round: whatever makes an earlier one inexact
/// makes the result zero or infinite.
MXPROOF_LANE double v_ldexp_f64(double a, i32 exponent) {
  const i32 total = exponent < -2200 ? -2200 : exponent > 2200 ? 2200 : exponent;
  const i32 last = total < -1000 ? -1000 : total > 1000 ? 1000 : total;
  const i32 half = (total - last) / 2;
  return a * power_of_two(half) * power_of_two(total - last - half) * power_of_two(last);
}
/// Significand in [0.5, 1); zero, Inf and NaN come back as they are.
MXPROOF_LANE double v_frexp_mant_f64(double a) {
  const u64 bits = std::bit_cast<u64>(a);
  const u64 magnitude = bits & 0x7fffffffffffffffU;
  const u64 normal = magnitude < 0x10000000000000U ? std::bit_cast<u64>(a * 0x1p54) : bits;
  const u64 result = (normal & 0x800fffffffffffffU) | 0x3fe0000000000000U;
  return std::bit_cast<double>(magnitude == 0 || magnitude >= 0x7ff0000000000000U ? bits : result);
}
MXPROOF_LANE i32 v_frexp_exp_i32_f64(double a) {
  const u64 magnitude = std::bit_cast<u64>(a) & 0x7fffffffffffffffU;
  const bool subnormal = magnitude < 0x10000000000000U;
  const u64 normal = subnormal ? std::bit_cast<u64>(a * 0x1p54) & 0x7fffffffffffffffU : magnitude;
  const i32 exponent = static_cast<i32>(normal >> 52) - 1022 - (subnormal ? 54 : 0);
  return magnitude == 0 || magnitude >= 0x7ff0000000000000U ? 0 : exponent;
}

constexpr Row kRows[] = {
    MXPROOF_FLOAT_ROW(v_add_f64),        MXPROOF_FLOAT_ROW(v_mul_f64),
    MXPROOF_FLOAT_ROW(v_fma_f64),        float_row<&v_fma_f64>("v_fmac_f64", &build_vector_accumulate),
    MXPROOF_SELECT_ROW(v_min_f64),       MXPROOF_SELECT_ROW(v_max_f64),
    MXPROOF_FLOAT_ROW(v_trunc_f64),      MXPROOF_FLOAT_ROW(v_ceil_f64),
    MXPROOF_FLOAT_ROW(v_floor_f64),      MXPROOF_FLOAT_ROW(v_rndne_f64),
    MXPROOF_FLOAT_ROW(v_fract_f64),      MXPROOF_FLOAT_ROW(v_ldexp_f64),
    MXPROOF_FLOAT_ROW(v_frexp_mant_f64), MXPROOF_ROW(v_frexp_exp_i32_f64),
};

}  // namespace

std::span<const Row> vector_float64_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_float64_rows);
std::span<const Row> vector_float64_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_float64_rows)();
}
}  // namespace mxproof::emulator
#endif
