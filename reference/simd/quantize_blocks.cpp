#include "reference/simd/quantize_blocks.hpp"

#include <bit>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "common/format/e8m0.hpp"
#include "common/shape.hpp"
#include "reference/quantize.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/simd/quantize_blocks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mxproof::reference::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Codes of the 32 elements of a block, one a byte.
template <class Bits>
HWY_INLINE void block_codes(const Bits* HWY_RESTRICT values, const CodeThresholds<Bits>& thresholds,
                            bool keep_zero_sign, uint8_t* HWY_RESTRICT codes) {
  const hn::CappedTag<Bits, 32> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const auto magnitude_mask = hn::Set(d, static_cast<Bits>(~(Bits{1} << (8 * sizeof(Bits) - 1))));
  const auto sign_code = hn::Set(d, Bits{8});
  const auto zero_sign = hn::Set(d, static_cast<Bits>(keep_zero_sign ? -1 : 0));
  for (size_t i = 0; i < 32; i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, values + i);
    const auto magnitude = hn::And(x, magnitude_mask);
    auto code = hn::Zero(d);
    for (const Bits threshold : thresholds) {
      // A true mask is -1.
      code = hn::Sub(code, hn::VecFromMask(d, hn::Gt(magnitude, hn::Set(d, threshold))));
    }
    const auto signs = hn::BitCast(d, hn::ShiftRight<8 * sizeof(Bits) - 4>(hn::BitCast(du, x)));
    const auto kept = hn::Or(zero_sign, hn::VecFromMask(d, hn::Gt(code, hn::Zero(d))));
    code = hn::Or(code, hn::And(hn::And(signs, sign_code), kept));
    hn::StoreU(hn::DemoteTo(d8, code), d8, codes + i);
  }
}

/// Bits of the largest magnitude of a block.
template <class Bits>
HWY_INLINE Bits block_maximum(const Bits* HWY_RESTRICT values) {
  const hn::CappedTag<Bits, 32> d;
  const auto magnitude_mask = hn::Set(d, static_cast<Bits>(~(Bits{1} << (8 * sizeof(Bits) - 1))));
  auto largest = hn::Zero(d);
  for (size_t i = 0; i < 32; i += hn::Lanes(d)) {
    largest = hn::Max(largest, hn::And(hn::LoadU(d, values + i), magnitude_mask));
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

/// 32 codes, one a byte, to 16 bytes with the even element low.
HWY_INLINE void pack_block(const uint8_t* HWY_RESTRICT codes, uint8_t* HWY_RESTRICT packed) {
  for (int i = 0; i < 4; ++i) {
    uint64_t x;
    std::memcpy(&x, codes + 8 * i, sizeof(x));
    x = (x | x >> 4) & 0x00ff00ff00ff00ffu;
    x = (x | x >> 8) & 0x0000ffff0000ffffu;
    const auto four = static_cast<uint32_t>(x | x >> 16);
    std::memcpy(packed + 4 * i, &four, sizeof(four));
  }
}

template <class T, class Bits>
void quantize_typed(const T* values, int64_t blocks, const QuantPolicy& policy, Bits infinity,
                    const std::vector<CodeThresholds<Bits>>& thresholds, uint8_t* codes, uint8_t* scales) {
  const bool keep_zero_sign = policy.zero_sign == ZeroSign::kept;
  alignas(64) Bits bits[32];
  alignas(64) uint8_t unpacked[32];
  for (int64_t b = 0; b < blocks; ++b) {
    std::memcpy(bits, values + b * kBlock, sizeof(bits));
    const Bits largest = block_maximum(bits);
    if (largest == 0 || largest >= infinity) {
      float wide[32];
      for (int i = 0; i < 32; ++i) {
        if constexpr (std::is_same_v<T, float>) {
          wide[i] = values[b * kBlock + i];
        } else {
          wide[i] = values[b * kBlock + i].to_float();
        }
      }
      scales[b] = quantize_block(wide, policy, codes + b * 16);
      continue;
    }
    const auto maximum = std::bit_cast<T>(largest);
    float amax;
    if constexpr (std::is_same_v<T, float>) {
      amax = maximum;
    } else {
      amax = maximum.to_float();
    }
    scales[b] = scale_byte(amax > policy.amax_seed ? amax : policy.amax_seed, policy);
    if (e8m0_is_nan(scales[b])) {
      std::memset(codes + b * 16, 0, 16);
      continue;
    }
    block_codes(bits, thresholds[scales[b]], keep_zero_sign, unpacked);
    pack_block(unpacked, codes + b * 16);
  }
}

void quantize_bf16(const Bf16* values, int64_t blocks, const QuantPolicy& policy,
                   const std::vector<CodeThresholds<int16_t>>& thresholds, uint8_t* codes, uint8_t* scales) {
  quantize_typed<Bf16, int16_t>(values, blocks, policy, 0x7f80, thresholds, codes, scales);
}
void quantize_f16(const Half* values, int64_t blocks, const QuantPolicy& policy,
                  const std::vector<CodeThresholds<int16_t>>& thresholds, uint8_t* codes, uint8_t* scales) {
  quantize_typed<Half, int16_t>(values, blocks, policy, 0x7c00, thresholds, codes, scales);
}
void quantize_f32(const float* values, int64_t blocks, const QuantPolicy& policy,
                  const std::vector<CodeThresholds<int32_t>>& thresholds, uint8_t* codes, uint8_t* scales) {
  quantize_typed<float, int32_t>(values, blocks, policy, 0x7f800000, thresholds, codes, scales);
}

void element_codes_f32(const float* values, int64_t count, const CodeThresholds<int32_t>& thresholds,
                       uint8_t* codes) {
  alignas(64) int32_t bits[32];
  for (int64_t i = 0; i < count; i += 32) {
    std::memcpy(bits, values + i, sizeof(bits));
    block_codes(bits, thresholds, true, codes + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace mxproof::reference::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::reference::simd {
namespace {

HWY_EXPORT(quantize_bf16);
HWY_EXPORT(quantize_f16);
HWY_EXPORT(quantize_f32);
HWY_EXPORT(element_codes_f32);

template <class T>
struct TypeOf;
template <>
struct TypeOf<Bf16> {
  using Bits = int16_t;
  static constexpr Bits kInfinity = 0x7f80;
  static float value(Bits bits) { return Bf16{static_cast<uint16_t>(bits)}.to_float(); }
};
template <>
struct TypeOf<Half> {
  using Bits = int16_t;
  static constexpr Bits kInfinity = 0x7c00;
  static float value(Bits bits) { return Half{static_cast<uint16_t>(bits)}.to_float(); }
};
template <>
struct TypeOf<float> {
  using Bits = int32_t;
  static constexpr Bits kInfinity = 0x7f800000;
  static float value(Bits bits) { return std::bit_cast<float>(bits); }
};

template <class T>
auto find_thresholds(TieRule tie) {
  using Type = TypeOf<T>;
  using Bits = typename Type::Bits;
  std::vector<CodeThresholds<Bits>> table(255);
  for (int byte = 0; byte < 255; ++byte) {
    for (int code = 1; code <= 7; ++code) {
      // Codes rise with the magnitude and Inf has the largest, so the first pattern with `code` is found by
      // halving.
      Bits below = -1;
      Bits from = Type::kInfinity;
      while (from - below > 1) {
        const auto middle = static_cast<Bits>(below + (from - below) / 2);
        (element_code(Type::value(middle), e8m0_exponent(static_cast<uint8_t>(byte)), tie) >= code ? from
                                                                                                   : below) =
            middle;
      }
      table[static_cast<size_t>(byte)][static_cast<size_t>(code - 1)] = below;
    }
  }
  return table;
}

/// One table per tie rule and type, made when first needed.
template <class T>
const auto& thresholds_of(TieRule tie) {
  using Table = decltype(find_thresholds<T>(tie));
  static const auto kTables = [] {
    struct Tables {
      std::array<Table, 6> table;
      std::array<std::once_flag, 6> made;
    };
    return std::make_unique<Tables>();
  }();
  const auto i = static_cast<size_t>(tie);
  std::call_once(kTables->made[i], [&] { kTables->table[i] = find_thresholds<T>(tie); });
  return kTables->table[i];
}

}  // namespace

template <class T>
bool has_fast_path(const QuantPolicy& policy) {
  const bool same_input = std::is_same_v<T, Bf16> || policy.input == InputPrecision::as_given;
  return same_input && policy.subnormals == SubnormalRule::kept;
}
template bool has_fast_path<Bf16>(const QuantPolicy&);
template bool has_fast_path<Half>(const QuantPolicy&);
template bool has_fast_path<float>(const QuantPolicy&);

template <>
void quantize_blocks(const Bf16* values, int64_t blocks, const QuantPolicy& policy, uint8_t* codes,
                     uint8_t* scales) {
  HWY_DYNAMIC_DISPATCH(quantize_bf16)(values, blocks, policy, thresholds_of<Bf16>(policy.tie), codes, scales);
}
template <>
void quantize_blocks(const Half* values, int64_t blocks, const QuantPolicy& policy, uint8_t* codes,
                     uint8_t* scales) {
  HWY_DYNAMIC_DISPATCH(quantize_f16)(values, blocks, policy, thresholds_of<Half>(policy.tie), codes, scales);
}
template <>
void quantize_blocks(const float* values, int64_t blocks, const QuantPolicy& policy, uint8_t* codes,
                     uint8_t* scales) {
  HWY_DYNAMIC_DISPATCH(quantize_f32)(values, blocks, policy, thresholds_of<float>(policy.tie), codes, scales);
}

void element_codes(const float* values, int64_t count, uint8_t scale_byte, TieRule tie, uint8_t* codes) {
  HWY_DYNAMIC_DISPATCH(element_codes_f32)(values, count, thresholds_of<float>(tie)[scale_byte], codes);
}

}  // namespace mxproof::reference::simd
#endif
