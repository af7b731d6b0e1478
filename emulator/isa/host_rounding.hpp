// The host's rounding direction, set for a moment to what a wave's MODE register asks for.
#pragma once

#include <cfenv>
#include <cstdint>

namespace mxproof::emulator {

class HostRounding {
 public:
  /// `mode`: 0 nearest even, 1 towards +Inf, 2 towards -Inf, 3 towards zero.
  explicit HostRounding(uint32_t mode) : saved_(std::fegetround()) {
    constexpr int kDirections[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    std::fesetround(kDirections[mode & 3U]);
  }
  ~HostRounding() { std::fesetround(saved_); }
  HostRounding(const HostRounding&) = delete;
  HostRounding& operator=(const HostRounding&) = delete;

 private:
  int saved_;
};

}  // namespace mxproof::emulator
