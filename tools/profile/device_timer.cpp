#include "tools/profile/device_timer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "optimized/device/check.hpp"

namespace mxproof {
namespace {

constexpr int kLaunchesOfAGraph = 100;
constexpr int kWarmUps = 10;
constexpr int kReplays = 30;
constexpr int kCalls = 200;

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A chain of the same launch, ready to be replayed.
class Chain {
 public:
  Chain() = default;
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;
  ~Chain() {
    if (executable_ != nullptr) static_cast<void>(hipGraphExecDestroy(executable_));
    if (graph_ != nullptr) static_cast<void>(hipGraphDestroy(graph_));
  }

  Status make(const Launch& launch) {
    MXPROOF_RETURN_IF_ERROR(hip_status(hipGraphCreate(&graph_, 0), "hipGraphCreate"));
    const hipKernelNodeParams params = launch.node_params();
    hipGraphNode_t node = nullptr;
    for (int i = 0; i < kLaunchesOfAGraph; ++i) {
      const hipGraphNode_t previous = node;
      MXPROOF_RETURN_IF_ERROR(hip_status(
          hipGraphAddKernelNode(&node, graph_, i == 0 ? nullptr : &previous, i == 0 ? 0 : 1, &params),
          "hipGraphAddKernelNode"));
    }
    return hip_status(hipGraphInstantiate(&executable_, graph_, nullptr, nullptr, 0), "hipGraphInstantiate");
  }

  Status launch(hipStream_t stream) const {
    return hip_status(hipGraphLaunch(executable_, stream), "hipGraphLaunch");
  }

 private:
  hipGraph_t graph_ = nullptr;
  hipGraphExec_t executable_ = nullptr;
};

}  // namespace

Expected<DeviceTimer> DeviceTimer::make() {
  DeviceTimer timer;
  MXPROOF_RETURN_IF_ERROR(hip_status(hipStreamCreate(&timer.stream_), "hipStreamCreate"));
  MXPROOF_RETURN_IF_ERROR(hip_status(hipEventCreate(&timer.start_), "hipEventCreate"));
  MXPROOF_RETURN_IF_ERROR(hip_status(hipEventCreate(&timer.stop_), "hipEventCreate"));
  return timer;
}

DeviceTimer::~DeviceTimer() {
  // Nothing useful can be done about an error here.
  if (stop_ != nullptr) static_cast<void>(hipEventDestroy(stop_));
  if (start_ != nullptr) static_cast<void>(hipEventDestroy(start_));
  if (stream_ != nullptr) static_cast<void>(hipStreamDestroy(stream_));
}

DeviceTimer::DeviceTimer(DeviceTimer&& other) noexcept
    : stream_(std::exchange(other.stream_, nullptr)),
      start_(std::exchange(other.start_, nullptr)),
      stop_(std::exchange(other.stop_, nullptr)) {}

Expected<double> DeviceTimer::elapsed_us() const {
  MXPROOF_RETURN_IF_ERROR(hip_status(hipEventSynchronize(stop_), "hipEventSynchronize"));
  float milliseconds = 0;
  MXPROOF_RETURN_IF_ERROR(
      hip_status(hipEventElapsedTime(&milliseconds, start_, stop_), "hipEventElapsedTime"));
  return 1e3 * static_cast<double>(milliseconds);
}

Expected<double> DeviceTimer::device_us(const Launch& launch) const {
  Chain chain;
  MXPROOF_RETURN_IF_ERROR(chain.make(launch));
  std::vector<double> times;
  for (int i = 0; i < kWarmUps + kReplays; ++i) {
    MXPROOF_RETURN_IF_ERROR(hip_status(hipEventRecord(start_, stream_), "hipEventRecord"));
    MXPROOF_RETURN_IF_ERROR(chain.launch(stream_));
    MXPROOF_RETURN_IF_ERROR(hip_status(hipEventRecord(stop_, stream_), "hipEventRecord"));
    auto elapsed = elapsed_us();
    if (!elapsed) return elapsed.status();
    if (i >= kWarmUps) times.push_back(*elapsed / kLaunchesOfAGraph);
  }
  return median_of(times);
}

Expected<DeviceTimer::Call> DeviceTimer::call_us(const std::function<Status(hipStream_t)>& enqueue) const {
  std::vector<double> device, host;
  for (int i = 0; i < kWarmUps + kCalls; ++i) {
    MXPROOF_RETURN_IF_ERROR(hip_status(hipEventRecord(start_, stream_), "hipEventRecord"));
    const auto start = std::chrono::steady_clock::now();
    MXPROOF_RETURN_IF_ERROR(enqueue(stream_));
    const std::chrono::duration<double, std::micro> handed_over = std::chrono::steady_clock::now() - start;
    MXPROOF_RETURN_IF_ERROR(hip_status(hipEventRecord(stop_, stream_), "hipEventRecord"));
    auto elapsed = elapsed_us();  // Waits, so that the next call finds an idle stream.
    if (!elapsed) return elapsed.status();
    if (i < kWarmUps) continue;
    device.push_back(*elapsed);
    host.push_back(handed_over.count());
  }
  return Call{median_of(device), median_of(host)};
}

}  // namespace mxproof
