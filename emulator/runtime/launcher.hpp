// Runs kernels on the emulated machine, and writes down what they did.
#pragma once

#include "emulator/runtime/device_memory.hpp"
#include "emulator/runtime/environment.hpp"
#include "emulator/runtime/work.hpp"

namespace mxproof::emulator {

/// Checks sizes against the kernel and the device, as HIP does before anything runs.
/// Errors: hipErrorInvalidConfiguration, hipErrorInvalidValue.
Outcome check_shape(const Kernel& kernel, const LaunchShape& shape);

/// Checks that all work-groups of a cooperative launch are resident at once, as HIP does. Whether the kernel
/// synchronises its grid shows when it does: the machine has no global wave sync, and stops there.
/// Errors: hipErrorCooperativeLaunchTooLarge.
Outcome check_cooperative(const Kernel& kernel, const LaunchShape& shape);

/// Runs a launch to its end, watched and counted as the environment says. Errors:
/// hipErrorInvalidConfiguration for sizes the machine refuses, hipErrorNotSupported for what it does not
/// model, hipErrorLaunchFailure when the kernel was stopped; the message is the machine's, with kernel, pc
/// and instruction.
/// `stack_bytes`: hipLimitStackSize; stacks are never smaller than LaunchConfig's.
Outcome run(const KernelWork& work, const Environment& environment, uint32_t stack_bytes,
            const DeviceMemory& memory);

}  // namespace mxproof::emulator
