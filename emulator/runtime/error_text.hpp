// Names and sentences of HIP's error codes.
#pragma once

#include <hip/hip_runtime_api.h>

namespace mxproof::emulator {

/// Such as "hipErrorInvalidValue"; "hipErrorUnknown" for a number that is no code.
const char* error_name(hipError_t error);

/// Such as "invalid argument".
const char* error_string(hipError_t error);

}  // namespace mxproof::emulator
