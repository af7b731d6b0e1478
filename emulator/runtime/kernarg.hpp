// Builds the kernarg segment of a launch from the kernel's own metadata.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "emulator/loader/kernel.hpp"
#include "emulator/runtime/outcome.hpp"

namespace mxproof::emulator {

/// Sizes of a launch.
struct LaunchShape {
  std::array<uint32_t, 3> grid = {1, 1, 1};   ///< Work-groups.
  std::array<uint32_t, 3> block = {1, 1, 1};  ///< Work-items of a group.
  uint32_t dynamic_lds = 0;                   ///< Bytes.
};

/// The arguments that the caller passes, in the source's order.
std::vector<const KernelArg*> visible_args(const Kernel& kernel);

/// Arguments as an array with a pointer to each (hipLaunchKernel, kernelParams). Bytes between arguments are
/// zero. Errors: hipErrorInvalidValue for a null pointer, hipErrorNotSupported for an argument of a kind that
/// the launcher cannot fill in.
Outcome pack_args(const Kernel& kernel, void* const* args, const LaunchShape& shape,
                  std::vector<std::byte>* kernarg);

/// Arguments as one buffer laid out like the kernarg segment (HIP_LAUNCH_PARAM_BUFFER_*). Errors: as above,
/// and hipErrorInvalidValue when the buffer ends before the last visible argument or is longer than the
/// segment.
Outcome pack_buffer(const Kernel& kernel, std::span<const std::byte> buffer, const LaunchShape& shape,
                    std::vector<std::byte>* kernarg);

}  // namespace mxproof::emulator
