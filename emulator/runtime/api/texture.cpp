// Textures and surfaces: refused, but for the description of a channel, which is data alone.
#include <hip/hip_runtime_api.h>

#include "emulator/runtime/runtime.hpp"

using namespace mxproof::emulator;

extern "C" hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind) {
  return {.x = x, .y = y, .z = z, .w = w, .f = kind};
}

// C++ functions in HIP 5.
hipError_t hipCreateSurfaceObject(hipSurfaceObject_t*, const hipResourceDesc*) {
  return host_call(__func__, [](Runtime&) { return unsupported("not supported on the emulated device"); });
}
hipError_t hipDestroySurfaceObject(hipSurfaceObject_t) {
  return host_call(__func__, [](Runtime&) { return unsupported("not supported on the emulated device"); });
}
