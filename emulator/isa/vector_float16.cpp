// f16 arithmetic, one value a lane. Instructions that LLVM lists as preserving the upper half of their
// destination are marked so; the others clear it. Source of the operations: AMD CDNA3 ISA reference guide,
// chapter "Instructions", VOP1, VOP2, VOP3.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_float16.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/half_lanes-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u16 = uint16_t;
using i16 = int16_t;
using u32 = uint32_t;

template <bool kHost>
MXPROOF_LANE Half v_add_f16(Half a, Half b) {
  return half_add<kHost>(a, b);
}
template <bool kHost>
MXPROOF_LANE Half v_sub_f16(Half a, Half b) {
  return half_sub<kHost>(a, b);
}
template <bool kHost>
MXPROOF_LANE Half v_subrev_f16(Half a, Half b) {
  return half_sub<kHost>(b, a);
}
template <bool kHost>
MXPROOF_LANE Half v_mul_f16(Half a, Half b) {
  return half_mul<kHost>(a, b);
}
template <bool kHost>
MXPROOF_LANE Half v_fma_f16(Half a, Half b, Half c) {
  return half_fma<kHost>(a, b, c);
}
/// Unfused: the product is rounded before the addition.
template <bool kHost>
MXPROOF_LANE Half v_mad_f16(Half a, Half b, Half c) {
  return half_add<kHost>(half_mul<kHost>(a, b), c);
}
template <bool kHost>
MXPROOF_LANE Half v_madmk_f16(Half a, Half k, Half b) {
  return v_mad_f16<kHost>(a, k, b);
}
template <bool kHost>
MXPROOF_LANE Half v_madak_f16(Half a, Half b, Half k) {
  return v_mad_f16<kHost>(a, b, k);
}
MXPROOF_LANE Half v_min_f16(Half a, Half b) {
  return half_min(a, b);
}
MXPROOF_LANE Half v_max_f16(Half a, Half b) {
  return half_max(a, b);
}
MXPROOF_LANE Half v_min3_f16(Half a, Half b, Half c) {
  return half_min(half_min(a, b), c);
}
MXPROOF_LANE Half v_max3_f16(Half a, Half b, Half c) {
  return half_max(half_max(a, b), c);
}
MXPROOF_LANE Half v_med3_f16(Half a, Half b, Half c) {
  if (is_nan(a) || is_nan(b) || is_nan(c)) return v_min3_f16(a, b, c);
  return half_max(half_min(a, b), half_min(half_max(a, b), c));
}
MXPROOF_LANE Half v_trunc_f16(Half a) {
  return narrowed(__builtin_truncf(widened(a)));
}
MXPROOF_LANE Half v_ceil_f16(Half a) {
  return narrowed(__builtin_ceilf(widened(a)));
}
MXPROOF_LANE Half v_floor_f16(Half a) {
  return narrowed(__builtin_floorf(widened(a)));
}
MXPROOF_LANE Half v_rndne_f16(Half a) {
  return narrowed(__builtin_roundevenf(widened(a)));
}
MXPROOF_LANE Half v_fract_f16(Half a) {
  const Half fraction = narrowed(widened(a) - __builtin_floorf(widened(a)));
  return fraction.bits == 0x3c00U ? Half{0x3bff} : fraction;  // kept below 1
}
template <bool kHost>
MXPROOF_LANE Half v_ldexp_f16(Half a, i16 exponent) {
  const int clamped = exponent < -60 ? -60 : exponent > 60 ? 60 : exponent;
  return narrowed<kHost>(widened(a) * std::bit_cast<float>(static_cast<u32>(clamped + 127) << 23));
}
MXPROOF_LANE Half v_frexp_mant_f16(Half a) {
  const u32 magnitude = a.bits & 0x7fffU;
  if (magnitude == 0 || magnitude >= 0x7c00U) return a;
  const u32 bits = std::bit_cast<u32>(widened(a));
  return narrowed(std::bit_cast<float>((bits & 0x807fffffU) | 0x3f000000U));
}
MXPROOF_LANE i16 v_frexp_exp_i16_f16(Half a) {
  const u32 magnitude = a.bits & 0x7fffU;
  if (magnitude == 0 || magnitude >= 0x7c00U) return 0;
  return static_cast<i16>(static_cast<int>((std::bit_cast<u32>(widened(a)) >> 23) & 0xffU) - 126);
}
/// As v_div_fixup_f32; the quotient needs no scaling in f16.
MXPROOF_LANE Half v_div_fixup_f16(Half quotient, Half denominator, Half numerator) {
  const u16 sign = static_cast<u16>((denominator.bits ^ numerator.bits) & 0x8000U);
  const u32 d = denominator.bits & 0x7fffU;
  const u32 n = numerator.bits & 0x7fffU;
  if (is_nan(numerator)) return quieted(numerator);
  if (is_nan(denominator)) return quieted(denominator);
  if ((d == 0 && n == 0) || (d == 0x7c00U && n == 0x7c00U)) return Half{0xfe00};
  if (d == 0 || n == 0x7c00U) return Half{static_cast<u16>(sign | 0x7c00U)};
  if (d == 0x7c00U || n == 0) return Half{sign};
  return Half{static_cast<u16>(sign | (quotient.bits & 0x7fffU))};
}
MXPROOF_LANE u32 v_pack_b32_f16(Half a, Half b) {
  return a.bits | u32{b.bits} << 16;
}

/// Rounds by MODE.
#define ROUNDED(name) (float_row<&name<false>, &name<true>>(#name))
#define KEEPS(name) vector_row<&name>(#name, kKeepsHighHalf)

constexpr Row keeps_accumulate(Row row) {
  row.build = &build_vector_accumulate;
  return row;
}

constexpr Row kRows[] = {
    ROUNDED(v_add_f16),
    ROUNDED(v_sub_f16),
    ROUNDED(v_subrev_f16),
    ROUNDED(v_mul_f16),
    float_row<&v_fma_f16<false>, &v_fma_f16<true>>("v_fma_f16", &build_vector, kKeepsHighHalf),
    float_row<&v_fma_f16<false>, &v_fma_f16<true>>("v_fma_legacy_f16"),
    float_row<&v_mad_f16<false>, &v_mad_f16<true>>("v_mad_f16", &build_vector, kKeepsHighHalf),
    float_row<&v_mad_f16<false>, &v_mad_f16<true>>("v_mad_legacy_f16"),
    keeps_accumulate(
        float_row<&v_mad_f16<false>, &v_mad_f16<true>>("v_mac_f16", &build_vector, kKeepsHighHalf)),
    float_row<&v_madmk_f16<false>, &v_madmk_f16<true>>("v_madmk_f16", &build_vector, kKeepsHighHalf),
    float_row<&v_madak_f16<false>, &v_madak_f16<true>>("v_madak_f16", &build_vector, kKeepsHighHalf),
    MXPROOF_SELECT_ROW(v_min_f16),
    MXPROOF_SELECT_ROW(v_max_f16),
    select_row<&v_min3_f16>("v_min3_f16", kKeepsHighHalf),
    select_row<&v_max3_f16>("v_max3_f16", kKeepsHighHalf),
    select_row<&v_med3_f16>("v_med3_f16", kKeepsHighHalf),
    MXPROOF_FLOAT_ROW(v_trunc_f16),
    MXPROOF_FLOAT_ROW(v_ceil_f16),
    MXPROOF_FLOAT_ROW(v_floor_f16),
    MXPROOF_FLOAT_ROW(v_rndne_f16),
    MXPROOF_FLOAT_ROW(v_fract_f16),
    ROUNDED(v_ldexp_f16),
    MXPROOF_FLOAT_ROW(v_frexp_mant_f16),
    MXPROOF_ROW(v_frexp_exp_i16_f16),
    KEEPS(v_div_fixup_f16),
    vector_row<&v_div_fixup_f16>("v_div_fixup_legacy_f16"),
    MXPROOF_ROW(v_pack_b32_f16),
};

}  // namespace

std::span<const Row> vector_float16_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_float16_rows);
std::span<const Row> vector_float16_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_float16_rows)();
}
}  // namespace mxproof::emulator
#endif
