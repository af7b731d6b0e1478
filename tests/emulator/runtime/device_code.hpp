// What the test kernels need of HIP's device side, without its headers' device library.
#pragma once

#if defined(__HIP__)
#include <hip/hip_runtime_api.h>
#define MX_GLOBAL __attribute__((global))
#define MX_DEVICE __attribute__((device))
#define MX_MANAGED __attribute__((managed))
#define MX_CONSTANT __attribute__((constant))
#define MX_SHARED __attribute__((shared))
#endif
