// The compiler that AMD's library holds: there is none here.
#include <hip/hiprtc.h>

#include <cstdio>

#include <fmt/format.h>

namespace {

// hiprtcResult has no value for what is not supported.
hiprtcResult refuse(const char* name) {
  fmt::print(stderr, "libmxproof_hip: {}: not supported on the emulated device: load a code object instead\n",
             name);
  return HIPRTC_ERROR_INTERNAL_ERROR;
}

}  // namespace

extern "C" {

const char* hiprtcGetErrorString(hiprtcResult result) {
  return result == HIPRTC_SUCCESS ? "HIPRTC_SUCCESS" : "HIPRTC_ERROR_INTERNAL_ERROR";
}
hiprtcResult hiprtcVersion(int*, int*) {
  return refuse(__func__);
}
hiprtcResult hiprtcCreateProgram(hiprtcProgram*, const char*, const char*, int, const char**, const char**) {
  return refuse(__func__);
}
hiprtcResult hiprtcDestroyProgram(hiprtcProgram*) {
  return refuse(__func__);
}
hiprtcResult hiprtcAddNameExpression(hiprtcProgram, const char*) {
  return refuse(__func__);
}
hiprtcResult hiprtcGetLoweredName(hiprtcProgram, const char*, const char**) {
  return refuse(__func__);
}
hiprtcResult hiprtcCompileProgram(hiprtcProgram, int, const char**) {
  return refuse(__func__);
}
hiprtcResult hiprtcGetProgramLog(hiprtcProgram, char*) {
  return refuse(__func__);
}
hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram, size_t*) {
  return refuse(__func__);
}
hiprtcResult hiprtcGetCode(hiprtcProgram, char*) {
  return refuse(__func__);
}
hiprtcResult hiprtcGetCodeSize(hiprtcProgram, size_t*) {
  return refuse(__func__);
}

// Headers compiled ahead, for that compiler.
// NOLINTNEXTLINE(bugprone-reserved-identifier): HIP's name
void __hipGetPCH(const char** headers, unsigned* size) {
  *headers = nullptr;
  *size = 0;
}

}  // extern "C"
