// What the watchers have reported in this process: printed as it comes up, summed up when the process ends.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "emulator/runtime/environment.hpp"
#include "emulator/watch/report.hpp"

namespace mxproof::emulator {

/// Exit code of a process in which a watcher reported something, whatever the program's own is.
inline constexpr int kExitWatched = 3;

class WatchLog {
 public:
  /// The one log. Never destroyed.
  static WatchLog& get();

  /// Called before launches; says what is watched and where the end goes.
  void begin(const Environment& environment);
  /// Adds a launch's reports, and prints those not seen before.
  void add(std::span<const WatchReport> reports);
  /// Prints the sum and writes the file. True when there were reports.
  bool finish();

  /// Everything as JSON: watchers, launches, reports.
  std::string to_json() const;

 private:
  using Key = std::tuple<Watcher, std::string, uint64_t>;  // watcher, kernel, pc

  WatchSet watchers_;
  std::string file_;
  bool has_begun_ = false;
  uint64_t launches_ = 0;
  std::vector<WatchReport> reports_;  // in the order in which they came up
  std::map<Key, size_t> index_;
};

}  // namespace mxproof::emulator
