// What must hold of every array that a reader accepts.
#pragma once

#include <cstdlib>

#include "common/array/array.hpp"

namespace mxproof::fuzz {

/// Ends the run where a sanitizer would not see anything wrong.
inline void require(bool condition) {
  if (!condition) std::abort();
}

/// The shape is countable and the bytes are exactly those it takes.
inline void require_consistent(const Array& array) {
  require(array.shape.size() <= kMaxDimensions);
  const auto bytes = array_bytes(array.dtype, array.shape);
  require(bytes.ok());
  require(static_cast<int64_t>(array.bytes.size()) == *bytes);
  require(!describe(array).empty());
}

/// A refusal says why, in one line of sane length.
inline void require_message(const Status& status) {
  require(!status.ok());
  require(status.code() == StatusCode::bad_input);
  require(!status.message().empty() && status.message().size() < 4096);
}

}  // namespace mxproof::fuzz
