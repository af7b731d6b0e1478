// What the current device is. Every result names it.
#pragma once

#include <cstdint>
#include <string>

#include "common/status.hpp"

namespace mxproof {

struct DeviceInfo {
  std::string name;  ///< As the runtime gives it, e.g. "gfx950 (emulated)" or "NVIDIA H200".
  std::string arch;  ///< "gfx950", "sm_90": what the kernels need.
  int compute_units = 0;
  int wave_size = 0;  ///< Lanes of a wave (warp).
  int64_t memory_bytes = 0;
  std::string runtime;  ///< Driver and runtime versions, for logs.

  /// Ok when kernels of this build can run on it; else a refusal that says what they run on.
  Status check_supported() const;
};

/// Describes the current device, or says why there is none.
Expected<DeviceInfo> device_info();

}  // namespace mxproof
