// What the emulator counted during a stretch of work, as counters of a row.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/status.hpp"
#include "tools/profile/launch_log.hpp"

namespace mxproof::bench {

class EmulatedCounts {
 public:
  /// Before the first HIP call.
  static EmulatedCounts start() { return EmulatedCounts(LaunchLog::start()); }

  /// Sums over the launches since the last call: launches, wave_instructions, waves, matrix_instructions, and
  /// modelled_us where the emulator gives it.
  Expected<std::map<std::string, double>> take();

  /// The launches since the last call one by one, in order.
  Expected<std::vector<LoggedLaunch>> take_launches() { return log_.take(); }

 private:
  explicit EmulatedCounts(LaunchLog log) : log_(std::move(log)) {}

  LaunchLog log_;
};

}  // namespace mxproof::bench
