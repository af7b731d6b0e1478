// Conversions between f16, bf16, f32, f64 and integers.
// Source of the operations: AMD CDNA3 ISA reference guide, V_CVT_*; LLVM documentation of gfx950 for
// v_cvt_pk_bf16_f32.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_convert.cpp"
#include <hwy/foreach_target.h>
//
#include <limits>

#include "emulator/isa/float_lanes-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u32 = uint32_t;
using i32 = int32_t;

MXPROOF_LANE float v_cvt_f32_i32(i32 a) {
  return static_cast<float>(a);
}
MXPROOF_LANE float v_cvt_f32_u32(u32 a) {
  return static_cast<float>(a);
}
MXPROOF_LANE double v_cvt_f64_i32(i32 a) {
  return a;
}
MXPROOF_LANE double v_cvt_f64_u32(u32 a) {
  return a;
}
MXPROOF_LANE float v_cvt_f32_ubyte0(u32 a) {
  return static_cast<float>(a & 0xffU);
}
MXPROOF_LANE float v_cvt_f32_ubyte1(u32 a) {
  return static_cast<float>((a >> 8) & 0xffU);
}
MXPROOF_LANE float v_cvt_f32_ubyte2(u32 a) {
  return static_cast<float>((a >> 16) & 0xffU);
}
MXPROOF_LANE float v_cvt_f32_ubyte3(u32 a) {
  return static_cast<float>(a >> 24);
}

/// To integer: truncated, saturated, NaN to 0.
template <class To, class From>
HWY_INLINE To to_integer(From a) {
  constexpr From kLow = static_cast<From>(std::numeric_limits<To>::min());
  constexpr From kPastHigh = static_cast<From>(static_cast<double>(std::numeric_limits<To>::max()) + 1.0);
  const bool nan = a != a;
  const bool high = a >= kPastHigh;
  const bool low = a < kLow;
  const To converted = static_cast<To>(nan || high || low ? From{0} : a);
  return high ? std::numeric_limits<To>::max() : low ? std::numeric_limits<To>::min() : converted;
}
MXPROOF_LANE i32 v_cvt_i32_f32(float a) {
  return to_integer<i32>(a);
}
MXPROOF_LANE u32 v_cvt_u32_f32(float a) {
  return to_integer<u32>(a);
}
MXPROOF_LANE i32 v_cvt_i32_f64(double a) {
  return to_integer<i32>(a);
}
MXPROOF_LANE u32 v_cvt_u32_f64(double a) {
  return to_integer<u32>(a);
}
MXPROOF_LANE i32 v_cvt_flr_i32_f32(float a) {
  return to_integer<i32>(__builtin_floorf(a));
}
MXPROOF_LANE i32 v_cvt_rpi_i32_f32(float a) {
  return to_integer<i32>(__builtin_floor(static_cast<double>(a) + 0.5));
}
MXPROOF_LANE uint16_t v_cvt_u16_f16(Half a) {
  return to_integer<uint16_t>(half_to_float(a.bits));
}
MXPROOF_LANE int16_t v_cvt_i16_f16(Half a) {
  return to_integer<int16_t>(half_to_float(a.bits));
}
/// kHost: rounded as the host rounds now, which follows MODE.
template <bool kHost>
MXPROOF_LANE uint16_t to_half(float a) {
  return kHost ? half_as_host_rounds(a) : float_to_half(a);
}
template <bool kHost>
MXPROOF_LANE Half v_cvt_f16_u16(uint16_t a) {
  return Half{to_half<kHost>(a)};
}
template <bool kHost>
MXPROOF_LANE Half v_cvt_f16_i16(int16_t a) {
  return Half{to_half<kHost>(a)};
}
/// Signed nibble / 16.
MXPROOF_LANE float v_cvt_off_f32_i4(u32 a) {
  return static_cast<float>(static_cast<i32>(a << 28) >> 28) * 0.0625F;
}

MXPROOF_LANE float quieted(float a) {
  return a != a ? std::bit_cast<float>(std::bit_cast<u32>(a) | 0x400000U) : a;
}
template <bool kHost>
MXPROOF_LANE Half v_cvt_f16_f32(float a) {
  return Half{to_half<kHost>(a)};
}
MXPROOF_LANE float v_cvt_f32_f16(Half a) {
  return quieted(half_to_float(a.bits));
}
MXPROOF_LANE double v_cvt_f64_f32(float a) {
  return static_cast<double>(a);
}
MXPROOF_LANE float v_cvt_f32_f64(double a) {
  return static_cast<float>(a);
}
MXPROOF_LANE float v_cvt_f32_bf16(uint16_t a) {
  return quieted(brain_to_float(a));
}

MXPROOF_LANE u32 v_cvt_pk_bf16_f32(float a, float b) {
  return float_to_brain(a) | u32{float_to_brain(b)} << 16;
}
template <bool kHost>
MXPROOF_LANE u32 v_cvt_pk_f16_f32(float a, float b) {
  return to_half<kHost>(a) | u32{to_half<kHost>(b)} << 16;
}
/// Rounded towards zero, so that a finite value never becomes Inf.
MXPROOF_LANE u32 half_towards_zero(float a) {
  const u32 nearest = float_to_half(a);
  const float back = half_to_float(static_cast<uint16_t>(nearest));
  const bool away = __builtin_fabsf(back) > __builtin_fabsf(a);
  return away ? nearest - 1 : nearest;
}
MXPROOF_LANE u32 v_cvt_pkrtz_f16_f32(float a, float b) {
  return half_towards_zero(a) | half_towards_zero(b) << 16;
}

MXPROOF_LANE float rounded(float a) {
  return __builtin_roundevenf(a);
}
MXPROOF_LANE u32 normalised_signed(float a) {
  const float clamped = a != a ? 0.0F : a < -1.0F ? -1.0F : a > 1.0F ? 1.0F : a;
  return static_cast<u32>(static_cast<i32>(rounded(clamped * 32767.0F))) & 0xffffU;
}
MXPROOF_LANE u32 normalised_unsigned(float a) {
  const float clamped = a != a ? 0.0F : a < 0.0F ? 0.0F : a > 1.0F ? 1.0F : a;
  return static_cast<u32>(rounded(clamped * 65535.0F));
}
MXPROOF_LANE u32 v_cvt_pknorm_i16_f32(float a, float b) {
  return normalised_signed(a) | normalised_signed(b) << 16;
}
MXPROOF_LANE u32 v_cvt_pknorm_u16_f32(float a, float b) {
  return normalised_unsigned(a) | normalised_unsigned(b) << 16;
}
MXPROOF_LANE u32 v_cvt_pknorm_i16_f16(Half a, Half b) {
  return v_cvt_pknorm_i16_f32(half_to_float(a.bits), half_to_float(b.bits));
}
MXPROOF_LANE u32 v_cvt_pknorm_u16_f16(Half a, Half b) {
  return v_cvt_pknorm_u16_f32(half_to_float(a.bits), half_to_float(b.bits));
}
MXPROOF_LANE uint16_t v_cvt_norm_i16_f16(Half a) {
  return static_cast<uint16_t>(normalised_signed(half_to_float(a.bits)));
}
MXPROOF_LANE uint16_t v_cvt_norm_u16_f16(Half a) {
  return static_cast<uint16_t>(normalised_unsigned(half_to_float(a.bits)));
}

MXPROOF_LANE u32 clamped_u16(u32 a) {
  return a > 0xffffU ? 0xffffU : a;
}
MXPROOF_LANE u32 clamped_i16(i32 a) {
  return static_cast<u32>(a < -32768 ? -32768 : a > 32767 ? 32767 : a) & 0xffffU;
}
MXPROOF_LANE u32 v_cvt_pk_u16_u32(u32 a, u32 b) {
  return clamped_u16(a) | clamped_u16(b) << 16;
}
MXPROOF_LANE u32 v_cvt_pk_i16_i32(i32 a, i32 b) {
  return clamped_i16(a) | clamped_i16(b) << 16;
}
/// Byte b[1:0] of c becomes a, saturated to 0..255.
MXPROOF_LANE u32 v_cvt_pk_u8_f32(float a, u32 b, u32 c) {
  const float nearest = rounded(a);
  const u32 byte = nearest >= 255.0F ? 255U : nearest > 0.0F ? static_cast<u32>(nearest) : 0U;
  const u32 shift = 8U * (b & 3U);
  return (c & ~(0xffU << shift)) | byte << shift;
}
MXPROOF_LANE u32 clamped_u8(int16_t a) {
  return static_cast<u32>(a < 0 ? 0 : a > 255 ? 255 : a);
}
MXPROOF_LANE u32 v_sat_pk_u8_i16(u32 a) {
  return clamped_u8(static_cast<int16_t>(a)) | clamped_u8(static_cast<int16_t>(a >> 16)) << 8;
}

/// Rounds to f16 by MODE.
#define ROUNDED(name) (select_row<&name<false>, &name<true>>(#name))

constexpr Row kRows[] = {
    MXPROOF_SELECT_ROW(v_cvt_f32_i32),
    MXPROOF_SELECT_ROW(v_cvt_f32_u32),
    MXPROOF_ROW(v_cvt_f64_i32),
    MXPROOF_ROW(v_cvt_f64_u32),
    MXPROOF_ROW(v_cvt_f32_ubyte0),
    MXPROOF_ROW(v_cvt_f32_ubyte1),
    MXPROOF_ROW(v_cvt_f32_ubyte2),
    MXPROOF_ROW(v_cvt_f32_ubyte3),
    MXPROOF_ROW(v_cvt_i32_f32),
    MXPROOF_ROW(v_cvt_u32_f32),
    MXPROOF_ROW(v_cvt_i32_f64),
    MXPROOF_ROW(v_cvt_u32_f64),
    MXPROOF_ROW(v_cvt_flr_i32_f32),
    MXPROOF_ROW(v_cvt_rpi_i32_f32),
    MXPROOF_ROW(v_cvt_u16_f16),
    MXPROOF_ROW(v_cvt_i16_f16),
    ROUNDED(v_cvt_f16_u16),
    ROUNDED(v_cvt_f16_i16),
    MXPROOF_ROW(v_cvt_off_f32_i4),
    ROUNDED(v_cvt_f16_f32),
    MXPROOF_SELECT_ROW(v_cvt_f32_f16),
    MXPROOF_FLOAT_ROW(v_cvt_f64_f32),
    MXPROOF_FLOAT_ROW(v_cvt_f32_f64),
    MXPROOF_ROW(v_cvt_f32_bf16),
    MXPROOF_ROW(v_cvt_pk_bf16_f32),
    ROUNDED(v_cvt_pk_f16_f32),
    MXPROOF_ROW(v_cvt_pkrtz_f16_f32),
    MXPROOF_ROW(v_cvt_pknorm_i16_f32),
    MXPROOF_ROW(v_cvt_pknorm_u16_f32),
    MXPROOF_ROW(v_cvt_pknorm_i16_f16),
    MXPROOF_ROW(v_cvt_pknorm_u16_f16),
    MXPROOF_ROW(v_cvt_norm_i16_f16),
    MXPROOF_ROW(v_cvt_norm_u16_f16),
    MXPROOF_ROW(v_cvt_pk_u16_u32),
    MXPROOF_ROW(v_cvt_pk_i16_i32),
    MXPROOF_ROW(v_cvt_pk_u8_f32),
    MXPROOF_ROW(v_sat_pk_u8_i16),
};

}  // namespace

std::span<const Row> vector_convert_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_convert_rows);
std::span<const Row> vector_convert_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_convert_rows)();
}
}  // namespace mxproof::emulator
#endif
