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

/// x * y + z, rounded once.
__device__ inline float fma(float x, float y, float z) {
  return __fmaf_rn(x, y, z);
}

/// The smaller of x + y and z.
__device__ inline uint32_t smaller_of_sum(uint32_t x, uint32_t y, uint32_t z) {
  return __viaddmin_u32(x, y, z);
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

/// Barrier `id` (1 to 15) of the kThreads threads of whole waves that use it; true for all of them if `value`
/// was for one.
template <int kThreads>
__device__ inline bool barrier_any(int id, bool value) {
  uint32_t any;
  asm volatile(
      "{\n"
      ".reg .pred in, out;\n"
      "setp.ne.u32 in, %1, 0;\n"
      "barrier.cta.red.or.pred out, %2, %3, in;\n"
      "selp.u32 %0, 1, 0, out;\n"
      "}"
      : "=r"(any)
      : "r"(uint32_t{value}), "r"(id), "n"(kThreads)
      : "memory");
  return any != 0;
}

/// The LDS that the launch adds to the kernel's own, 16-byte aligned.
__device__ inline uint8_t* dynamic_lds() {
  extern __shared__ uint4 dynamic_lds_words[];
  return reinterpret_cast<uint8_t*>(dynamic_lds_words);
}

/// `value` of the lane whose index differs in the bits of `mask`. All lanes of the wave take part.
template <class T>
__device__ inline T exchange(T value, int mask) {
  return __shfl_xor_sync(0xffffffffu, value, mask);
}

}  // namespace mxproof::platform
