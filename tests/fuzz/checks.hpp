// What must hold of every refusal, and how a fuzzer says that something does not hold.
#pragma once

#include <cstdlib>

#include "common/status.hpp"

namespace mxproof::fuzz {

/// Ends the run where a sanitizer would not see anything wrong.
inline void require(bool condition) {
  if (!condition) std::abort();
}

/// A refusal says why, in one line of sane length: the input is malformed, or well-formed and not supported.
inline void require_refusal(const Status& status) {
  require(!status.ok());
  require(status.code() == StatusCode::bad_input || status.code() == StatusCode::refused);
  require(!status.message().empty() && status.message().size() < 8192);
}

/// The same where nothing well-formed is refused.
inline void require_message(const Status& status) {
  require_refusal(status);
  require(status.code() == StatusCode::bad_input);
}

}  // namespace mxproof::fuzz
