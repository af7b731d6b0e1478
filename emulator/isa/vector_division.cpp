// The three instructions that turn an approximate reciprocal into an IEEE quotient, for f32 and f64; f16
// needs one. Source of the operations: AMD CDNA3 ISA reference guide, V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_division.cpp"
#include <hwy/foreach_target.h>
//
#include <cmath>
#include <limits>

#include "emulator/isa/float_lanes-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

template <class T>
struct Format;
template <>
struct Format<float> {
  using Bits = uint32_t;
  static constexpr int kFraction = 23;
  static constexpr int kInfinity = 255;
  static constexpr int kFarApart = 96;  ///< N/D this many binades apart is near overflow.
  static constexpr int kTinyNumerator = 23;
  static constexpr int kScale = 64;
  static constexpr int kUnderflow = -150;
};
template <>
struct Format<double> {
  using Bits = uint64_t;
  static constexpr int kFraction = 52;
  static constexpr int kInfinity = 2047;
  static constexpr int kFarApart = 768;
  static constexpr int kTinyNumerator = 53;
  static constexpr int kScale = 128;
  static constexpr int kUnderflow = -1075;
};

/// The exponent field.
template <class T>
HWY_INLINE int exponent_of(T a) {
  using F = Format<T>;
  return static_cast<int>((std::bit_cast<typename F::Bits>(a) >> F::kFraction) &
                          static_cast<unsigned>(F::kInfinity));
}
template <class T>
HWY_INLINE bool is_subnormal(T a) {
  return a != 0 && exponent_of(a) == 0;
}
template <class T>
HWY_INLINE T power(int exponent) {
  using F = Format<T>;
  return std::bit_cast<T>(static_cast<typename F::Bits>(exponent + F::kInfinity / 2) << F::kFraction);
}

/// Scales `value` (denominator or numerator) away from overflow and underflow; `flag` says whether v_div_fmas
/// must scale back.
template <class T>
T div_scale(T value, T denominator, T numerator, bool& flag) {
  using F = Format<T>;
  const T up = power<T>(F::kScale);
  const T down = power<T>(-F::kScale);
  flag = false;
  if (numerator == 0 || denominator == 0)
    return std::bit_cast<T>(
        static_cast<typename F::Bits>(sizeof(T) == 4 ? uint64_t{0x7fc00000} : uint64_t{0x7ff8000000000000}));
  if (exponent_of(numerator) - exponent_of(denominator) >= F::kFarApart) {
    flag = true;
    return value == denominator ? value * up : value;
  }
  if (is_subnormal(denominator)) return value * up;
  const bool tiny_reciprocal = is_subnormal(static_cast<T>(1 / denominator));
  const bool tiny_quotient = is_subnormal(static_cast<T>(numerator / denominator));
  if (tiny_reciprocal && tiny_quotient) {
    flag = true;
    return value == denominator ? value * down : value;
  }
  if (tiny_reciprocal) return value * down;
  if (tiny_quotient) {
    flag = true;
    return value == numerator ? value * up : value;
  }
  if (exponent_of(numerator) <= F::kTinyNumerator) return value * up;
  return value;
}

template <class T>
void v_div_scale(const Instruction& inst, Wave& w) {
  const uint32_t* s0 = fetch(inst, w, 0);
  const uint32_t* s1 = fetch(inst, w, 1);
  const uint32_t* s2 = fetch(inst, w, 2);
  uint32_t* d = w.result.data();
  uint64_t flags = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    bool flag = false;
    const T value = div_scale(LaneType<T>::load(s0, lane), LaneType<T>::load(s1, lane),
                              LaneType<T>::load(s2, lane), flag);
    LaneType<T>::store(d, lane, value);
    flags |= uint64_t{flag} << lane;
  }
  commit(inst, w, LaneType<T>::kType, d);
  w.set_scalar64(inst.dst2, flags & w.exec());
}

/// `sum` with its last bit set when it is not exact, so that a later rounding to fewer bits is right.
HWY_INLINE double with_sticky_bit(double sum, double lost) {
  auto bits = std::bit_cast<uint64_t>(sum);
  if (lost != 0 && (bits & 1U) == 0 && std::isfinite(sum))
    bits = (lost > 0) == (sum > 0) ? bits + 1 : bits - 1;
  return std::bit_cast<double>(bits);
}

/// a * b + c scaled by 2^exponent with one rounding.
HWY_INLINE float scaled_fma(float a, float b, float c, int exponent) {
  const double product = static_cast<double>(a) * b;  // exact
  const double sum = product + c;
  const double back = sum - product;  // Knuth's two-sum
  const double lost = (product - (sum - back)) + (c - back);
  return static_cast<float>(with_sticky_bit(sum, lost) * power<double>(exponent));
}
HWY_INLINE double scaled_fma(double a, double b, double c, int exponent) {
  const double fused = std::fma(a, b, c);
  const double product = a * b;
  const double product_lost = std::fma(a, b, -product);
  const double sum = product + c;
  const double back = sum - product;
  const double sum_lost = (product - (sum - back)) + (c - back);
  const auto lost = (static_cast<long double>(sum) - fused) + sum_lost + product_lost;
  // Only where scaling rounds to a subnormal, and `fused` lies midway between two, does what it lost decide.
  const double scaled = fused * power<double>(exponent);
  const double half_step = power<double>(-1075 - exponent);
  const bool midway = exponent < 0 && std::fabs(fused - scaled * power<double>(-exponent)) == half_step;
  if (!midway || lost == 0) return scaled;
  return std::nextafter(fused, lost > 0 ? HUGE_VAL : -HUGE_VAL) * power<double>(exponent);
}

/// fma, scaled back where VCC asks for it: up for large quotients, down for small ones.
template <class T>
void v_div_fmas(const Instruction& inst, Wave& w) {
  const uint32_t* s0 = fetch(inst, w, 0);
  const uint32_t* s1 = fetch(inst, w, 1);
  const uint32_t* s2 = fetch(inst, w, 2);
  uint32_t* d = w.result.data();
  const uint64_t vcc = w.vcc();
  for (int lane = 0; lane < kLanes; ++lane) {
    const T a = LaneType<T>::load(s0, lane);
    const T b = LaneType<T>::load(s1, lane);
    const T c = LaneType<T>::load(s2, lane);
    const int scale = exponent_of(c) > Format<T>::kInfinity / 2 ? Format<T>::kScale : -Format<T>::kScale;
    LaneType<T>::store(d, lane, ((vcc >> lane) & 1U) != 0 ? scaled_fma(a, b, c, scale) : std::fma(a, b, c));
  }
  const std::array<const uint32_t*, 3> sources = {s0, s1, s2};
  constexpr OperandType kType = LaneType<T>::kType;
  if (any_nan<T>(d)) settle_nans(w, kType, std::array<OperandType, 4>{kType, kType, kType}, sources, d);
  commit(inst, w, kType, d);
}

/// The special cases of numerator / denominator; otherwise the quotient, with the right sign.
template <class T>
T div_fixup(T quotient, T denominator, T numerator) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  constexpr Bits kSign = Bits{1} << (sizeof(T) * 8 - 1);
  constexpr Bits kQuiet = Bits{1} << (F::kFraction - 1);
  const auto bits = [](T value) { return std::bit_cast<Bits>(value); };
  const Bits sign = (bits(denominator) ^ bits(numerator)) & kSign;
  const T infinity = std::numeric_limits<T>::infinity();
  const auto signed_value = [&](T magnitude) { return std::bit_cast<T>((bits(magnitude) & ~kSign) | sign); };
  if (std::isnan(numerator)) return std::bit_cast<T>(bits(numerator) | kQuiet);
  if (std::isnan(denominator)) return std::bit_cast<T>(bits(denominator) | kQuiet);
  const bool both_zero = denominator == 0 && numerator == 0;
  const bool both_infinite = std::isinf(denominator) && std::isinf(numerator);
  if (both_zero || both_infinite) return std::bit_cast<T>(bits(infinity) | kQuiet | kSign);
  if (denominator == 0 || std::isinf(numerator)) return signed_value(infinity);
  if (std::isinf(denominator) || numerator == 0) return signed_value(0);
  if (exponent_of(numerator) - exponent_of(denominator) < F::kUnderflow) return signed_value(0);
  // Quotients beyond the format make the correction steps compute Inf - Inf.
  return signed_value(std::isnan(quotient) ? infinity : quotient);
}
MXPROOF_LANE float v_div_fixup_f32(float a, float b, float c) {
  return div_fixup(a, b, c);
}
MXPROOF_LANE double v_div_fixup_f64(double a, double b, double c) {
  return div_fixup(a, b, c);
}

constexpr InstructionClass kClass = InstructionClass::vector_alu;
constexpr OperandType k32 = OperandType::f32;
constexpr OperandType k64 = OperandType::f64;

constexpr Row kRows[] = {
    {"v_div_scale_f32", &v_div_scale<float>, &build_carry, kClass, k32, {k32, k32, k32}},
    {"v_div_scale_f64", &v_div_scale<double>, &build_carry, kClass, k64, {k64, k64, k64}},
    {"v_div_fmas_f32", &v_div_fmas<float>, &build_vector, kClass, k32, {k32, k32, k32}},
    {"v_div_fmas_f64", &v_div_fmas<double>, &build_vector, kClass, k64, {k64, k64, k64}},
    MXPROOF_ROW(v_div_fixup_f32),
    MXPROOF_ROW(v_div_fixup_f64),
};

}  // namespace

std::span<const Row> vector_division_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_division_rows);
std::span<const Row> vector_division_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_division_rows)();
}
}  // namespace mxproof::emulator
#endif
