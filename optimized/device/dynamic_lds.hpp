// Permission for kernels to be launched with more LDS than a device gives unasked.
#pragma once

#include "common/status.hpp"

namespace mxproof {

/// Lets launches of `kernel` on the current device have `bytes` of dynamic LDS. Asks the runtime once for
/// each kernel and device, and not at all where no kernel needs it.
Status allow_dynamic_lds(const void* kernel, int bytes);

}  // namespace mxproof
