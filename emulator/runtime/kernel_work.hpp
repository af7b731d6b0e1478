// Turns the arguments of HIP's launch calls into work.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/runtime/runtime.hpp"

namespace mxproof::emulator {

/// A launch as a program asks for it: one of `params` (a pointer to each argument) and `extra`
/// (HIP_LAUNCH_PARAM_*) is given, or neither for a kernel without arguments.
struct LaunchRequest {
  const void* kernel = nullptr;               ///< Host stub or hipFunction_t.
  std::array<uint32_t, 3> grid = {1, 1, 1};   ///< Work-groups.
  std::array<uint32_t, 3> block = {1, 1, 1};  ///< Work-items of a group.
  size_t dynamic_lds = 0;                     ///< Bytes.
  void** params = nullptr;
  void** extra = nullptr;
  bool is_cooperative = false;  ///< All work-groups must be resident at once.
};

/// Finds the kernel, checks the sizes and packs the arguments.
Outcome make_kernel_work(Runtime& runtime, const LaunchRequest& request, KernelWork* work);

/// The same, and puts it into the stream.
Outcome enqueue_launch(Runtime& runtime, const LaunchRequest& request, hipStream_t stream);

inline std::array<uint32_t, 3> sizes(const dim3& size) {
  return {size.x, size.y, size.z};
}

}  // namespace mxproof::emulator
