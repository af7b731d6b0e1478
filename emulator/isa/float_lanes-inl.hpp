// Floating-point vector instructions: what vector_op does, plus NaN results, MODE's rounding and denormals.
// Included once per host SIMD level (Highway's foreach_target).
#if defined(MXPROOF_EMULATOR_ISA_FLOAT_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MXPROOF_EMULATOR_ISA_FLOAT_LANES_INL_HPP
#undef MXPROOF_EMULATOR_ISA_FLOAT_LANES_INL_HPP
#else
#define MXPROOF_EMULATOR_ISA_FLOAT_LANES_INL_HPP
#endif

#include "emulator/isa/host_rounding.hpp"
#include "emulator/isa/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {

// ---- Per-format facts ----

HWY_INLINE bool is_nan_bits(OperandType type, uint64_t bits) {
  switch (type) {
    case OperandType::f16:
      return (bits & 0x7fffU) > 0x7c00U;
    case OperandType::f64:
      return (bits & 0x7fffffffffffffffU) > 0x7ff0000000000000U;
    default:
      return (bits & 0x7fffffffU) > 0x7f800000U;
  }
}
HWY_INLINE uint64_t quiet_bit(OperandType type) {
  return type == OperandType::f16 ? 0x200U : type == OperandType::f64 ? 0x8000000000000U : 0x400000U;
}
/// What an invalid operation gives: a quiet NaN, of a sign that is a switch.
HWY_INLINE uint64_t default_nan(OperandType type, InvalidNan sign) {
  const uint64_t nan = type == OperandType::f16   ? 0x7e00U
                       : type == OperandType::f64 ? 0x7ff8000000000000U
                                                  : 0x7fc00000U;
  const int sign_bit = type == OperandType::f16 ? 15 : type == OperandType::f64 ? 63 : 31;
  return nan | uint64_t{sign == InvalidNan::negative} << sign_bit;
}

HWY_INLINE uint64_t lane_bits(OperandType type, const uint32_t* row, int lane) {
  if (type == OperandType::f64) return row[lane] | uint64_t{row[lane + kLanes]} << 32;
  return type == OperandType::f16 ? row[lane] & 0xffffU : row[lane];
}

/// NaN results: the first NaN source, made quiet, else the default NaN. Fixed here because hosts differ in
/// which of two NaNs they return, even between two compilations of one expression.
template <size_t N>
HWY_NOINLINE void settle_nans(const Wave& w, OperandType result, const std::array<OperandType, 4>& types,
                              const std::array<const uint32_t*, N>& s, uint32_t* d) {
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!is_nan_bits(result, lane_bits(result, d, lane))) continue;
    uint64_t nan = default_nan(result, w.settings.invalid_nan);
    for (size_t i = 0; i < N; ++i) {
      const uint64_t bits = lane_bits(types[i], s[i], lane);
      if (types[i] == result && is_nan_bits(result, bits)) {
        nan = bits | quiet_bit(result);
        break;
      }
    }
    d[lane] = static_cast<uint32_t>(nan);
    if (result == OperandType::f64) d[lane + kLanes] = static_cast<uint32_t>(nan >> 32);
  }
}

template <class T>
HWY_INLINE bool any_nan(const uint32_t* d) {
  uint32_t found = 0;
  if constexpr (sizeof(T) == 8) {
    for (int lane = 0; lane < kLanes; ++lane)
      found |= is_nan_bits(OperandType::f64, lane_bits(OperandType::f64, d, lane)) ? 1U : 0U;
  } else if constexpr (sizeof(T) == 2) {
    for (int lane = 0; lane < kLanes; ++lane) found |= (d[lane] & 0x7fffU) > 0x7c00U ? 1U : 0U;
  } else {
    for (int lane = 0; lane < kLanes; ++lane) found |= (d[lane] & 0x7fffffffU) > 0x7f800000U ? 1U : 0U;
  }
  return found != 0;
}

/// Replaces subnormals by zeros of the same sign.
HWY_INLINE void flush_subnormals(OperandType type, const uint32_t* from, uint32_t* to) {
  for (int lane = 0; lane < kLanes; ++lane) {
    if (type == OperandType::f64) {
      const uint64_t bits = lane_bits(type, from, lane);
      const bool subnormal = (bits & 0x7ff0000000000000U) == 0;
      to[lane] = subnormal ? 0 : from[lane];
      to[lane + kLanes] = subnormal ? from[lane + kLanes] & 0x80000000U : from[lane + kLanes];
    } else if (type == OperandType::f16) {
      to[lane] = (from[lane] & 0x7c00U) == 0 ? from[lane] & 0xffff8000U : from[lane];
    } else {
      to[lane] = (from[lane] & 0x7f800000U) == 0 ? from[lane] & 0x80000000U : from[lane];
    }
  }
}
HWY_INLINE bool is_float(OperandType type) {
  return type == OperandType::f16 || type == OperandType::f32 || type == OperandType::f64;
}
/// The MODE bits of a format: f32 has its own, f16 and f64 share theirs.
HWY_INLINE uint32_t denormal_bits(uint32_t mode, OperandType type) {
  return (mode >> (type == OperandType::f32 ? 4 : 6)) & 3U;
}
HWY_INLINE uint32_t rounding_bits(uint32_t mode, OperandType type) {
  return (mode >> (type == OperandType::f32 ? 0 : 2)) & 3U;
}

/// The same as the plain path, with sources and results flushed and the host rounding as MODE says.
template <auto F>
HWY_NOINLINE void special_mode(const Wave& w, std::array<const uint32_t*, Function<F>::kCount> s,
                               uint32_t* d) {
  using Fn = Function<F>;
  alignas(64) std::array<std::array<uint32_t, 2 * kLanes>, Fn::kCount> flushed;
  for (size_t i = 0; i < Fn::kCount; ++i) {
    if (!is_float(Fn::kSources[i]) || (denormal_bits(w.mode, Fn::kSources[i]) & 1U) != 0) continue;
    flush_subnormals(Fn::kSources[i], s[i], flushed[i].data());
    s[i] = flushed[i].data();
  }
  {
    const HostRounding rounding(rounding_bits(w.mode, Fn::kResult));
    Fn::each_lane(s, d);
  }
  if (is_float(Fn::kResult) && (denormal_bits(w.mode, Fn::kResult) & 2U) == 0)
    flush_subnormals(Fn::kResult, d, d);
}

/// A floating-point vector instruction. FHost is F where F does not leave rounding to the host.
template <auto F, auto FHost = F>
void float_op(const Instruction& inst, Wave& w) {
  using Fn = Function<F>;
  const auto s = Fn::fetch_all(inst, w);
  // Sources must still be there when a NaN turns up, so the destination is never computed in place.
  uint32_t* d = w.result.data();
  if (HWY_LIKELY(w.plain_mode)) {
    Fn::each_lane(s, d);
  } else {
    special_mode<FHost>(w, s, d);
  }
  if (HWY_UNLIKELY(any_nan<typename Fn::Result>(d))) settle_nans(w, Fn::kResult, Fn::kSources, s, d);
  commit(inst, w, Fn::kResult, d);
}

/// One whose function says itself what becomes of NaNs: minima, maxima, medians.
template <auto F, auto FHost = F>
void select_op(const Instruction& inst, Wave& w) {
  using Fn = Function<F>;
  const auto s = Fn::fetch_all(inst, w);
  uint32_t* d = w.result.data();
  if (HWY_LIKELY(w.plain_mode)) {
    Fn::each_lane(s, d);
  } else {
    special_mode<FHost>(w, s, d);
  }
  commit(inst, w, Fn::kResult, d);
}

template <auto F, auto FHost = F>
constexpr Row select_row(std::string_view name, uint32_t extra = 0) {
  return {name,
          &select_op<F, FHost>,
          &build_vector,
          InstructionClass::vector_alu,
          Function<F>::kResult,
          Function<F>::kSources,
          extra};
}

template <auto F, auto FHost = F>
constexpr Row float_row(std::string_view name, Builder build = &build_vector, uint32_t extra = 0) {
  return {name,
          &float_op<F, FHost>,
          build,
          InstructionClass::vector_alu,
          Function<F>::kResult,
          Function<F>::kSources,
          extra};
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#define MXPROOF_FLOAT_ROW(name) float_row<&name>(#name)
#define MXPROOF_SELECT_ROW(name) select_row<&name>(#name)
#endif
