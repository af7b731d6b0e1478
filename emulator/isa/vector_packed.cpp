// VOP3P: two 16-bit operations in one dword, two f32 operations in a register pair, and the mixed-precision
// fma. Source of the operations: AMD CDNA3 ISA reference guide, chapter "Instructions", VOP3P.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_packed.cpp"
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

// ---- Two 16-bit lanes a dword ----

MXPROOF_LANE u16 v_pk_add_u16(u16 a, u16 b) {
  return static_cast<u16>(a + b);
}
MXPROOF_LANE u16 v_pk_sub_u16(u16 a, u16 b) {
  return static_cast<u16>(a - b);
}
MXPROOF_LANE u16 v_pk_add_u16_clamp(u16 a, u16 b) {
  return static_cast<u16>(a + b > 0xffff ? 0xffff : a + b);
}
MXPROOF_LANE u16 v_pk_sub_u16_clamp(u16 a, u16 b) {
  return static_cast<u16>(a < b ? 0 : a - b);
}
MXPROOF_LANE i16 saturated(int32_t value) {
  return static_cast<i16>(value < -32768 ? -32768 : value > 32767 ? 32767 : value);
}
MXPROOF_LANE i16 v_pk_add_i16_clamp(i16 a, i16 b) {
  return saturated(a + b);
}
MXPROOF_LANE i16 v_pk_sub_i16_clamp(i16 a, i16 b) {
  return saturated(a - b);
}
MXPROOF_LANE u16 v_pk_mul_lo_u16(u16 a, u16 b) {
  return static_cast<u16>(u32{a} * b);
}
MXPROOF_LANE u16 v_pk_mad_u16(u16 a, u16 b, u16 c) {
  return static_cast<u16>(u32{a} * b + c);
}
MXPROOF_LANE u16 v_pk_mad_u16_clamp(u16 a, u16 b, u16 c) {
  const uint64_t value = uint64_t{a} * b + c;
  return static_cast<u16>(value > 0xffff ? 0xffff : value);
}
MXPROOF_LANE i16 v_pk_mad_i16_clamp(i16 a, i16 b, i16 c) {
  const int64_t value = int64_t{a} * b + c;
  return saturated(static_cast<int32_t>(value < -32768 ? -32768 : value > 32767 ? 32767 : value));
}
MXPROOF_LANE u16 v_pk_min_u16(u16 a, u16 b) {
  return a < b ? a : b;
}
MXPROOF_LANE u16 v_pk_max_u16(u16 a, u16 b) {
  return a > b ? a : b;
}
MXPROOF_LANE i16 v_pk_min_i16(i16 a, i16 b) {
  return a < b ? a : b;
}
MXPROOF_LANE i16 v_pk_max_i16(i16 a, i16 b) {
  return a > b ? a : b;
}
MXPROOF_LANE u16 v_pk_lshlrev_b16(u16 a, u16 b) {
  return static_cast<u16>(u32{b} << (a & 15U));
}
MXPROOF_LANE u16 v_pk_lshrrev_b16(u16 a, u16 b) {
  return static_cast<u16>(b >> (a & 15U));
}
MXPROOF_LANE i16 v_pk_ashrrev_i16(u16 a, i16 b) {
  return static_cast<i16>(b >> (a & 15U));
}
template <bool kHost>
MXPROOF_LANE Half v_pk_add_f16(Half a, Half b) {
  return half_add<kHost>(a, b);
}
template <bool kHost>
MXPROOF_LANE Half v_pk_mul_f16(Half a, Half b) {
  return half_mul<kHost>(a, b);
}
template <bool kHost>
MXPROOF_LANE Half v_pk_fma_f16(Half a, Half b, Half c) {
  return half_fma<kHost>(a, b, c);
}
MXPROOF_LANE Half v_pk_min_f16(Half a, Half b) {
  return half_min(a, b);
}
MXPROOF_LANE Half v_pk_max_f16(Half a, Half b) {
  return half_max(a, b);
}
MXPROOF_LANE Half v_pk_minimum3_f16(Half a, Half b, Half c) {
  return half_minimum(half_minimum(a, b), c);
}
MXPROOF_LANE Half v_pk_maximum3_f16(Half a, Half b, Half c) {
  return half_maximum(half_maximum(a, b), c);
}

template <class T>
HWY_INLINE T half_of(u32 dword, bool high) {
  return std::bit_cast<T>(static_cast<u16>(high ? dword >> 16 : dword));
}

template <auto F>
struct Packed;
template <class R, class... A, R (*F)(A...)>
struct Packed<F> {
  static constexpr OperandType kType = OperandType::pk16;
  static constexpr size_t kCount = sizeof...(A);
  template <size_t... I>
  static HWY_INLINE void each_lane(const std::array<const uint32_t*, 3>& s, uint32_t* d,
                                   std::index_sequence<I...>) {
    const uint32_t* const p[] = {s[I]...};
    MXPROOF_EACH_LANE {
      const u16 low = std::bit_cast<u16>(F(half_of<A>(p[I][lane], false)...));
      const u16 high = std::bit_cast<u16>(F(half_of<A>(p[I][lane], true)...));
      d[lane] = low | u32{high} << 16;
    }
  }
  static void run(const Instruction& inst, Wave& w) {
    std::array<const uint32_t*, 3> s{};
    for (size_t i = 0; i < kCount; ++i) s[i] = fetch(inst, w, static_cast<int>(i));
    uint32_t* d = result_rows(inst, w);
    each_lane(s, d, std::index_sequence_for<A...>());
    commit(inst, w, kType, d);
  }
};
constexpr std::array<OperandType, 4> repeated(OperandType type, size_t count) {
  std::array<OperandType, 4> types{};
  for (size_t i = 0; i < count; ++i) types[i] = type;
  return types;
}
template <auto F>
constexpr Row packed_row(std::string_view name, Builder build = &build_packed) {
  return {name,
          &Packed<F>::run,
          build,
          InstructionClass::vector_alu,
          Packed<F>::kType,
          repeated(Packed<F>::kType, Packed<F>::kCount)};
}

/// Two f16 a dword: each half as the instruction of one f16 does it. Settles: NaN results as float_op makes
/// them.
template <auto F, auto FHost, bool Settles>
void packed_half(const Instruction& inst, Wave& w) {
  using Fn = Function<F>;
  const auto s = Fn::fetch_all(inst, w);
  uint32_t* d = w.result.data();
  alignas(64) std::array<std::array<uint32_t, kLanes>, Fn::kCount> part;
  alignas(64) std::array<std::array<uint32_t, kLanes>, 2> half;
  std::array<const uint32_t*, Fn::kCount> p;
  for (size_t i = 0; i < Fn::kCount; ++i) p[i] = part[i].data();
  for (int k = 0; k < 2; ++k) {
    for (size_t i = 0; i < Fn::kCount; ++i) {
      MXPROOF_EACH_LANE {
        part[i][lane] = (s[i][lane] >> (16 * k)) & 0xffffU;
      }
    }
    if (HWY_LIKELY(w.plain_mode)) {
      Fn::each_lane(p, half[k].data());
    } else {
      special_mode<FHost>(w, p, half[k].data());
    }
    if (Settles && HWY_UNLIKELY(any_nan<Half>(half[k].data())))
      settle_nans(w, OperandType::f16, Fn::kSources, p, half[k].data());
  }
  MXPROOF_EACH_LANE {
    d[lane] = (half[0][lane] & 0xffffU) | half[1][lane] << 16;
  }
  commit(inst, w, OperandType::pkf16, d);
}
template <auto F, auto FHost = F>
constexpr Row packed_half_row(std::string_view name, Builder build = &build_packed) {
  constexpr bool kSettles = F != FHost;
  return {name,
          &packed_half<F, FHost, kSettles>,
          build,
          InstructionClass::vector_alu,
          OperandType::pkf16,
          repeated(OperandType::pkf16, Function<F>::kCount)};
}
#define PACKED(name) (packed_row<&name>(#name))
#define PACKED_CLAMP(name) (packed_row<&name##_clamp>(#name " clamp"))

// ---- Two f32 in a register pair ----

MXPROOF_LANE float v_pk_add_f32(float a, float b) {
  return a + b;
}
MXPROOF_LANE float v_pk_mul_f32(float a, float b) {
  return a * b;
}
MXPROOF_LANE float v_pk_fma_f32(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}

template <auto F>
void packed_f32(const Instruction& inst, Wave& w) {
  using Fn = Function<F>;
  auto s = Fn::fetch_all(inst, w);
  uint32_t* d = w.result.data();
  for (int half = 0; half < 2; ++half) {
    uint32_t* rows = d + half * kLanes;
    if (HWY_LIKELY(w.plain_mode)) {
      Fn::each_lane(s, rows);
    } else {
      special_mode<F>(w, s, rows);
    }
    if (HWY_UNLIKELY(any_nan<float>(rows))) settle_nans(w, OperandType::f32, Fn::kSources, s, rows);
    for (const uint32_t*& source : s) source += kLanes;
  }
  commit(inst, w, OperandType::pkf32, d);
}
template <auto F>
constexpr Row packed_f32_row(std::string_view name) {
  return {name,
          &packed_f32<F>,
          &build_packed,
          InstructionClass::vector_alu,
          OperandType::pkf32,
          repeated(OperandType::pkf32, Function<F>::kCount)};
}

/// Low word from src0, high word from src1, each chosen by its op_sel bit, which decoration has moved to the
/// low word.
void v_pk_mov_b32(const Instruction& inst, Wave& w) {
  const uint32_t* a = fetch(inst, w, 0);
  const uint32_t* b = fetch(inst, w, 1);
  uint32_t* d = w.result.data();
  std::memcpy(d, a, sizeof(u32) * kLanes);
  std::memcpy(d + kLanes, b, sizeof(u32) * kLanes);
  commit(inst, w, OperandType::pkf32, d);
}

// ---- Mixed precision: each source is f32, or a half of an f16 pair ----

enum class MixResult : uint8_t { f32, low, high };

/// inst.extra: bit i says that source i is f16.
template <MixResult To>
void v_fma_mix(const Instruction& inst, Wave& w) {
  alignas(64) std::array<std::array<float, kLanes>, 3> x;
  for (int i = 0; i < 3; ++i) {
    const uint32_t* s = fetch(inst, w, i);
    if (((inst.extra >> i) & 1U) != 0) {
      MXPROOF_EACH_LANE {
        x[i][lane] = half_to_float(static_cast<u16>(s[lane]));
      }
    } else {
      std::memcpy(x[i].data(), s, sizeof x[i]);
    }
  }
  uint32_t* d = w.result.data();
  {
    const HostRounding rounding(w.mode & kModeRound32);
    MXPROOF_EACH_LANE {
      d[lane] = std::bit_cast<u32>(__builtin_fmaf(x[0][lane], x[1][lane], x[2][lane]));
    }
  }
  if (any_nan<float>(d)) {
    const std::array<const uint32_t*, 3> sources = {reinterpret_cast<const uint32_t*>(x[0].data()),
                                                    reinterpret_cast<const uint32_t*>(x[1].data()),
                                                    reinterpret_cast<const uint32_t*>(x[2].data())};
    settle_nans(w, OperandType::f32, {OperandType::f32, OperandType::f32, OperandType::f32}, sources, d);
  }
  if constexpr (To != MixResult::f32) {
    const uint32_t* old = w.row(inst.dst);
    const u32 direction = (w.mode & kModeRound64) >> 2;
    const HostRounding rounding(direction);
    MXPROOF_EACH_LANE {
      const float value = std::bit_cast<float>(d[lane]);
      const u32 half = direction == 0 ? float_to_half(value) : half_as_host_rounds(value);
      d[lane] = To == MixResult::low ? (old[lane] & 0xffff0000U) | half : (old[lane] & 0xffffU) | half << 16;
    }
  }
  commit(inst, w, OperandType::f32, d);
}

Status build_mix(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 4); !s.ok()) return s;
  if (Status s = build_destination(context, 0, 1, instruction); !s.ok()) return s;
  instruction.extra = 0;
  for (size_t i = 0; i < 3; ++i) {
    const bool is_half = context.text.item("op_sel_hi", i, 0) != 0;
    const OperandType type = is_half ? OperandType::f16 : OperandType::f32;
    Source& source = instruction.src[i];
    if (Status s = build_source(context, context.text.operands[i + 1], type, source); !s.ok()) return s;
    if (is_half) instruction.extra |= 1U << i;
    if (!is_half || context.text.item("op_sel", i, 0) == 0) continue;
    SourceDecoration decoration;
    if (source.decoration != nullptr) decoration = *source.decoration;
    decoration.part = Part::word1;
    decoration.sign_bit = 15;
    source.decoration = context.arena.keep(decoration);
    source.direct = false;
  }
  if (context.text.has("clamp")) {
    ResultDecoration decoration;
    decoration.clamp = true;
    instruction.result = context.arena.keep(decoration);
    instruction.plain = false;
  }
  return {};
}
constexpr Row mix_row(std::string_view name, Handler run) {
  return {name, run, &build_mix, InstructionClass::vector_alu, OperandType::f32};
}

constexpr Row kRows[] = {
    PACKED(v_pk_add_u16),
    PACKED(v_pk_sub_u16),
    PACKED_CLAMP(v_pk_add_u16),
    PACKED_CLAMP(v_pk_sub_u16),
    packed_row<&v_pk_add_u16>("v_pk_add_i16"),
    packed_row<&v_pk_sub_u16>("v_pk_sub_i16"),
    PACKED_CLAMP(v_pk_add_i16),
    PACKED_CLAMP(v_pk_sub_i16),
    PACKED(v_pk_mul_lo_u16),
    PACKED(v_pk_mad_u16),
    packed_row<&v_pk_mad_u16>("v_pk_mad_i16"),
    PACKED_CLAMP(v_pk_mad_u16),
    PACKED_CLAMP(v_pk_mad_i16),
    PACKED(v_pk_min_u16),
    PACKED(v_pk_max_u16),
    PACKED(v_pk_min_i16),
    PACKED(v_pk_max_i16),
    PACKED(v_pk_lshlrev_b16),
    PACKED(v_pk_lshrrev_b16),
    PACKED(v_pk_ashrrev_i16),
    packed_half_row<&v_pk_add_f16<false>, &v_pk_add_f16<true>>("v_pk_add_f16"),
    packed_half_row<&v_pk_mul_f16<false>, &v_pk_mul_f16<true>>("v_pk_mul_f16"),
    packed_half_row<&v_pk_fma_f16<false>, &v_pk_fma_f16<true>>("v_pk_fma_f16"),
    packed_half_row<&v_pk_fma_f16<false>, &v_pk_fma_f16<true>>("v_pk_fmac_f16", &build_vector_accumulate),
    packed_half_row<&v_pk_min_f16>("v_pk_min_f16"),
    packed_half_row<&v_pk_max_f16>("v_pk_max_f16"),
    packed_half_row<&v_pk_minimum3_f16>("v_pk_minimum3_f16"),
    packed_half_row<&v_pk_maximum3_f16>("v_pk_maximum3_f16"),
    packed_f32_row<&v_pk_add_f32>("v_pk_add_f32"),
    packed_f32_row<&v_pk_mul_f32>("v_pk_mul_f32"),
    packed_f32_row<&v_pk_fma_f32>("v_pk_fma_f32"),
    {"v_pk_mov_b32",
     &v_pk_mov_b32,
     &build_packed,
     InstructionClass::vector_alu,
     OperandType::pkf32,
     {OperandType::pkf32, OperandType::pkf32}},
    mix_row("v_fma_mix_f32", &v_fma_mix<MixResult::f32>),
    mix_row("v_fma_mixlo_f16", &v_fma_mix<MixResult::low>),
    mix_row("v_fma_mixhi_f16", &v_fma_mix<MixResult::high>),
};

}  // namespace

std::span<const Row> vector_packed_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_packed_rows);
std::span<const Row> vector_packed_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_packed_rows)();
}
}  // namespace mxproof::emulator
#endif
