// The exact zone: outputs whose f32 result does not depend on how the terms are accumulated.
//
// Let u = 2^(s_min - 2) with s_min the smallest exponent of a block with a non-zero dot. Every T_b is a
// multiple of u, and |T_b| <= 1152 * 2^(s_b) = 4608 * 2^(s_b - s_min) * u. If sum_b 2^(s_b - s_min) <= 3640,
// any partial sum is a multiple of u of magnitude at most 4608 * 3640 * u < 2^24 * u, hence an f32 number as
// long as u itself is at least 2^-149 and the sum of magnitudes below 2^128: no order, grouping or split of K
// can round.
#pragma once

#include <span>

#include "reference/block_terms.hpp"

namespace mxproof::reference {

/// The largest sum of 2^(s_b - s_min) that the argument above allows: floor(2^24 / 4608).
inline constexpr int64_t kExactZoneLimit = 3640;

/// Exponents s for which the argument's last two conditions hold whatever the dots are: u >= 2^-149, and
/// 3640 * 1152 * 2^s_min < 2^128.
inline constexpr int kExactZoneMinExponent = -147;
inline constexpr int kExactZoneMaxExponent = 106;

bool in_exact_zone(std::span<const BlockTerm> terms);

}  // namespace mxproof::reference
