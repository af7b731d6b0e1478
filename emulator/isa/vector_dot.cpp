// Dot products of two, four or eight narrow elements a lane, plus an accumulator.
// Source of the operations: AMD CDNA3 ISA reference guide, V_DOT*; how the floating-point ones round between
// their terms is not public: a switch, dot2_rounding.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_dot.cpp"
#include <hwy/foreach_target.h>
//
#include <cmath>

#include "emulator/isa/float_lanes-inl.hpp"
#include "emulator/isa/matrix_model.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using i64 = int64_t;

/// Element `i` of `Bits` bits, signed or not.
template <int Bits, bool Signed>
HWY_INLINE i32 element(u32 dword, int i) {
  const u32 up = dword << (32 - Bits * (i + 1));
  return Signed ? static_cast<i32>(up) >> (32 - Bits) : static_cast<i32>(up >> (32 - Bits));
}
template <int Bits, bool Signed>
HWY_INLINE i64 integer_dot(u32 a, u32 b) {
  i64 sum = 0;
  for (int i = 0; i < 32 / Bits; ++i) sum += i64{element<Bits, Signed>(a, i)} * element<Bits, Signed>(b, i);
  return sum;
}
template <int Bits, bool Signed>
MXPROOF_LANE u32 dot(u32 a, u32 b, u32 c) {
  return static_cast<u32>(integer_dot<Bits, Signed>(a, b)) + c;
}
template <int Bits>
MXPROOF_LANE i32 dot_signed_clamp(u32 a, u32 b, i32 c) {
  const i64 sum = integer_dot<Bits, true>(a, b) + c;
  return static_cast<i32>(sum < INT32_MIN ? i64{INT32_MIN} : sum > INT32_MAX ? i64{INT32_MAX} : sum);
}
template <int Bits>
MXPROOF_LANE u32 dot_unsigned_clamp(u32 a, u32 b, u32 c) {
  const i64 sum = integer_dot<Bits, false>(a, b) + c;
  return static_cast<u32>(sum > i64{UINT32_MAX} ? i64{UINT32_MAX} : sum);
}

HWY_INLINE float low_half(u32 a) {
  return half_to_float(static_cast<uint16_t>(a));
}
HWY_INLINE float high_half(u32 a) {
  return half_to_float(static_cast<uint16_t>(a >> 16));
}
HWY_INLINE float low_brain(u32 a) {
  return std::bit_cast<float>(a << 16);
}
HWY_INLINE float high_brain(u32 a) {
  return std::bit_cast<float>(a & 0xffff0000U);
}
/// C plus two exact products: f32 would hold those of bf16 but for their exponents.
template <Dot2Rounding Rounding>
HWY_INLINE float dot2(float c, float low_a, float low_b, float high_a, float high_b) {
  if constexpr (Rounding == Dot2Rounding::low_first)
    return std::fma(high_a, high_b, std::fma(low_a, low_b, c));
  if constexpr (Rounding == Dot2Rounding::high_first)
    return std::fma(low_a, low_b, std::fma(high_a, high_b, c));
  const std::array<BlockSum, 2> products = {product_of(low_a, low_b), product_of(high_a, high_b)};
  return accumulate_blocks(MfmaAccumulation::fused, c, products);
}
template <Dot2Rounding Rounding>
MXPROOF_LANE float dot2_f16(u32 a, u32 b, float c) {
  return dot2<Rounding>(c, low_half(a), low_half(b), high_half(a), high_half(b));
}
template <Dot2Rounding Rounding>
MXPROOF_LANE float dot2_bf16(u32 a, u32 b, float c) {
  return dot2<Rounding>(c, low_brain(a), low_brain(b), high_brain(a), high_brain(b));
}

/// Sources 0 and 1 are packed, source 2 is not.
template <auto F>
constexpr Row dot_row(std::string_view name, Builder build = &build_packed) {
  constexpr OperandType kResult = Function<F>::kResult;
  return {name,    &vector_op<F>,
          build,   InstructionClass::vector_alu,
          kResult, {OperandType::b32, OperandType::b32, kResult}};
}
/// One function a setting of dot2_rounding.
template <auto LowFirst, auto HighFirst, auto Fused>
void float_dot(const Instruction& inst, Wave& w) {
  switch (w.settings.dot2_rounding) {
    case Dot2Rounding::low_first:
      return float_op<LowFirst>(inst, w);
    case Dot2Rounding::high_first:
      return float_op<HighFirst>(inst, w);
    case Dot2Rounding::fused:
      return float_op<Fused>(inst, w);
  }
}
constexpr Row float_dot_row(std::string_view name, Handler run, Builder build = &build_packed) {
  constexpr OperandType kF32 = OperandType::f32;
  return {
      name, run, build, InstructionClass::vector_alu, kF32, {OperandType::pkf16, OperandType::pkf16, kF32}};
}

constexpr Builder kAccumulate = &build_vector_accumulate;
using R = Dot2Rounding;
constexpr Handler kDotF16 =
    &float_dot<&dot2_f16<R::low_first>, &dot2_f16<R::high_first>, &dot2_f16<R::fused>>;
constexpr Handler kDotBf16 =
    &float_dot<&dot2_bf16<R::low_first>, &dot2_bf16<R::high_first>, &dot2_bf16<R::fused>>;

constexpr Row kRows[] = {
    dot_row<&dot<16, true>>("v_dot2_i32_i16"),
    dot_row<&dot<16, false>>("v_dot2_u32_u16"),
    dot_row<&dot<8, true>>("v_dot4_i32_i8"),
    dot_row<&dot<8, false>>("v_dot4_u32_u8"),
    dot_row<&dot<4, true>>("v_dot8_i32_i4"),
    dot_row<&dot<4, false>>("v_dot8_u32_u4"),
    dot_row<&dot_signed_clamp<16>>("v_dot2_i32_i16 clamp"),
    dot_row<&dot_unsigned_clamp<16>>("v_dot2_u32_u16 clamp"),
    dot_row<&dot_signed_clamp<8>>("v_dot4_i32_i8 clamp"),
    dot_row<&dot_unsigned_clamp<8>>("v_dot4_u32_u8 clamp"),
    dot_row<&dot_signed_clamp<4>>("v_dot8_i32_i4 clamp"),
    dot_row<&dot_unsigned_clamp<4>>("v_dot8_u32_u4 clamp"),
    dot_row<&dot<16, true>>("v_dot2c_i32_i16", kAccumulate),
    dot_row<&dot<8, true>>("v_dot4c_i32_i8", kAccumulate),
    dot_row<&dot<4, true>>("v_dot8c_i32_i4", kAccumulate),
    float_dot_row("v_dot2_f32_f16", kDotF16),
    float_dot_row("v_dot2_f32_bf16", kDotBf16),
    float_dot_row("v_dot2c_f32_f16", kDotF16, kAccumulate),
    float_dot_row("v_dot2c_f32_bf16", kDotBf16, kAccumulate),
};

}  // namespace

std::span<const Row> vector_dot_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_dot_rows);
std::span<const Row> vector_dot_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_dot_rows)();
}
}  // namespace mxproof::emulator
#endif
