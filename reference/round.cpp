#include "reference/round.hpp"

#include <bit>
#include <cassert>
#include <cmath>

namespace mxproof::reference {
namespace {

/// Bits of a double in a narrower format.
uint64_t narrow(double value, BinaryFormat format) {
  const uint64_t sign = std::signbit(value) ? format.sign_bit() : 0;
  if (std::isnan(value)) return sign | format.infinity() | uint64_t{1} << (format.mantissa_bits - 1);
  if (std::isinf(value)) return sign | format.infinity();
  return round_to_nearest_even(unrounded(value), format);
}

}  // namespace

uint64_t round_to_nearest_even(const Unrounded& number, BinaryFormat format) {
  const uint64_t sign = number.negative ? format.sign_bit() : 0;
  if (number.significand == 0) return sign;
  assert((number.significand >> 63) != 0);

  const int bias = format.bias();
  if (number.exponent > bias) return sign | format.infinity();
  // A subnormal keeps fewer bits. `kept` may fall to 0 (between half the smallest subnormal and itself) and
  // below.
  const int lost = number.exponent < format.min_exponent() ? format.min_exponent() - number.exponent : 0;
  const int kept = format.mantissa_bits + 1 - lost;
  if (kept < 0) return sign;

  const uint64_t quotient = kept == 0 ? 0 : number.significand >> (64 - kept);
  const uint64_t remainder = kept == 0 ? number.significand : number.significand << kept;
  const uint64_t half = uint64_t{1} << 63;
  const bool above_half = remainder > half || (remainder == half && number.sticky);
  const bool at_half = remainder == half && !number.sticky;
  const uint64_t rounded = quotient + (above_half || (at_half && (quotient & 1) != 0) ? 1 : 0);

  // A carry out of the mantissa lands in the exponent field, which is what it should do, up to and including
  // Inf.
  if (lost > 0) return sign | rounded;
  const auto exponent_field = static_cast<uint64_t>(number.exponent + bias - 1);
  return sign | ((exponent_field << format.mantissa_bits) + rounded);
}

Unrounded unrounded(double finite) {
  assert(std::isfinite(finite));
  Unrounded number{std::signbit(finite), 0, 0, false};
  if (finite == 0) return number;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(finite), &exponent);  // in [1/2, 1)
  number.significand = static_cast<uint64_t>(std::ldexp(fraction, 53)) << 11;
  number.exponent = exponent - 1;
  return number;
}

Bf16 round_to_bf16(double value) {
  return {static_cast<uint16_t>(narrow(value, kBf16Format))};
}
Half round_to_f16(double value) {
  return {static_cast<uint16_t>(narrow(value, kF16Format))};
}
float round_to_f32(double value) {
  return std::bit_cast<float>(static_cast<uint32_t>(narrow(value, kF32Format)));
}

}  // namespace mxproof::reference
