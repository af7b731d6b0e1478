// Kernels that move bytes from one layout to another and change none.
#pragma once

#include "common/status.hpp"
#include "optimized/device_view.hpp"
#include "optimized/launch.hpp"

namespace mxproof {

/// Row-major scales to `scale_32x8`. Padding is written as zero bytes.
Expected<Launch> shuffle_scales_launch(DeviceScales from, DeviceScales32x8 to);

/// `scale_32x8` back to row-major scales.
Expected<Launch> unshuffle_scales_launch(DeviceScales32x8 from, DeviceScales to);

/// Row-major codes [N, K/2] to `codes_16x16`. N is a multiple of 16 and K of 64: the format has no padding.
Expected<Launch> preshuffle_codes_launch(DeviceCodes from, DeviceCodes16x16 to);

}  // namespace mxproof
