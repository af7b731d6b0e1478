#include "bench/optimized/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "optimized/device/check.hpp"

namespace mxproof::bench {
namespace {

/// A graph holds at least this many calls, so that starting it (about 20 us) adds 0.1 us a call at most.
constexpr int kFewestGraphCalls = 200;
constexpr int kEagerCalls = 100;
constexpr double kTargetMs = 10;  ///< Timed work of one repeat.
constexpr double kWarmUpMs = 10;  ///< Work before it, so that clocks have left idle.
constexpr int kFewestReplays = 3;
constexpr int kMostReplays = 200;

double microseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The sets that a loop goes through: all of them in whole rounds (cold) or the checked one again and again,
/// and at least `fewest` calls.
std::vector<int> sets_of(const Work& work, bool cold, int fewest) {
  std::vector<int> sets;
  do {
    for (int set = 0; set < work.sets(); ++set) {
      if (cold || set == work.checked_set()) sets.push_back(set);
    }
  } while (static_cast<int>(sets.size()) < fewest);
  return sets;
}

/// A captured graph, ready to be replayed.
class Replay {
 public:
  Replay() = default;
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  ~Replay() {
    if (exec_ != nullptr) static_cast<void>(hipGraphExecDestroy(exec_));
    if (graph_ != nullptr) static_cast<void>(hipGraphDestroy(graph_));
  }

  Status capture(const Work& work, const std::vector<int>& sets, hipStream_t stream) {
    MXPROOF_RETURN_IF_ERROR(
        hip_status(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), "hipStreamBeginCapture"));
    Status enqueued;
    for (const int set : sets) {
      enqueued = work.enqueue(set, stream);
      if (!enqueued) break;
    }
    // Ended in any case, or the stream stays unusable.
    const hipError_t ended = hipStreamEndCapture(stream, &graph_);
    if (!enqueued) return enqueued;
    MXPROOF_RETURN_IF_ERROR(hip_status(ended, "hipStreamEndCapture"));
    return hip_status(hipGraphInstantiate(&exec_, graph_, nullptr, nullptr, 0), "hipGraphInstantiate");
  }

  Status launch(hipStream_t stream) const {
    return hip_status(hipGraphLaunch(exec_, stream), "hipGraphLaunch");
  }

 private:
  hipGraph_t graph_ = nullptr;
  hipGraphExec_t exec_ = nullptr;
};

}  // namespace

Expected<Stopwatch> Stopwatch::make() {
  Stopwatch watch;
  MXPROOF_RETURN_IF_ERROR(hip_status(hipStreamCreate(&watch.stream_), "hipStreamCreate"));
  MXPROOF_RETURN_IF_ERROR(hip_status(hipEventCreate(&watch.start_), "hipEventCreate"));
  MXPROOF_RETURN_IF_ERROR(hip_status(hipEventCreate(&watch.stop_), "hipEventCreate"));
  return watch;
}

Stopwatch::~Stopwatch() {
  // Nothing useful can be done about an error here.
  if (stop_ != nullptr) static_cast<void>(hipEventDestroy(stop_));
  if (start_ != nullptr) static_cast<void>(hipEventDestroy(start_));
  if (stream_ != nullptr) static_cast<void>(hipStreamDestroy(stream_));
}

Stopwatch::Stopwatch(Stopwatch&& other) noexcept
    : stream_(std::exchange(other.stream_, nullptr)),
      start_(std::exchange(other.start_, nullptr)),
      stop_(std::exchange(other.stop_, nullptr)) {}

Expected<double> Stopwatch::elapsed_us() const {
  MXPROOF_RETURN_IF_ERROR(hip_status(hipEventSynchronize(stop_), "hipEventSynchronize"));
  float milliseconds = 0;
  MXPROOF_RETURN_IF_ERROR(
      hip_status(hipEventElapsedTime(&milliseconds, start_, stop_), "hipEventElapsedTime"));
  return 1e3 * static_cast<double>(milliseconds);
}

Expected<Timing> Stopwatch::time_graph(const Work& work, bool cold, int replays) {
  const std::vector<int> sets = sets_of(work, cold, kFewestGraphCalls);
  Replay replay;
  MXPROOF_RETURN_IF_ERROR(replay.capture(work, sets, stream_));
  std::vector<double> device, host;
  const auto once = [&]() -> Status {
    MXPROOF_RETURN_IF_ERROR(hip_status(hipEventRecord(start_, stream_), "hipEventRecord"));
    const auto start = std::chrono::steady_clock::now();
    MXPROOF_RETURN_IF_ERROR(replay.launch(stream_));
    host.push_back(microseconds_since(start));
    MXPROOF_RETURN_IF_ERROR(hip_status(hipEventRecord(stop_, stream_), "hipEventRecord"));
    auto elapsed = elapsed_us();
    if (!elapsed) return elapsed.status();
    device.push_back(*elapsed);
    return {};
  };
  const auto warm_up = std::chrono::steady_clock::now();
  do {
    MXPROOF_RETURN_IF_ERROR(once());
  } while (microseconds_since(warm_up) < 1e3 * kWarmUpMs);
  if (replays == 0) {
    replays = std::clamp(static_cast<int>(1e3 * kTargetMs / device.back()), kFewestReplays, kMostReplays);
  }
  device.clear();
  host.clear();
  for (int i = 0; i < replays; ++i) MXPROOF_RETURN_IF_ERROR(once());
  const auto calls = static_cast<double>(sets.size());
  return Timing{median_of(device) / calls, median_of(host) / calls, replays * static_cast<int>(sets.size())};
}

Expected<Timing> Stopwatch::time_eager(const Work& work, bool cold) {
  const std::vector<int> sets = sets_of(work, cold, kEagerCalls);
  std::vector<double> device, host;
  size_t next = 0;
  const auto once = [&]() -> Status {
    const int set = sets[next++ % sets.size()];
    MXPROOF_RETURN_IF_ERROR(hip_status(hipEventRecord(start_, stream_), "hipEventRecord"));
    const auto start = std::chrono::steady_clock::now();
    MXPROOF_RETURN_IF_ERROR(work.enqueue(set, stream_));
    host.push_back(microseconds_since(start));
    MXPROOF_RETURN_IF_ERROR(hip_status(hipEventRecord(stop_, stream_), "hipEventRecord"));
    auto elapsed = elapsed_us();  // Waits, so that the next call finds an idle stream.
    if (!elapsed) return elapsed.status();
    device.push_back(*elapsed);
    return {};
  };
  const auto warm_up = std::chrono::steady_clock::now();
  do {
    MXPROOF_RETURN_IF_ERROR(once());
  } while (microseconds_since(warm_up) < 1e3 * kWarmUpMs);
  device.clear();
  host.clear();
  // Once through the whole list, so that a cold loop writes every output.
  for (size_t i = 0; i < sets.size(); ++i) MXPROOF_RETURN_IF_ERROR(once());
  return Timing{median_of(device), median_of(host), static_cast<int>(sets.size())};
}

Status Stopwatch::run_once(const Work& work) {
  MXPROOF_RETURN_IF_ERROR(work.enqueue(work.checked_set(), stream_));
  return hip_status(hipStreamSynchronize(stream_), "hipStreamSynchronize");
}

}  // namespace mxproof::bench
