#include "emulator/isa/matrix_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "emulator/isa/exact_sum.hpp"

namespace mxproof::emulator {
namespace {

constexpr float kNan = std::bit_cast<float>(0x7fc00000U);
constexpr float kInfinity = std::numeric_limits<float>::infinity();

int leading_bit(__int128 value) {
  auto magnitude = static_cast<unsigned __int128>(value < 0 ? -value : value);
  const auto high = static_cast<uint64_t>(magnitude >> 64);
  if (high != 0) return 127 - std::countl_zero(high);
  return 63 - std::countl_zero(static_cast<uint64_t>(magnitude));
}

/// acc + significand * 2^exponent, rounded once.
float add_rounded(float acc, const BlockSum& block) {
  constexpr __int128 kExactInDouble = __int128{1} << 53;
  if (block.significand < kExactInDouble && block.significand > -kExactInDouble) {
    const double a = acc;
    const double b = std::ldexp(static_cast<double>(static_cast<int64_t>(block.significand)), block.exponent);
    const double sum = a + b;
    // What the sum lost (Knuth's two-sum) goes into its last bit, so that rounding to float is right.
    const double back = sum - a;
    const double lost = (a - (sum - back)) + (b - back);
    auto bits = std::bit_cast<uint64_t>(sum);
    if (lost != 0 && (bits & 1U) == 0) bits = (lost > 0) == (sum > 0) ? bits + 1 : bits - 1;
    return static_cast<float>(std::bit_cast<double>(bits));
  }
  ExactSum sum;
  sum.add(acc);
  sum.add(block.significand, block.exponent);
  return sum.to_float();
}

float sequential(float c, std::span<const BlockSum> blocks) {
  for (const BlockSum& block : blocks) c = std::isfinite(c) ? add_rounded(c, block) : c;
  return c;
}

float fused(float c, std::span<const BlockSum> blocks) {
  ExactSum sum;
  sum.add(c);
  for (const BlockSum& block : blocks) sum.add(block.significand, block.exponent);
  return sum.to_float();
}

/// floor(significand * 2^exponent / 2^unit), or towards zero.
__int128 cut(__int128 significand, int exponent, int unit, bool floor) {
  if (significand == 0) return 0;  // whose exponent means nothing
  const int shift = unit - exponent;
  if (shift <= 0) return significand << -shift;
  const bool negative = significand < 0;
  const __int128 magnitude = negative ? -significand : significand;
  const __int128 quotient = shift > 126 ? 0 : magnitude >> shift;
  const bool inexact = shift > 126 ? magnitude != 0 : (quotient << shift) != magnitude;
  if (!negative) return quotient;
  return floor && inexact ? -quotient - 1 : -quotient;
}

float truncating(float c, std::span<const BlockSum> blocks) {
  int c_exponent = 0;
  const auto c_significand = static_cast<__int128>(std::frexp(c, &c_exponent) * 0x1p24F);
  c_exponent -= 24;
  int largest = std::numeric_limits<int>::min();
  if (c != 0) largest = std::max(largest, leading_bit(c_significand) + c_exponent);
  for (const BlockSum& block : blocks) {
    if (block.significand != 0) largest = std::max(largest, leading_bit(block.significand) + block.exponent);
  }
  if (largest == std::numeric_limits<int>::min()) return 0.0F;
  constexpr int kFractionBits = 24;
  const int unit = largest - kFractionBits;
  __int128 sum = cut(c_significand, c_exponent, unit, true);
  for (const BlockSum& block : blocks) sum += cut(block.significand, block.exponent, unit, false);
  ExactSum exact;
  exact.add(sum, unit);
  return exact.to_float();
}

float tree(float c, std::span<const BlockSum> blocks) {
  float sum = 0;
  for (const BlockSum& block : blocks) sum = std::isfinite(sum) ? add_rounded(sum, block) : sum;
  return c + sum;
}

/// Inf and NaN among the terms decide the result whatever the model.
bool special_result(float c, std::span<const BlockSum> blocks, float& result) {
  bool nan = std::isnan(c);
  bool plus = std::isinf(c) && c > 0;
  bool minus = std::isinf(c) && c < 0;
  for (const BlockSum& block : blocks) {
    nan |= block.special == BlockSum::Special::nan;
    plus |= block.special == BlockSum::Special::positive_infinity;
    minus |= block.special == BlockSum::Special::negative_infinity;
  }
  if (!nan && !plus && !minus) return false;
  result = nan || (plus && minus) ? kNan : plus ? kInfinity : -kInfinity;
  return true;
}

}  // namespace

BlockSum product_of(float a, float b) {
  using S = BlockSum::Special;
  BlockSum product;
  if (!std::isfinite(a) || !std::isfinite(b)) {
    const float value = a * b;
    product.special = std::isnan(value) ? S::nan : value > 0 ? S::positive_infinity : S::negative_infinity;
    return product;
  }
  int exponent_a = 0;
  int exponent_b = 0;
  const auto significand_a = static_cast<int64_t>(std::frexp(a, &exponent_a) * 0x1p24F);
  const auto significand_b = static_cast<int64_t>(std::frexp(b, &exponent_b) * 0x1p24F);
  product.significand = significand_a * significand_b;
  product.exponent = exponent_a + exponent_b - 48;
  return product;
}

float accumulate_blocks(MfmaAccumulation model, float c, std::span<const BlockSum> blocks) {
  float result = 0;
  if (special_result(c, blocks, result)) return result;
  switch (model) {
    case MfmaAccumulation::sequential:
      result = sequential(c, blocks);
      break;
    case MfmaAccumulation::fused:
      result = fused(c, blocks);
      break;
    case MfmaAccumulation::truncating:
      result = truncating(c, blocks);
      break;
    case MfmaAccumulation::tree:
      result = tree(c, blocks);
      break;
  }
  return std::isnan(result) ? kNan : result;
}

}  // namespace mxproof::emulator
