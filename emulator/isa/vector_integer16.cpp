// 16-bit integer instructions, one value a lane. As in f16, those that LLVM lists as preserving the upper
// half of their destination are marked so. Source of the operations: AMD CDNA3 ISA reference guide, chapter
// "Instructions", VOP2 and VOP3.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_integer16.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/lanes-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u16 = uint16_t;
using i16 = int16_t;
using u32 = uint32_t;
using i32 = int32_t;

MXPROOF_LANE u16 v_add_u16(u16 a, u16 b) {
  return static_cast<u16>(a + b);
}
MXPROOF_LANE u16 v_sub_u16(u16 a, u16 b) {
  return static_cast<u16>(a - b);
}
MXPROOF_LANE u16 v_subrev_u16(u16 a, u16 b) {
  return static_cast<u16>(b - a);
}
MXPROOF_LANE u16 v_add_u16_clamp(u16 a, u16 b) {
  return static_cast<u16>(a + b > 0xffff ? 0xffff : a + b);
}
MXPROOF_LANE u16 v_sub_u16_clamp(u16 a, u16 b) {
  return static_cast<u16>(a < b ? 0 : a - b);
}
MXPROOF_LANE i16 saturated(i32 value) {
  return static_cast<i16>(value < -32768 ? -32768 : value > 32767 ? 32767 : value);
}
MXPROOF_LANE i16 v_add_i16_clamp(i16 a, i16 b) {
  return saturated(a + b);
}
MXPROOF_LANE i16 v_sub_i16_clamp(i16 a, i16 b) {
  return saturated(a - b);
}
MXPROOF_LANE u16 v_mul_lo_u16(u16 a, u16 b) {
  return static_cast<u16>(u32{a} * b);
}
MXPROOF_LANE u16 v_mad_u16(u16 a, u16 b, u16 c) {
  return static_cast<u16>(u32{a} * b + c);
}
MXPROOF_LANE u32 v_mad_u32_u16(u16 a, u16 b, u32 c) {
  return u32{a} * b + c;
}
MXPROOF_LANE u32 v_mad_i32_i16(i16 a, i16 b, u32 c) {
  return static_cast<u32>(i32{a} * b) + c;
}
MXPROOF_LANE u16 v_lshlrev_b16(u16 a, u16 b) {
  return static_cast<u16>(u32{b} << (a & 15U));
}
MXPROOF_LANE u16 v_lshrrev_b16(u16 a, u16 b) {
  return static_cast<u16>(b >> (a & 15U));
}
MXPROOF_LANE i16 v_ashrrev_i16(u16 a, i16 b) {
  return static_cast<i16>(b >> (a & 15U));
}
template <class T>
MXPROOF_LANE T smaller(T a, T b) {
  return a < b ? a : b;
}
template <class T>
MXPROOF_LANE T larger(T a, T b) {
  return a > b ? a : b;
}
template <class T>
MXPROOF_LANE T smallest(T a, T b, T c) {
  return smaller(smaller(a, b), c);
}
template <class T>
MXPROOF_LANE T largest(T a, T b, T c) {
  return larger(larger(a, b), c);
}
template <class T>
MXPROOF_LANE T median(T a, T b, T c) {
  return larger(smaller(a, b), smaller(larger(a, b), c));
}

/// Two bytes from two shifted, saturated words; the upper half of the destination stays.
MXPROOF_LANE u16 v_ashr_pk_i8_i32(i32 a, i32 b, u32 c) {
  const auto byte = [](i32 value) HWY_ATTR {
    return static_cast<u32>(value < -128 ? -128 : value > 127 ? 127 : value) & 0xffU;
  };
  return static_cast<u16>(byte(a >> (c & 31U)) | byte(b >> (c & 31U)) << 8);
}
MXPROOF_LANE u16 v_ashr_pk_u8_i32(i32 a, i32 b, u32 c) {
  const auto byte = [](i32 value) HWY_ATTR {
    return static_cast<u32>(value < 0 ? 0 : value > 255 ? 255 : value);
  };
  return static_cast<u16>(byte(a >> (c & 31U)) | byte(b >> (c & 31U)) << 8);
}

#define KEEPS(name) vector_row<&name>(#name, kKeepsHighHalf)

constexpr Row kRows[] = {
    MXPROOF_ROW(v_add_u16),
    MXPROOF_ROW(v_sub_u16),
    MXPROOF_ROW(v_subrev_u16),
    vector_row<&v_add_u16_clamp>("v_add_u16 clamp"),
    vector_row<&v_sub_u16_clamp>("v_sub_u16 clamp"),
    vector_row<&v_add_u16>("v_add_i16", kKeepsHighHalf),
    vector_row<&v_sub_u16>("v_sub_i16", kKeepsHighHalf),
    vector_row<&v_add_i16_clamp>("v_add_i16 clamp", kKeepsHighHalf),
    vector_row<&v_sub_i16_clamp>("v_sub_i16 clamp", kKeepsHighHalf),
    MXPROOF_ROW(v_mul_lo_u16),
    KEEPS(v_mad_u16),
    vector_row<&v_mad_u16>("v_mad_i16", kKeepsHighHalf),
    vector_row<&v_mad_u16>("v_mad_legacy_u16"),
    vector_row<&v_mad_u16>("v_mad_legacy_i16"),
    MXPROOF_ROW(v_mad_u32_u16),
    MXPROOF_ROW(v_mad_i32_i16),
    MXPROOF_ROW(v_lshlrev_b16),
    MXPROOF_ROW(v_lshrrev_b16),
    MXPROOF_ROW(v_ashrrev_i16),
    vector_row<&smaller<i16>>("v_min_i16"),
    vector_row<&larger<i16>>("v_max_i16"),
    vector_row<&smaller<u16>>("v_min_u16"),
    vector_row<&larger<u16>>("v_max_u16"),
    vector_row<&smallest<i16>>("v_min3_i16", kKeepsHighHalf),
    vector_row<&largest<i16>>("v_max3_i16", kKeepsHighHalf),
    vector_row<&median<i16>>("v_med3_i16", kKeepsHighHalf),
    vector_row<&smallest<u16>>("v_min3_u16", kKeepsHighHalf),
    vector_row<&largest<u16>>("v_max3_u16", kKeepsHighHalf),
    vector_row<&median<u16>>("v_med3_u16", kKeepsHighHalf),
    KEEPS(v_ashr_pk_i8_i32),
    KEEPS(v_ashr_pk_u8_i32),
};

}  // namespace

std::span<const Row> vector_integer16_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_integer16_rows);
std::span<const Row> vector_integer16_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_integer16_rows)();
}
}  // namespace mxproof::emulator
#endif
