// How much of a product lies in the exact zone, without visiting every term of every output.
#pragma once

#include <cstdint>

#include "common/matrix.hpp"

namespace mxproof::reference {

/// The number of outputs of A * B^T inside the exact zone (outputs that are NaN by their scales count as
/// inside).
int64_t count_in_exact_zone(const Mxfp4Matrix& a, const Mxfp4Matrix& b);

}  // namespace mxproof::reference
