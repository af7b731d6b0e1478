// What a failed device assertion calls in ROCm's device library. At -O0 nothing removes the unused assertion
// handler of HIP's headers, so that its calls need definitions; nobody calls them. Included in front of each
// unit's device side.
#pragma once

#include <hip/hip_runtime.h>

#if defined(__HIP_DEVICE_COMPILE__)
extern "C" {
__device__ inline uint64_t __ockl_fprintf_stderr_begin() {
  return 0;
}
__device__ inline uint64_t __ockl_fprintf_append_args(uint64_t, uint32_t, uint64_t, uint64_t, uint64_t,
                                                      uint64_t, uint64_t, uint64_t, uint64_t, uint32_t) {
  return 0;
}
__device__ inline uint64_t __ockl_fprintf_append_string_n(uint64_t, const char*, uint64_t, uint32_t) {
  return 0;
}
}
#endif
