// f32 arithmetic of the vector ALU.
// Source of the operations: AMD CDNA3 ISA reference guide, chapter "Instructions", VOP1, VOP2, VOP3.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_float32.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/float_lanes-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u32 = uint32_t;
using i32 = int32_t;

MXPROOF_LANE float v_add_f32(float a, float b) {
  return a + b;
}
MXPROOF_LANE float v_sub_f32(float a, float b) {
  return a - b;
}
MXPROOF_LANE float v_subrev_f32(float a, float b) {
  return b - a;
}
MXPROOF_LANE float v_mul_f32(float a, float b) {
  return a * b;
}
/// DX9 rule: 0 times anything is 0.
MXPROOF_LANE float v_mul_legacy_f32(float a, float b) {
  return a == 0 || b == 0 ? 0.0F : a * b;
}
MXPROOF_LANE float v_fma_f32(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
MXPROOF_LANE float v_fmamk_f32(float a, float k, float b) {
  return __builtin_fmaf(a, k, b);
}
MXPROOF_LANE float v_fmaak_f32(float a, float b, float k) {
  return __builtin_fmaf(a, b, k);
}

MXPROOF_LANE bool is_nan(float a) {
  return a != a;
}
MXPROOF_LANE bool is_signalling(float a) {
  return is_nan(a) && (std::bit_cast<u32>(a) & 0x400000U) == 0;
}
MXPROOF_LANE float quieted(float a) {
  return std::bit_cast<float>(std::bit_cast<u32>(a) | 0x400000U);
}
MXPROOF_LANE bool is_negative(float a) {
  return (std::bit_cast<u32>(a) >> 31) != 0;
}
/// IEEE 754-2008 minNum with IEEE mode on: a signalling NaN comes back quiet, a quiet one loses; -0 < +0.
MXPROOF_LANE float v_min_f32(float a, float b) {
  const float number = a == b ? (is_negative(a) ? a : b) : a < b ? a : b;
  const float with_nan = is_nan(a) ? b : is_nan(b) ? a : number;
  return is_signalling(a) ? quieted(a) : is_signalling(b) ? quieted(b) : with_nan;
}
MXPROOF_LANE float v_max_f32(float a, float b) {
  const float number = a == b ? (is_negative(a) ? b : a) : a > b ? a : b;
  const float with_nan = is_nan(a) ? b : is_nan(b) ? a : number;
  return is_signalling(a) ? quieted(a) : is_signalling(b) ? quieted(b) : with_nan;
}
MXPROOF_LANE float v_min3_f32(float a, float b, float c) {
  return v_min_f32(v_min_f32(a, b), c);
}
MXPROOF_LANE float v_max3_f32(float a, float b, float c) {
  return v_max_f32(v_max_f32(a, b), c);
}
MXPROOF_LANE float v_med3_f32(float a, float b, float c) {
  if (is_nan(a) || is_nan(b) || is_nan(c)) return v_min3_f32(a, b, c);
  return v_max_f32(v_min_f32(a, b), v_min_f32(v_max_f32(a, b), c));
}
/// IEEE 754-2019 minimum and maximum: a NaN wins.
MXPROOF_LANE float minimum(float a, float b) {
  return is_nan(a) ? quieted(a) : is_nan(b) ? quieted(b) : v_min_f32(a, b);
}
MXPROOF_LANE float maximum(float a, float b) {
  return is_nan(a) ? quieted(a) : is_nan(b) ? quieted(b) : v_max_f32(a, b);
}
MXPROOF_LANE float v_minimum3_f32(float a, float b, float c) {
  return minimum(minimum(a, b), c);
}
MXPROOF_LANE float v_maximum3_f32(float a, float b, float c) {
  return maximum(maximum(a, b), c);
}

MXPROOF_LANE float v_trunc_f32(float a) {
  return __builtin_truncf(a);
}
MXPROOF_LANE float v_ceil_f32(float a) {
  return __builtin_ceilf(a);
}
MXPROOF_LANE float v_floor_f32(float a) {
  return __builtin_floorf(a);
}
MXPROOF_LANE float v_rndne_f32(float a) {
  return __builtin_roundevenf(a);
}
/// a - floor(a), kept below 1.
MXPROOF_LANE float v_fract_f32(float a) {
  const float fraction = a - __builtin_floorf(a);
  return fraction >= 1.0F ? 0x1.fffffep-1F : fraction;
}

MXPROOF_LANE double power_of_two(i32 exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}
MXPROOF_LANE float v_ldexp_f32(float a, i32 exponent) {
  const i32 clamped = exponent < -400 ? -400 : exponent > 400 ? 400 : exponent;
  return static_cast<float>(static_cast<double>(a) * power_of_two(clamped));
}
/// Significand in [0.5, 1); zero, Inf and NaN come back as they are.
MXPROOF_LANE float v_frexp_mant_f32(float a) {
  const u32 bits = std::bit_cast<u32>(a);
  const u32 magnitude = bits & 0x7fffffffU;
  const u32 normal = magnitude < 0x800000U ? std::bit_cast<u32>(a * 0x1p24F) : bits;
  const u32 result = (normal & 0x807fffffU) | 0x3f000000U;
  return std::bit_cast<float>(magnitude == 0 || magnitude >= 0x7f800000U ? bits : result);
}
MXPROOF_LANE i32 v_frexp_exp_i32_f32(float a) {
  const u32 magnitude = std::bit_cast<u32>(a) & 0x7fffffffU;
  const bool subnormal = magnitude < 0x800000U;
  const u32 normal = subnormal ? std::bit_cast<u32>(a * 0x1p24F) & 0x7fffffffU : magnitude;
  const i32 exponent = static_cast<i32>(normal >> 23) - 126 - (subnormal ? 24 : 0);
  return magnitude == 0 || magnitude >= 0x7f800000U ? 0 : exponent;
}

// Cube maps: coordinates x, y, z; the face is that of the largest magnitude, z before y before x on ties.
MXPROOF_LANE float magnitude_of(float a) {
  return __builtin_fabsf(a);
}
MXPROOF_LANE bool z_major(float x, float y, float z) {
  return magnitude_of(z) >= magnitude_of(x) && magnitude_of(z) >= magnitude_of(y);
}
MXPROOF_LANE bool y_major(float x, float y) {
  return magnitude_of(y) >= magnitude_of(x);
}
MXPROOF_LANE float v_cubeid_f32(float x, float y, float z) {
  return z_major(x, y, z) ? (z < 0 ? 5.0F : 4.0F)
         : y_major(x, y)  ? (y < 0 ? 3.0F : 2.0F)
                          : (x < 0 ? 1.0F : 0.0F);
}
MXPROOF_LANE float v_cubesc_f32(float x, float y, float z) {
  return z_major(x, y, z) ? (z < 0 ? -x : x) : y_major(x, y) ? x : (x < 0 ? z : -z);
}
MXPROOF_LANE float v_cubetc_f32(float x, float y, float z) {
  return z_major(x, y, z) ? -y : y_major(x, y) ? (y < 0 ? -z : z) : -y;
}
MXPROOF_LANE float v_cubema_f32(float x, float y, float z) {
  return 2.0F * (z_major(x, y, z) ? z : y_major(x, y) ? y : x);
}

constexpr Row kRows[] = {
    MXPROOF_FLOAT_ROW(v_add_f32),
    MXPROOF_FLOAT_ROW(v_sub_f32),
    MXPROOF_FLOAT_ROW(v_subrev_f32),
    MXPROOF_FLOAT_ROW(v_mul_f32),
    MXPROOF_FLOAT_ROW(v_mul_legacy_f32),
    MXPROOF_FLOAT_ROW(v_fma_f32),
    float_row<&v_fma_f32>("v_fmac_f32", &build_vector_accumulate),
    MXPROOF_FLOAT_ROW(v_fmamk_f32),
    MXPROOF_FLOAT_ROW(v_fmaak_f32),
    MXPROOF_SELECT_ROW(v_min_f32),
    MXPROOF_SELECT_ROW(v_max_f32),
    MXPROOF_SELECT_ROW(v_min3_f32),
    MXPROOF_SELECT_ROW(v_max3_f32),
    MXPROOF_SELECT_ROW(v_med3_f32),
    MXPROOF_SELECT_ROW(v_minimum3_f32),
    MXPROOF_SELECT_ROW(v_maximum3_f32),
    MXPROOF_FLOAT_ROW(v_trunc_f32),
    MXPROOF_FLOAT_ROW(v_ceil_f32),
    MXPROOF_FLOAT_ROW(v_floor_f32),
    MXPROOF_FLOAT_ROW(v_rndne_f32),
    MXPROOF_FLOAT_ROW(v_fract_f32),
    MXPROOF_FLOAT_ROW(v_ldexp_f32),
    MXPROOF_FLOAT_ROW(v_frexp_mant_f32),
    MXPROOF_ROW(v_frexp_exp_i32_f32),
    MXPROOF_FLOAT_ROW(v_cubeid_f32),
    MXPROOF_FLOAT_ROW(v_cubesc_f32),
    MXPROOF_FLOAT_ROW(v_cubetc_f32),
    MXPROOF_FLOAT_ROW(v_cubema_f32),
};

}  // namespace

std::span<const Row> vector_float32_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_float32_rows);
std::span<const Row> vector_float32_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_float32_rows)();
}
}  // namespace mxproof::emulator
#endif
