// The rest of HIP: each call says that it is not supported, instead of reaching the vendor's library, which
// knows nothing of this device.
#include "emulator/runtime/runtime.hpp"

using namespace mxproof::emulator;

// The names are given to the assembler alone: HIP's header declares these functions with their parameters,
// none of which matter here.
#define MXPROOF_UNSUPPORTED(call)                                                                          \
  extern "C" hipError_t mxproof_unsupported_##call() __asm__(#call);                                       \
  hipError_t mxproof_unsupported_##call() {                                                                \
    return host_call(#call, [](Runtime&) { return unsupported("not supported on the emulated device"); }); \
  }
#include "emulator/runtime/api/unsupported.def"
#undef MXPROOF_UNSUPPORTED
