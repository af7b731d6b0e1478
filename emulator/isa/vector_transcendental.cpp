// Reciprocals, roots, exponentials, logarithms, sines. The chip is within about one ulp and flushes
// subnormals; no public source gives its exact bits, so what is returned here is a named switch
// (settings.hpp). Source of the operations: AMD CDNA3 ISA reference guide, chapter "Instructions", VOP1.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_transcendental.cpp"
#include <hwy/foreach_target.h>
//
#include <cmath>
#include <limits>

#include "emulator/isa/float_lanes-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

enum class Kind : uint8_t { rcp, rsq, sqrt, exp, log, sin, cos };

constexpr double kTwoPi = 6.283185307179586476925286766559;

/// sin(2 pi a) and cos(2 pi a), the turn reduced exactly first.
double sine_of_turns(double a) {
  return std::sin(kTwoPi * (a - std::nearbyint(a)));
}
double cosine_of_turns(double a) {
  return std::cos(kTwoPi * (a - std::nearbyint(a)));
}

double evaluate(Kind kind, double a) {
  switch (kind) {
    case Kind::rcp:
      return 1.0 / a;
    case Kind::rsq:
      return 1.0 / std::sqrt(a);
    case Kind::sqrt:
      return std::sqrt(a);
    case Kind::exp:
      return std::exp2(a);
    case Kind::log:
      return std::log2(a);
    case Kind::sin:
      return std::isinf(a) ? std::numeric_limits<double>::quiet_NaN() : sine_of_turns(a);
    case Kind::cos:
      return std::isinf(a) ? std::numeric_limits<double>::quiet_NaN() : cosine_of_turns(a);
  }
  return 0;
}

float flushed(float a) {
  return std::fabs(a) < 0x1p-126F ? std::copysign(0.0F, a) : a;
}

template <class T>
void settle(const Instruction& inst, Wave& w, const uint32_t* s, uint32_t* d) {
  const std::array<const uint32_t*, 1> sources = {s};
  constexpr OperandType kType = LaneType<T>::kType;
  if (any_nan<T>(d)) settle_nans(w, kType, std::array<OperandType, 4>{kType}, sources, d);
  commit(inst, w, kType, d);
}

template <Kind K>
void transcendental_f32(const Instruction& inst, Wave& w) {
  const uint32_t* s = fetch(inst, w, 0);
  uint32_t* d = w.result.data();
  const bool below = w.settings.transcendentals == Transcendentals::ulp_below;
  for (int lane = 0; lane < kLanes; ++lane) {
    float value = flushed(static_cast<float>(evaluate(K, flushed(LaneType<float>::load(s, lane)))));
    if (below && std::isfinite(value) && value != 0) value = std::nextafter(value, 0.0F);
    LaneType<float>::store(d, lane, value);
  }
  settle<float>(inst, w, s, d);
}
template <Kind K>
void transcendental_f16(const Instruction& inst, Wave& w) {
  const uint32_t* s = fetch(inst, w, 0);
  uint32_t* d = w.result.data();
  for (int lane = 0; lane < kLanes; ++lane) {
    const double value = evaluate(K, half_to_float(static_cast<uint16_t>(s[lane])));
    d[lane] = double_to_half(value);
  }
  settle<Half>(inst, w, s, d);
}
template <Kind K>
void transcendental_f64(const Instruction& inst, Wave& w) {
  const uint32_t* s = fetch(inst, w, 0);
  uint32_t* d = w.result.data();
  for (int lane = 0; lane < kLanes; ++lane) {
    LaneType<double>::store(d, lane, evaluate(K, LaneType<double>::load(s, lane)));
  }
  settle<double>(inst, w, s, d);
}

constexpr InstructionClass kClass = InstructionClass::vector_alu;
template <Kind K>
constexpr Row row32(std::string_view name) {
  return {name, &transcendental_f32<K>, &build_vector, kClass, OperandType::f32, {OperandType::f32}};
}
template <Kind K>
constexpr Row row16(std::string_view name) {
  return {name, &transcendental_f16<K>, &build_vector, kClass, OperandType::f16, {OperandType::f16}};
}
template <Kind K>
constexpr Row row64(std::string_view name) {
  return {name, &transcendental_f64<K>, &build_vector, kClass, OperandType::f64, {OperandType::f64}};
}

constexpr Row kRows[] = {
    row32<Kind::rcp>("v_rcp_f32"),   row32<Kind::rcp>("v_rcp_iflag_f32"),
    row32<Kind::rsq>("v_rsq_f32"),   row32<Kind::sqrt>("v_sqrt_f32"),
    row32<Kind::exp>("v_exp_f32"),   row32<Kind::exp>("v_exp_legacy_f32"),
    row32<Kind::log>("v_log_f32"),   row32<Kind::log>("v_log_legacy_f32"),
    row32<Kind::sin>("v_sin_f32"),   row32<Kind::cos>("v_cos_f32"),
    row16<Kind::rcp>("v_rcp_f16"),   row16<Kind::rsq>("v_rsq_f16"),
    row16<Kind::sqrt>("v_sqrt_f16"), row16<Kind::exp>("v_exp_f16"),
    row16<Kind::log>("v_log_f16"),   row16<Kind::sin>("v_sin_f16"),
    row16<Kind::cos>("v_cos_f16"),   row64<Kind::rcp>("v_rcp_f64"),
    row64<Kind::rsq>("v_rsq_f64"),   row64<Kind::sqrt>("v_sqrt_f64"),
};

}  // namespace

std::span<const Row> vector_transcendental_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_transcendental_rows);
std::span<const Row> vector_transcendental_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_transcendental_rows)();
}
}  // namespace mxproof::emulator
#endif
