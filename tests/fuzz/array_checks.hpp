// What must hold of every array that a reader accepts.
#pragma once

#include "common/array/array.hpp"
#include "tests/fuzz/checks.hpp"

namespace mxproof::fuzz {

/// The shape is countable and the bytes are exactly those it takes.
inline void require_consistent(const Array& array) {
  require(array.shape.size() <= kMaxDimensions);
  const auto bytes = array_bytes(array.dtype, array.shape);
  require(bytes.ok());
  require(static_cast<int64_t>(array.bytes.size()) == *bytes);
  require(!describe(array).empty());
}

}  // namespace mxproof::fuzz
