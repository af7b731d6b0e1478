// VOPC: comparisons, one result bit a lane. v_cmpx forms write EXEC as well.
// Source of the operations: AMD CDNA3 ISA reference guide, chapter "Instructions", VOPC.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_compare.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/lanes-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

template <class T>
HWY_INLINE auto arithmetic(T value) {
  if constexpr (std::is_same_v<T, Half>) {
    return half_to_float(value.bits);
  } else {
    return value;
  }
}

// The sixteen floating-point predicates are the subsets of {less, equal, greater, unordered}; the eight
// integer ones are the subsets of {less, equal, greater}.
constexpr int kLess = 1;
constexpr int kEqual = 2;
constexpr int kGreater = 4;
constexpr int kUnordered = 8;

template <class T, int Accept>
MXPROOF_LANE bool accepts(T a, T b) {
  const auto x = arithmetic(a);
  const auto y = arithmetic(b);
  return (((Accept & kLess) != 0) & (x < y)) | (((Accept & kEqual) != 0) & (x == y)) |
         (((Accept & kGreater) != 0) & (x > y)) | (((Accept & kUnordered) != 0) & ((x != x) | (y != y)));
}

/// Bits of `classes`: 0 signalling NaN, 1 quiet NaN, 2 -Inf, 3 -normal, 4 -subnormal, 5 -0, 6 +0, 7
/// +subnormal, 8 +normal, 9 +Inf.
template <class U, int FractionBits>
HWY_INLINE bool in_class(U bits, uint32_t classes) {
  constexpr int kBits = sizeof(U) * 8;
  constexpr U kSign = static_cast<U>(U{1} << (kBits - 1));
  constexpr U kInf = static_cast<U>(static_cast<U>(kSign - 1) >> FractionBits << FractionBits);
  constexpr U kQuiet = static_cast<U>(U{1} << (FractionBits - 1));
  constexpr U kSmallestNormal = static_cast<U>(U{1} << FractionBits);
  const bool negative = (bits & kSign) != 0;
  const U magnitude = static_cast<U>(bits & static_cast<U>(~kSign));
  const uint32_t positive_class = magnitude == 0                ? 6U
                                  : magnitude < kSmallestNormal ? 7U
                                  : magnitude < kInf            ? 8U
                                                                : 9U;
  const uint32_t index = magnitude > kInf ? ((magnitude & kQuiet) != 0 ? 1U : 0U)
                         : negative       ? 11U - positive_class
                                          : positive_class;
  return ((classes >> index) & 1U) != 0;
}
MXPROOF_LANE bool class_f16(uint16_t a, uint32_t classes) {
  return in_class<uint16_t, 10>(a, classes);
}
MXPROOF_LANE bool class_f32(uint32_t a, uint32_t classes) {
  return in_class<uint32_t, 23>(a, classes);
}
MXPROOF_LANE bool class_f64(uint64_t a, uint32_t classes) {
  return in_class<uint64_t, 52>(a, classes);
}

template <auto F>
struct Predicate;
template <class A, class B, bool (*F)(A, B)>
struct Predicate<F> {
  static constexpr std::array<OperandType, 4> kSources = {LaneType<A>::kType, LaneType<B>::kType};
  template <bool WriteExec>
  static void run(const Instruction& inst, Wave& w) {
    const uint32_t* a = fetch(inst, w, 0);
    const uint32_t* b = fetch(inst, w, 1);
    alignas(64) uint32_t out[kLanes];
    MXPROOF_EACH_LANE {
      out[lane] = F(LaneType<A>::load(a, lane), LaneType<B>::load(b, lane)) ? ~0U : 0U;
    }
    const uint64_t mask = gather_mask(out) & w.exec();
    w.set_scalar64(inst.dst, mask);
    if (WriteExec) w.set_exec(mask);
  }
};

template <auto F>
constexpr Row compare_row(std::string_view name, OperandType type) {
  std::array<OperandType, 4> sources = Predicate<F>::kSources;
  sources[0] = type;
  if (sources[1] == Predicate<F>::kSources[0]) sources[1] = type;
  return {name,
          &Predicate<F>::template run<false>,
          &build_compare,
          InstructionClass::vector_alu,
          OperandType::none,
          sources};
}
template <auto F>
constexpr Row compare_exec_row(std::string_view name, OperandType type) {
  Row row = compare_row<F>(name, type);
  row.run = &Predicate<F>::template run<true>;
  return row;
}

#define BOTH(name, function, type) \
  compare_row<function>("v_cmp_" name, type), compare_exec_row<function>("v_cmpx_" name, type)
#define INTEGER_ROWS(suffix, T, type)                                                        \
  BOTH("f_" suffix, (&accepts<T, 0>), type), BOTH("lt_" suffix, (&accepts<T, kLess>), type), \
      BOTH("eq_" suffix, (&accepts<T, kEqual>), type),                                       \
      BOTH("le_" suffix, (&accepts<T, kLess | kEqual>), type),                               \
      BOTH("gt_" suffix, (&accepts<T, kGreater>), type),                                     \
      BOTH("ne_" suffix, (&accepts<T, kLess | kGreater>), type),                             \
      BOTH("ge_" suffix, (&accepts<T, kGreater | kEqual>), type),                            \
      BOTH("t_" suffix, (&accepts<T, kLess | kEqual | kGreater>), type)
#define FLOAT_ROWS(suffix, T, type)                                                          \
  BOTH("f_" suffix, (&accepts<T, 0>), type), BOTH("lt_" suffix, (&accepts<T, kLess>), type), \
      BOTH("eq_" suffix, (&accepts<T, kEqual>), type),                                       \
      BOTH("le_" suffix, (&accepts<T, kLess | kEqual>), type),                               \
      BOTH("gt_" suffix, (&accepts<T, kGreater>), type),                                     \
      BOTH("lg_" suffix, (&accepts<T, kLess | kGreater>), type),                             \
      BOTH("ge_" suffix, (&accepts<T, kGreater | kEqual>), type),                            \
      BOTH("o_" suffix, (&accepts<T, kLess | kEqual | kGreater>), type),                     \
      BOTH("u_" suffix, (&accepts<T, kUnordered>), type),                                    \
      BOTH("nge_" suffix, (&accepts<T, kUnordered | kLess>), type),                          \
      BOTH("nlg_" suffix, (&accepts<T, kUnordered | kEqual>), type),                         \
      BOTH("ngt_" suffix, (&accepts<T, kUnordered | kLess | kEqual>), type),                 \
      BOTH("nle_" suffix, (&accepts<T, kUnordered | kGreater>), type),                       \
      BOTH("neq_" suffix, (&accepts<T, kUnordered | kLess | kGreater>), type),               \
      BOTH("nlt_" suffix, (&accepts<T, kUnordered | kGreater | kEqual>), type),              \
      BOTH("tru_" suffix, (&accepts<T, kUnordered | kLess | kEqual | kGreater>), type)

constexpr Row kRows[] = {
    INTEGER_ROWS("i16", int16_t, OperandType::b16),  INTEGER_ROWS("u16", uint16_t, OperandType::b16),
    INTEGER_ROWS("i32", int32_t, OperandType::b32),  INTEGER_ROWS("u32", uint32_t, OperandType::b32),
    INTEGER_ROWS("i64", int64_t, OperandType::b64),  INTEGER_ROWS("u64", uint64_t, OperandType::b64),
    FLOAT_ROWS("f16", Half, OperandType::f16),       FLOAT_ROWS("f32", float, OperandType::f32),
    FLOAT_ROWS("f64", double, OperandType::f64),     BOTH("class_f16", &class_f16, OperandType::f16),
    BOTH("class_f32", &class_f32, OperandType::f32), BOTH("class_f64", &class_f64, OperandType::f64),
};

}  // namespace

std::span<const Row> vector_compare_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_compare_rows);
std::span<const Row> vector_compare_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_compare_rows)();
}
}  // namespace mxproof::emulator
#endif
