// Device code on NVIDIA, compiled by nvcc.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "optimized/platform/lanes.hpp"

namespace mxproof::platform {

__device__ inline int lane_index() {
  return static_cast<int>(threadIdx.x) % kLanes;
}

/// Index of this wave (warp) in its work-group.
__device__ inline int wave_index() {
  return static_cast<int>(threadIdx.x) / kLanes;
}

/// Larger of two pairs of unsigned 16-bit halves.
__device__ inline uint32_t max_u16x2(uint32_t a, uint32_t b) {
  return __vmaxu2(a, b);
}

/// Two f32 to bf16, nearest even; `low` lands in bits 15:0.
__device__ inline uint32_t pack_bf16(float low, float high) {
  return uint32_t{__bfloat16_as_ushort(__float2bfloat16_rn(low))} |
         uint32_t{__bfloat16_as_ushort(__float2bfloat16_rn(high))} << 16;
}

/// Stores words side by side in one go; `to` is aligned to all of them.
__device__ inline void store_words(void* to, const uint32_t (&words)[1]) {
  *static_cast<uint32_t*>(to) = words[0];
}
__device__ inline void store_words(void* to, const uint32_t (&words)[2]) {
  *static_cast<uint2*>(to) = make_uint2(words[0], words[1]);
}
__device__ inline void store_words(void* to, const uint32_t (&words)[4]) {
  *static_cast<uint4*>(to) = make_uint4(words[0], words[1], words[2], words[3]);
}

/// Starts a copy of kBytes (4 or 16, both sides aligned to it) from global to shared memory; see
/// wait_for_copies.
template <int kBytes>
__device__ inline void copy_async(void* to_shared, const void* from) {
  const auto to = static_cast<uint32_t>(__cvta_generic_to_shared(to_shared));
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    static_assert(kBytes == 4);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
  }
}

/// Ends a group of copies: those that this thread has started since the group before.
__device__ inline void end_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits until at most the latest kPending groups of this thread are still on their way. Other threads see
/// what has arrived after a barrier.
template <int kPending>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

/// `value` of the lane whose index differs in the bits of `mask`. All lanes of the wave take part.
template <class T>
__device__ inline T exchange(T value, int mask) {
  return __shfl_xor_sync(0xffffffffu, value, mask);
}

}  // namespace mxproof::platform
