// The host side of HIP: on AMD the vendor's header, on NVIDIA our own mapping of the calls that we use.
#pragma once

#if defined(MXPROOF_PLATFORM_NVIDIA)
#include "optimized/platform/nvidia_runtime.hpp"
#else
#include <hip/hip_runtime_api.h>
#endif
