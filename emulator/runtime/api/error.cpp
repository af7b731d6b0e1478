// Errors, and the marker by which a program sees that this library is loaded.
#include "emulator/runtime/error_text.hpp"
#include "emulator/runtime/runtime.hpp"

using namespace mxproof::emulator;

extern "C" {

const char* hipGetErrorName(hipError_t error) {
  return error_name(error);
}
const char* hipGetErrorString(hipError_t error) {
  return error_string(error);
}

// The last error of the thread stays until it is asked for; calls that succeed do not clear it.
hipError_t hipGetLastError() {
  return std::exchange(last_error(), hipSuccess);
}
hipError_t hipPeekAtLastError() {
  return last_error();
}

hipError_t hipExtGetLastError() {
  return hipGetLastError();
}
hipError_t hipDrvGetErrorName(hipError_t error, const char** text) {
  return host_call(__func__, [&](Runtime&) -> Outcome {
    if (text == nullptr) return invalid("a null pointer for the result");
    *text = error_name(error);
    return {};
  });
}
hipError_t hipDrvGetErrorString(hipError_t error, const char** text) {
  return host_call(__func__, [&](Runtime&) -> Outcome {
    if (text == nullptr) return invalid("a null pointer for the result");
    *text = error_string(error);
    return {};
  });
}

extern const int mxproof_hip_is_loaded;
const int mxproof_hip_is_loaded = 1;

}  // extern "C"
