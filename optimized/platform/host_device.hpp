// Marks small functions that kernels call and that host tests call too.
#pragma once

#if defined(__CUDACC__) || defined(__HIP__)
#define MXPROOF_HOST_DEVICE __host__ __device__
#else
#define MXPROOF_HOST_DEVICE
#endif
