// Where the time of a path goes: each of its launches alone, and the whole call as a user makes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/status.hpp"
#include "optimized/plan/plan.hpp"
#include "tools/profile/launch_log.hpp"

namespace mxproof {

/// One launch of a path. On a GPU it has times, on an emulated device counts and a model.
struct StepProfile {
  KernelId kernel{};
  int64_t bytes = 0;  ///< Least that it has to read and write.

  double device_us = 0;   ///< One of many in a row in a replayed graph.
  double enqueue_us = 0;  ///< Host time to hand it over.

  int64_t waves = 0;
  int64_t wave_instructions = 0;
  int64_t matrix_instructions = 0;  ///< Part of wave_instructions.
  double modelled_us = 0;           ///< See tools/profile/launch_model.hpp; with the launch.
};

struct PathProfile {
  std::vector<StepProfile> steps;
  bool emulated = false;
  double call_us = 0;     ///< A single call on an idle stream, between device events. GPU only.
  double enqueue_us = 0;  ///< Host time of that call: checks and all launches. GPU only.

  int64_t bytes() const;
  double device_us() const;    ///< Of all steps.
  double modelled_us() const;  ///< Of all steps.
  /// Share of the call that is not kernels at work: of call_us on a GPU, of modelled_us on an emulated
  /// device.
  double dispatch_share() const;
};

/// Bytes that one launch of `kernel` on the way of `route` has to move: each operand once.
int64_t step_bytes(KernelId kernel, const GemmShape& shape, int splits);

/// Measures `plan` with these operands, which stay in the cache. `log` is null on a real device.
Expected<PathProfile> profile_path(const Plan& plan, const GemmPointers& pointers, LaunchLog* log);

}  // namespace mxproof
