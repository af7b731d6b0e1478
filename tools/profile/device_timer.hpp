// Times on a real device: of a launch at work, and of a call from an idle stream.
#pragma once

#include <functional>

#include "common/status.hpp"
#include "optimized/launch.hpp"
#include "optimized/platform/runtime.hpp"

namespace mxproof {

class DeviceTimer {
 public:
  static Expected<DeviceTimer> make();
  ~DeviceTimer();
  DeviceTimer(DeviceTimer&& other) noexcept;
  DeviceTimer& operator=(DeviceTimer&&) = delete;

  /// Time of one launch among many of the same in a replayed graph, where handing it over costs nothing but
  /// the device's own step from kernel to kernel. The median of several replays.
  Expected<double> device_us(const Launch& launch) const;

  struct Call {
    double device_us = 0;  ///< Between two events, the stream being idle before.
    double host_us = 0;    ///< Until `enqueue` returned.
  };
  /// Medians over many single calls.
  Expected<Call> call_us(const std::function<Status(hipStream_t)>& enqueue) const;

 private:
  DeviceTimer() = default;
  /// Time between the two events.
  Expected<double> elapsed_us() const;

  hipStream_t stream_ = nullptr;
  hipEvent_t start_ = nullptr;
  hipEvent_t stop_ = nullptr;
};

}  // namespace mxproof
