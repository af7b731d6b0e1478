// How one small function a lane becomes a 64-lane instruction: fetching sources, decorating them, looping
// over lanes, committing under EXEC. Included once per host SIMD level (Highway's foreach_target).
#if defined(MXPROOF_EMULATOR_ISA_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MXPROOF_EMULATOR_ISA_LANES_INL_HPP
#undef MXPROOF_EMULATOR_ISA_LANES_INL_HPP
#else
#define MXPROOF_EMULATOR_ISA_LANES_INL_HPP
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "emulator/isa/build.hpp"
#include "emulator/isa/float16.hpp"
#include "emulator/isa/instruction.hpp"
#include "emulator/machine/wave.hpp"

/// An instruction's arithmetic on one lane.
#define MXPROOF_LANE static HWY_INLINE

/// Loops over the lanes, `lane` counting them. They never depend on each other: a destination row is a source
/// row, or another one, never a shifted one.
#define MXPROOF_EACH_LANE \
  _Pragma("clang loop vectorize(assume_safety) interleave(disable)") for (int lane = 0; lane < kLanes; ++lane)

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// ---- Operand types: how a lane's value lies in rows of dwords ----

template <class T>
struct LaneType;

template <class T>
  requires(sizeof(T) == 4)
struct LaneType<T> {
  static constexpr OperandType kType = std::is_same_v<T, float> ? OperandType::f32 : OperandType::b32;
  static constexpr int kRows = 1;
  static HWY_INLINE T load(const uint32_t* row, int lane) { return std::bit_cast<T>(row[lane]); }
  static HWY_INLINE void store(uint32_t* row, int lane, T value) {
    row[lane] = std::bit_cast<uint32_t>(value);
  }
};

template <class T>
  requires(sizeof(T) == 2)
struct LaneType<T> {
  static constexpr OperandType kType = std::is_same_v<T, Half> ? OperandType::f16 : OperandType::b16;
  static constexpr int kRows = 1;
  static HWY_INLINE T load(const uint32_t* row, int lane) {
    return std::bit_cast<T>(static_cast<uint16_t>(row[lane]));
  }
  static HWY_INLINE void store(uint32_t* row, int lane, T value) {
    row[lane] = std::bit_cast<uint16_t>(value);
  }
};

template <class T>
  requires(sizeof(T) == 8)
struct LaneType<T> {
  static constexpr OperandType kType = std::is_same_v<T, double> ? OperandType::f64 : OperandType::b64;
  static constexpr int kRows = 2;
  static HWY_INLINE T load(const uint32_t* row, int lane) {
    return std::bit_cast<T>(row[lane] | uint64_t{row[lane + kLanes]} << 32);
  }
  static HWY_INLINE void store(uint32_t* row, int lane, T value) {
    const auto bits = std::bit_cast<uint64_t>(value);
    row[lane] = static_cast<uint32_t>(bits);
    row[lane + kLanes] = static_cast<uint32_t>(bits >> 32);
  }
};

// ---- Masks: bit i of a 64-bit word belongs to lane i ----

/// 0 or ~0 a lane.
HWY_INLINE void spread_mask(uint64_t mask, uint32_t* HWY_RESTRICT row) {
  MXPROOF_EACH_LANE {
    row[lane] = 0U - static_cast<uint32_t>((mask >> lane) & 1U);
  }
}

/// The lanes whose value is not 0.
HWY_INLINE uint64_t gather_mask(const uint32_t* HWY_RESTRICT row) {
  const hn::CappedTag<uint32_t, 16> d;
  constexpr int kStep = static_cast<int>(HWY_MIN(HWY_LANES(uint32_t), 16));
  uint64_t mask = 0;
  for (int lane = 0; lane < kLanes; lane += kStep) {
    uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Ne(hn::Load(d, row + lane), hn::Zero(d)), bits);
    uint16_t part;
    std::memcpy(&part, bits, sizeof part);
    mask |= uint64_t{part} << lane;
  }
  return mask;
}

/// to[lane] = from[lane] where mask has the lane.
HWY_INLINE void blend_row(uint32_t* HWY_RESTRICT to, const uint32_t* HWY_RESTRICT from, uint64_t mask) {
  const hn::CappedTag<uint32_t, 16> d;
  constexpr int kStep = static_cast<int>(HWY_MIN(HWY_LANES(uint32_t), 16));
  for (int lane = 0; lane < kLanes; lane += kStep) {
    const auto bits = static_cast<uint16_t>(mask >> lane);
    uint8_t bytes[8] = {};
    std::memcpy(bytes, &bits, sizeof bits);
    hn::Store(hn::IfThenElse(hn::LoadMaskBits(d, bytes), hn::Load(d, from + lane), hn::Load(d, to + lane)), d,
              to + lane);
  }
}

// ---- Sources ----

HWY_INLINE void broadcast_row(uint32_t value, uint32_t* HWY_RESTRICT row) {
  MXPROOF_EACH_LANE {
    row[lane] = value;
  }
}

HWY_NOINLINE inline void permute_rows(const Instruction& inst, Wave& w, const uint32_t* from, int rows,
                                      uint32_t* to) {
  const Dpp& dpp = *inst.dpp;
  const uint64_t exec = w.exec();
  uint64_t writable = dpp.enabled;
  for (int lane = 0; lane < kLanes; ++lane) {
    const int source = dpp.source[lane];
    const bool valid = source >= 0 && ((exec >> source) & 1U) != 0;
    for (int row = 0; row < rows; ++row) {
      to[row * kLanes + lane] = valid ? from[row * kLanes + source] : 0;
    }
    if (!valid && !dpp.zero_invalid) writable &= ~(uint64_t{1} << lane);
  }
  w.write_mask = writable;
}

HWY_INLINE void select_part(const SourceDecoration& decoration, uint32_t* row) {
  const auto part = static_cast<int>(decoration.part);
  const bool byte = part <= static_cast<int>(Part::byte3);
  const int shift =
      byte ? (part - static_cast<int>(Part::byte0)) * 8 : (part - static_cast<int>(Part::word0)) * 16;
  const int up = byte ? 24 : 16;
  if (decoration.sign_extend) {
    MXPROOF_EACH_LANE {
      row[lane] = static_cast<uint32_t>(static_cast<int32_t>((row[lane] >> shift) << up) >> up);
    }
  } else {
    MXPROOF_EACH_LANE {
      row[lane] = ((row[lane] >> shift) << up) >> up;
    }
  }
}

HWY_INLINE void apply_packed(const SourceDecoration& decoration, int rows, uint32_t* row) {
  if (rows == 2) {  // two f32
    MXPROOF_EACH_LANE {
      const uint32_t low = row[lane];
      const uint32_t high = row[lane + kLanes];
      row[lane] = (decoration.low_from_high ? high : low) ^ ((decoration.flip & 1U) << 31);
      row[lane + kLanes] = (decoration.high_from_high ? high : low) ^ ((decoration.flip & 2U) << 30);
    }
    return;
  }
  const int low_shift = decoration.low_from_high ? 16 : 0;
  const int high_shift = decoration.high_from_high ? 16 : 0;
  MXPROOF_EACH_LANE {
    const uint32_t value = row[lane];
    row[lane] = (((value >> low_shift) & 0xffffU) | ((value >> high_shift) << 16)) ^ decoration.flip;
  }
}

HWY_NOINLINE inline const uint32_t* materialise(const Instruction& inst, Wave& w, int slot) {
  const Source& source = inst.src[slot];
  uint32_t* row = w.operand[slot].data();
  const int rows = source.rows;
  if (source.kind == SourceKind::scalar) {
    if (rows == 1) {
      broadcast_row(read_scalar32(w, source), row);
    } else {
      const uint64_t value = read_scalar64(w, source);
      broadcast_row(static_cast<uint32_t>(value), row);
      broadcast_row(static_cast<uint32_t>(value >> 32), row + kLanes);
    }
    if (source.decoration == nullptr) return row;
  } else {
    const uint32_t* from = source.kind == SourceKind::constant ? source.constant : w.row(source.reg);
    if (source.decoration->dpp) {
      permute_rows(inst, w, from, rows, row);
    } else {
      std::memcpy(row, from, sizeof(uint32_t) * kLanes * static_cast<size_t>(rows));
    }
  }
  const SourceDecoration& decoration = *source.decoration;
  if (decoration.packed) {
    apply_packed(decoration, rows, row);
    return row;
  }
  if (decoration.part != Part::dword) select_part(decoration, row);
  uint32_t* top = decoration.sign_bit == 63 ? row + kLanes : row;
  const uint32_t sign = 1U << (decoration.sign_bit & 31);
  if (decoration.absolute) {
    MXPROOF_EACH_LANE {
      top[lane] &= ~sign;
    }
  }
  if (decoration.negate) {
    MXPROOF_EACH_LANE {
      top[lane] ^= sign;
    }
  }
  return row;
}

/// The rows of source `slot`, decorated.
HWY_INLINE const uint32_t* fetch(const Instruction& inst, Wave& w, int slot) {
  const Source& source = inst.src[slot];
  if (source.direct) return source.kind == SourceKind::vector ? w.row(source.reg) : source.constant;
  return materialise(inst, w, slot);
}

// ---- Results ----

/// Where to compute to: the destination itself when every lane is written as it is.
HWY_INLINE uint32_t* result_rows(const Instruction& inst, Wave& w) {
  return inst.plain && w.exec() == kAllLanes ? w.row(inst.dst) : w.result.data();
}

void decorate_rows(const Instruction& inst, Wave& w, OperandType type, uint32_t* rows);

/// Commits what was computed to `rows`, as result_rows gave it.
HWY_INLINE void commit(const Instruction& inst, Wave& w, OperandType type, uint32_t* rows) {
  if (rows != w.result.data()) return;
  if (inst.result != nullptr) decorate_rows(inst, w, type, rows);
  const uint64_t mask = inst.dpp != nullptr ? w.exec() & w.write_mask : w.exec();
  if (HWY_LIKELY(mask == kAllLanes)) {
    std::memcpy(w.row(inst.dst), rows, sizeof(uint32_t) * kLanes * inst.dst_rows);
    return;
  }
  for (int row = 0; row < inst.dst_rows; ++row) {
    blend_row(w.row(inst.dst) + row * kLanes, rows + row * kLanes, mask);
  }
}

// ---- Instructions from functions ----

template <auto F>
struct Function;

template <class R, class... A, R (*F)(A...)>
struct Function<F> {
  using Result = R;
  static constexpr OperandType kResult = LaneType<R>::kType;
  static constexpr int kRows = LaneType<R>::kRows;
  static constexpr std::array<OperandType, 4> kSources = {LaneType<A>::kType...};
  static constexpr size_t kCount = sizeof...(A);

  static HWY_INLINE void each_lane(const std::array<const uint32_t*, kCount>& s, uint32_t* d) {
    each_lane(s, d, std::index_sequence_for<A...>());
  }
  template <size_t... I>
  static HWY_INLINE void each_lane(const std::array<const uint32_t*, kCount>& s, uint32_t* d,
                                   std::index_sequence<I...>) {
    const uint32_t* const p[] = {s[I]...};
    MXPROOF_EACH_LANE {
      LaneType<R>::store(d, lane, F(LaneType<A>::load(p[I], lane)...));
    }
  }

  static HWY_INLINE std::array<const uint32_t*, kCount> fetch_all(const Instruction& inst, Wave& w) {
    std::array<const uint32_t*, kCount> s;
    for (size_t i = 0; i < kCount; ++i) s[i] = fetch(inst, w, static_cast<int>(i));
    return s;
  }
};

/// A vector instruction without rounding: F on every lane.
template <auto F>
void vector_op(const Instruction& inst, Wave& w) {
  using Fn = Function<F>;
  const auto s = Fn::fetch_all(inst, w);
  uint32_t* d = result_rows(inst, w);
  Fn::each_lane(s, d);
  commit(inst, w, Fn::kResult, d);
}

template <auto F>
constexpr Row vector_row(std::string_view name, uint32_t extra = 0) {
  return {name,
          &vector_op<F>,
          &build_vector,
          InstructionClass::vector_alu,
          Function<F>::kResult,
          Function<F>::kSources,
          extra};
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#define MXPROOF_ROW(name) vector_row<&name>(#name)
#endif
