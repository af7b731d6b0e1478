#include "reference/quantize.hpp"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "common/format/e8m0.hpp"
#include "common/shape.hpp"
#include "reference/round.hpp"
#include "reference/simd/quantize_blocks.hpp"

namespace mxproof::reference {
namespace {

constexpr float kMinNormal = std::numeric_limits<float>::min();
constexpr uint8_t kSignCode = 8;
constexpr uint8_t kLargestCode = 7;

/// Magnitudes of the codes 0..7 in quarters; the midpoint above code c is the mean of codes c and c + 1.
constexpr std::array<int, 8> kQuarters = {0, 2, 4, 6, 8, 12, 16, 24};

bool tie_goes_up(TieRule tie, int lower_code) {
  switch (tie) {
    case TieRule::nearest_even:
    case TieRule::nearest_even_lossy:
      return lower_code % 2 != 0;
    case TieRule::half_away:
    case TieRule::half_up_lossy:
      return true;
    case TieRule::half_toward_smaller:
    case TieRule::truncate:
      return false;
  }
  return false;
}

/// The code 0..7 of a magnitude that is already divided by the scale. `quarters` is exact: |x| / 2^e * 4.
uint8_t magnitude_code(double quarters, TieRule tie) {
  if (tie == TieRule::nearest_even_lossy && quarters < 4.0) {
    quarters = std::ldexp(std::floor(std::ldexp(quarters, 21)), -21);
  }
  int code = kLargestCode;
  while (quarters < kQuarters[code]) --code;
  if (code == kLargestCode || tie == TieRule::truncate) return static_cast<uint8_t>(code);
  const double midpoint = 0.5 * (kQuarters[code] + kQuarters[code + 1]);
  const bool up = quarters > midpoint || (quarters == midpoint && tie_goes_up(tie, code));
  return static_cast<uint8_t>(up ? code + 1 : code);
}

/// What the rule adds to E - 2, for amax = m * 2^E.
int exponent_step(ScaleRule rule, double m) {
  switch (rule) {
    case ScaleRule::floor:
      return 0;
    case ScaleRule::even:
      return m >= 1.75 ? 1 : 0;
    case ScaleRule::rceil:
      return m > 1.5 ? 1 : 0;
    case ScaleRule::ceil:
      return m > 1.0 ? 1 : 0;
    case ScaleRule::floor_sixth:
      return m < 1.5 ? -1 : 0;
  }
  return 0;
}

/// The byte of an exponent, no lower than 0. The largest f32 gives 253 at most, so no upper end is needed.
uint8_t clamped_byte(int exponent) {
  assert(exponent <= 126);
  return static_cast<uint8_t>(std::max(exponent + kE8m0Bias, 0));
}

uint8_t large_byte(LargeRule rule, uint8_t exact) {
  switch (rule) {
    case LargeRule::exact:
      return exact;
    case LargeRule::byte_254:
      return 254;
    case LargeRule::nan_byte:
      return kE8m0Nan;
  }
  return kE8m0Nan;
}

float as_seen(float x, const QuantPolicy& policy) {
  if (policy.input == InputPrecision::bf16) x = round_to_bf16(x).to_float();
  if (policy.subnormals == SubnormalRule::flushed && std::fabs(x) < kMinNormal) x = std::copysign(0.0f, x);
  return x;
}

template <class T>
float widen(T x) {
  if constexpr (std::is_same_v<T, float>) {
    return x;
  } else {
    return x.to_float();
  }
}

template <class T>
Expected<Mxfp4Matrix> quantize_rows(MatrixView<const T> values, const QuantPolicy& policy) {
  if (values.rows < 1 || values.cols < kBlock || values.cols % kBlock != 0 || values.stride < values.cols) {
    return Status::bad_input(fmt::format(
        "cannot quantise a {} x {} matrix with row stride {}: rows must be positive, columns a positive "
        "multiple of {} and the stride at least the columns",
        values.rows, values.cols, values.stride, kBlock));
  }
  Mxfp4Matrix result(values.rows, values.cols);
  if (simd::has_fast_path<T>(policy)) {
    for (int64_t r = 0; r < values.rows; ++r) {
      simd::quantize_blocks(values.row(r), values.cols / kBlock, policy, result.code_row(r),
                            result.scale_row(r));
    }
    return result;
  }
  std::array<float, kBlock> block;
  for (int64_t r = 0; r < values.rows; ++r) {
    for (int64_t b = 0; b < values.cols / kBlock; ++b) {
      for (int64_t i = 0; i < kBlock; ++i) block[i] = widen(values(r, b * kBlock + i));
      result.scale_row(r)[b] = quantize_block(block.data(), policy, result.code_row(r) + b * kBlock / 2);
    }
  }
  return result;
}

}  // namespace

uint8_t scale_byte(float amax, const QuantPolicy& policy) {
  if (amax == 0) return policy.zero_block_byte;
  if (std::isinf(amax))
    return large_byte(policy.inf, clamped_byte(128 - 2 + exponent_step(policy.scale, 1.0)));
  int exponent = 0;
  const double m = 2 * std::frexp(static_cast<double>(amax), &exponent);  // amax = m * 2^(exponent - 1)
  const int e = exponent - 1;
  const uint8_t byte = clamped_byte(e - 2 + exponent_step(policy.scale, m));
  const bool rounds_past_f32 = policy.scale == ScaleRule::even && e == 127 && m >= 1.75;
  return rounds_past_f32 ? large_byte(policy.overflow, byte) : byte;
}

uint8_t element_code(float x, int exponent, TieRule tie) {
  const uint8_t sign = std::signbit(x) ? kSignCode : 0;
  if (std::isnan(x)) return sign | kLargestCode;
  // Double holds |x| * 2^(2-e) exactly: 24 bits, exponents from -149-127+2 to 127+127+2.
  return sign | magnitude_code(std::ldexp(std::fabs(static_cast<double>(x)), 2 - exponent), tie);
}

uint8_t quantize_block(const float values[32], const QuantPolicy& policy, uint8_t codes[16]) {
  std::array<float, kBlock> x;
  float amax = policy.amax_seed;
  bool has_nan = false;
  for (int i = 0; i < kBlock; ++i) {
    x[i] = as_seen(values[i], policy);
    has_nan = has_nan || std::isnan(x[i]);
    if (std::fabs(x[i]) > amax) amax = std::fabs(x[i]);
  }
  const uint8_t byte = has_nan && policy.nan == NanRule::nan_byte ? kE8m0Nan : scale_byte(amax, policy);

  std::array<uint8_t, kBlock> code{};
  if (!e8m0_is_nan(byte)) {
    const bool scale_flushes = policy.subnormals == SubnormalRule::flushed && (byte == 0 || byte == 254);
    for (int i = 0; i < kBlock; ++i) {
      const float seen = scale_flushes && !std::isnan(x[i]) ? std::copysign(0.0f, x[i]) : x[i];
      code[i] = element_code(seen, e8m0_exponent(byte), policy.tie);
      if (code[i] == kSignCode && policy.zero_sign == ZeroSign::positive) code[i] = 0;
    }
  }
  for (int i = 0; i < kBlock / 2; ++i) codes[i] = static_cast<uint8_t>(code[2 * i] | code[2 * i + 1] << 4);
  return byte;
}

Expected<Mxfp4Matrix> quantize(MatrixView<const Bf16> values, const QuantPolicy& policy) {
  return quantize_rows(values, policy);
}
Expected<Mxfp4Matrix> quantize(MatrixView<const float> values, const QuantPolicy& policy) {
  return quantize_rows(values, policy);
}
Expected<Mxfp4Matrix> quantize(MatrixView<const Half> values, const QuantPolicy& policy) {
  return quantize_rows(values, policy);
}

}  // namespace mxproof::reference
