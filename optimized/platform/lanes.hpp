// The width of a wave, for host and device.
#pragma once

namespace mxproof::platform {

#if defined(MXPROOF_PLATFORM_NVIDIA)
inline constexpr int kLanes = 32;
#else
inline constexpr int kLanes = 64;
#endif

}  // namespace mxproof::platform
