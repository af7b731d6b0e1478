// Turns the result of a HIP call into a Status.
#pragma once

#include <string_view>

#include "common/status.hpp"
#include "optimized/platform/runtime.hpp"

namespace mxproof {

/// Ok, or a device error "WHAT: HIP's name (number): HIP's sentence". Usage: `hip_status(hipMalloc(&p, n),
/// "hipMalloc")`.
Status hip_status(hipError_t error, std::string_view what);

}  // namespace mxproof

/// Returns the error of a Status expression from the enclosing function.
#define MXPROOF_RETURN_IF_ERROR(expression)                                      \
  do {                                                                           \
    if (::mxproof::Status mxproof_status = (expression); !mxproof_status.ok()) { \
      return mxproof_status;                                                     \
    }                                                                            \
  } while (false)
