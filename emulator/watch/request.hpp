// What to watch and what to count in a launch.
#pragma once

#include "emulator/watch/watchers.hpp"

namespace mxproof::emulator {

struct WatchRequest {
  WatchSet watchers;
  bool counts = false;  ///< Count what is accessed: AccessCounts.
  bool empty() const { return watchers.empty() && !counts; }
};

}  // namespace mxproof::emulator
