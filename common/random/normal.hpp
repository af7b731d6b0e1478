// Standard normal values from random bits, the same on every machine.
//
// The inverse of the normal distribution function is evaluated with +, -, *, / and sqrt alone. IEEE 754
// rounds those five correctly, so the result is one fixed number everywhere; log, sin and cos of a C library
// (which Box-Muller needs) differ from one library to the next, and a rejection method would make the count
// of words that an element consumes depend on its neighbours. Contraction to FMA is off for the whole
// project.
#pragma once

#include <cstdint>

namespace mxproof {

/// Quantile of the standard normal distribution, 0 < p < 1 and not closer than 2^-33 to either end.
/// Rational approximations of M. J. Wichura, "Algorithm AS 241", Applied Statistics 37 (1988), PPND16:
/// relative error about 1e-16.
double normal_quantile(double p);

/// A standard normal value from 32 random bits: the quantile of (word + 1/2) / 2^32. Symmetric around zero,
/// never zero, |value| <= 6.34.
double normal_from_bits(uint32_t word);

}  // namespace mxproof
