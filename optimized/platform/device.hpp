// What device code needs from its platform, under one name each. Kernels include this and never the vendor's
// header.
#pragma once

#include <type_traits>
#include <utility>

#if defined(MXPROOF_PLATFORM_NVIDIA)
#include "optimized/platform/nvidia_device.hpp"
#else
#include "optimized/platform/amd_device.hpp"
#endif

namespace mxproof::platform {

/// The smaller one; both of one type, as HIP's own `min` would quietly cut 64-bit integers to 32.
template <class T>
__device__ inline T smaller(T a, T b) {
  return b < a ? b : a;
}

template <class T>
__device__ inline T larger(T a, T b) {
  return a < b ? b : a;
}

template <class To, class From>
__device__ inline To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}

/// f(0), f(1), ... f(kCount - 1) with the index as a compile-time constant.
template <int kCount, class F>
__device__ inline void unrolled(F f) {
  [&]<int... kIndex>(std::integer_sequence<int, kIndex...>) {
    (f(std::integral_constant<int, kIndex>{}), ...);
  }(std::make_integer_sequence<int, kCount>{});
}

}  // namespace mxproof::platform
