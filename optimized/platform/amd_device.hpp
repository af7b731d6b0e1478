// Device code on AMD: HIP's header, and what is missing where ROCm's device library is.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

#include "optimized/platform/lanes.hpp"

#if defined(MXPROOF_NO_DEVICE_LIBRARY) && defined(__HIP_DEVICE_COMPILE__)
// HIP's headers call these three; the library that defines them is not part of Debian.
extern "C" {
__device__ inline __attribute__((const)) size_t __ockl_get_local_id(unsigned dimension) {
  if (dimension == 0) return __builtin_amdgcn_workitem_id_x();
  return dimension == 1 ? __builtin_amdgcn_workitem_id_y() : __builtin_amdgcn_workitem_id_z();
}
__device__ inline __attribute__((const)) size_t __ockl_get_group_id(unsigned dimension) {
  if (dimension == 0) return __builtin_amdgcn_workgroup_id_x();
  return dimension == 1 ? __builtin_amdgcn_workgroup_id_y() : __builtin_amdgcn_workgroup_id_z();
}
__device__ inline void __atomic_work_item_fence(unsigned /*flags*/, unsigned /*order*/, unsigned /*scope*/) {
  // Stronger than any caller asks for; only __syncthreads gets here, and it means the work-group.
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
}
#endif

namespace mxproof::platform {

__device__ inline int lane_index() {
  return static_cast<int>(threadIdx.x) % kLanes;
}

/// Index of this wave in its work-group, in a scalar register: everything derived from it is scalar too.
__device__ inline int wave_index() {
  return __builtin_amdgcn_readfirstlane(static_cast<int>(threadIdx.x) / kLanes);
}

/// Larger of two pairs of unsigned 16-bit halves.
__device__ inline uint32_t max_u16x2(uint32_t a, uint32_t b) {
  using U16x2 = unsigned short __attribute__((ext_vector_type(2)));
  return __builtin_bit_cast(
      uint32_t, __builtin_elementwise_max(__builtin_bit_cast(U16x2, a), __builtin_bit_cast(U16x2, b)));
}

/// x * y + z, rounded once.
__device__ inline float fma(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}

/// The smaller of x + y and z.
__device__ inline uint32_t smaller_of_sum(uint32_t x, uint32_t y, uint32_t z) {
  return x + y < z ? x + y : z;
}

/// Two f32 to bf16, nearest even; `low` lands in bits 15:0.
__device__ inline uint32_t pack_bf16(float low, float high) {
  using Bf16x2 = __bf16 __attribute__((ext_vector_type(2)));
  return __builtin_bit_cast(uint32_t, Bf16x2{static_cast<__bf16>(low), static_cast<__bf16>(high)});
}

/// Stores words side by side in one go; `to` is aligned to all of them.
template <int kWords>
__device__ inline void store_words(void* to, const uint32_t (&words)[kWords]) {
  using Words = uint32_t __attribute__((ext_vector_type(kWords)));
  Words vector;
#pragma unroll
  for (int i = 0; i < kWords; ++i) vector[i] = words[i];
  *static_cast<Words*>(to) = vector;
}

}  // namespace mxproof::platform
