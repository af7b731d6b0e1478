// The first call in main() of every program that uses HIP.
#pragma once

#include "common/status.hpp"

namespace mxproof::emulator {

/// Decides which HIP runtime serves this process, by the environment variable MXPROOF_DEVICE:
///   auto (or unset)  the GPU when there is a gfx950 that can be opened, otherwise the emulator
///   gpu              the GPU; refused when there is none
///   emulator         the emulator
/// For the emulator the process starts itself again, once, with libmxproof_hip.so preloaded from the
/// directory
/// ../lib beside the program's; nothing that ran before this call is kept, so call it first. On return the
/// choice holds and the environment is as it was, so that child processes choose for themselves.
///
/// Prints nothing. Errors: bad_input for another value of MXPROOF_DEVICE, refused without a GPU, internal
/// when the library is missing or did not load.
Status select_device(int argc, char** argv);

}  // namespace mxproof::emulator
