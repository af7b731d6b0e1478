// The instruction sets for which the SIMD parts exist, for tests and reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mxproof::reference::simd {

struct Target {
  int64_t id = 0;    ///< Highway's bit.
  std::string name;  ///< "AVX3", "SSE4", "EMU128", ...
};

/// Targets that were compiled and that this machine can run, best first.
std::vector<Target> supported_targets();

/// Makes all dispatched functions use one target while it lives. For tests: not to be used beside running
/// jobs.
class ScopedTarget {
 public:
  explicit ScopedTarget(const Target& target);
  ~ScopedTarget();
  ScopedTarget(const ScopedTarget&) = delete;
  ScopedTarget& operator=(const ScopedTarget&) = delete;
};

}  // namespace mxproof::reference::simd
