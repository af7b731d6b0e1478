#include "emulator/isa/small_float.hpp"

#include <cmath>
#include <limits>

namespace mxproof::emulator {
namespace {

uint32_t largest_code(const SmallFormat& format) {
  const uint32_t all = (1U << (format.bits - 1)) - 1U;
  switch (format.specials) {
    case SmallFormat::Specials::none:
      return all;
    case SmallFormat::Specials::nan_only:
      return all - 1;
    case SmallFormat::Specials::ieee:
      return (((1U << format.exponent_bits) - 1U) << format.fraction_bits) - 1U;
  }
  return all;
}

}  // namespace

double decode_small(const SmallFormat& format, uint32_t code) {
  const uint32_t magnitude = code & ((1U << (format.bits - 1)) - 1U);
  const bool negative = ((code >> (format.bits - 1)) & 1U) != 0;
  double value;
  if (magnitude > largest_code(format)) {
    const bool infinite =
        format.specials == SmallFormat::Specials::ieee && magnitude == largest_code(format) + 1;
    value = infinite ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    const uint32_t fraction = magnitude & ((1U << format.fraction_bits) - 1U);
    const int exponent = static_cast<int>(magnitude >> format.fraction_bits);
    const uint32_t significand = exponent == 0 ? fraction : fraction | 1U << format.fraction_bits;
    value = std::ldexp(significand, (exponent == 0 ? 1 : exponent) - format.bias - format.fraction_bits);
  }
  return negative ? -value : value;
}

uint32_t encode_small(const SmallFormat& format, double value, const SmallRounding& rounding) {
  const uint32_t sign = std::signbit(value) ? 1U << (format.bits - 1) : 0U;
  const uint32_t largest = largest_code(format);
  const bool has_nan = format.specials != SmallFormat::Specials::none;
  const uint32_t nan = (1U << (format.bits - 1)) - 1U;
  if (std::isnan(value))
    return has_nan ? sign | nan : narrow_nan_code(rounding.nan, std::signbit(value), format.bits);
  const uint32_t overflow =
      rounding.saturate || !has_nan ? largest : largest + 1;  // Inf of e5m2, NaN of e4m3
  const double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return sign |
           (format.specials == SmallFormat::Specials::ieee && !rounding.saturate ? largest + 1 : overflow);
  if (magnitude == 0) return sign;
  const int lowest = 1 - format.bias;  // exponent of the smallest normal, and of the subnormals
  const int exponent = std::max(std::ilogb(magnitude), lowest);
  const double steps = std::ldexp(magnitude, format.fraction_bits - exponent);
  const double rounded =
      rounding.stochastic ? std::floor(steps + std::ldexp(rounding.seed, -32)) : std::nearbyint(steps);
  // Steps beyond the binade carry into the exponent by themselves.
  const double code = rounded + std::ldexp(exponent - lowest, format.fraction_bits);
  return sign | (code > largest ? overflow : static_cast<uint32_t>(code));
}

}  // namespace mxproof::emulator
