#include "common/random/normal.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <cmath>

namespace mxproof {
namespace {

constexpr int kDegree = 7;
using Polynomial = std::array<double, kDegree + 1>;  // lowest power first

constexpr double evaluate(const Polynomial& coefficients, double x) {
  double sum = coefficients[kDegree];
  for (int power = kDegree - 1; power >= 0; --power) sum = sum * x + coefficients[static_cast<size_t>(power)];
  return sum;
}

// |p - 1/2| <= 0.425, in powers of 0.425^2 - (p - 1/2)^2.
constexpr Polynomial kCentreTop = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                   1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                   3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr Polynomial kCentreBottom = {1.0,
                                      4.2313330701600911252e1,
                                      6.8718700749205790830e2,
                                      5.3941960214247511077e3,
                                      2.1213794301586595867e4,
                                      3.9307895800092710610e4,
                                      2.8729085735721942674e4,
                                      5.2264952788528545610e3};
// The tails down to p = exp(-25), in powers of sqrt(-ln p) - 1.6.
constexpr Polynomial kTailTop = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                 5.76949722146069140550e0,  3.64784832476320460504e0,
                                 1.27045825245236838258e0,  2.41780725177450611770e-1,
                                 2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr Polynomial kTailBottom = {1.0,
                                    2.05319162663775882187e0,
                                    1.67638483018380384940e0,
                                    6.89767334985100004550e-1,
                                    1.48103976427480074590e-1,
                                    1.51986665636164571966e-2,
                                    5.47593808499534494600e-4,
                                    1.05075007164441684324e-9};

// ln x for normal x > 0, to about 1e-16 relative: with x = m * 2^e, 1/sqrt(2) <= m < sqrt(2) and z =
// (m-1)/(m+1), ln m = 2 (z + z^3/3 + z^5/5 + ...), and |z| < 0.172 makes twelve terms enough.
double portable_log(double x) {
  constexpr double kSqrtHalf = 0.70710678118654752440;
  constexpr double kLn2 = 0.69314718055994530942;
  constexpr int kTerms = 12;

  const uint64_t bits = std::bit_cast<uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1022;
  double mantissa =
      std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3fe0000000000000ULL);  // [1/2, 1)
  if (mantissa < kSqrtHalf) {
    mantissa *= 2;
    --exponent;
  }
  const double z = (mantissa - 1) / (mantissa + 1);
  const double z2 = z * z;
  double sum = 0;
  for (int term = kTerms - 1; term >= 0; --term) sum = sum * z2 + 1.0 / (2 * term + 1);
  return exponent * kLn2 + 2 * z * sum;
}

}  // namespace

double normal_quantile(double p) {
  constexpr double kCentreHalfWidth = 0.425;
  constexpr double kTailShift = 1.6;
  assert(p >= 0x1p-33 && p <= 1 - 0x1p-33);

  const double from_centre = p - 0.5;
  if (std::abs(from_centre) <= kCentreHalfWidth) {
    const double r = kCentreHalfWidth * kCentreHalfWidth - from_centre * from_centre;
    return from_centre * evaluate(kCentreTop, r) / evaluate(kCentreBottom, r);
  }
  const double tail = from_centre < 0 ? p : 1 - p;
  const double r = std::sqrt(-portable_log(tail)) - kTailShift;
  const double magnitude = evaluate(kTailTop, r) / evaluate(kTailBottom, r);
  return from_centre < 0 ? -magnitude : magnitude;
}

double normal_from_bits(uint32_t word) {
  return normal_quantile((word + 0.5) * 0x1p-32);
}

}  // namespace mxproof
