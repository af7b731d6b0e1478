// Times work with device events, as a replayed graph or call by call.
#pragma once

#include "bench/optimized/work.hpp"

namespace mxproof::bench {

struct Timing {
  double device_us = 0;   ///< One call, between device events: the median.
  double enqueue_us = 0;  ///< Host time until one call has been handed over: the median.
  int calls = 0;          ///< How many calls were timed.
};

class Stopwatch {
 public:
  static Expected<Stopwatch> make();
  ~Stopwatch();
  Stopwatch(Stopwatch&& other) noexcept;
  Stopwatch& operator=(Stopwatch&&) = delete;

  /// Captures a graph of calls, in whole rounds over all sets (cold) or all with the checked set (hot),
  /// enough of them that starting the graph does not count, and replays it: warm-up until clocks have
  /// settled, then `replays` timed replays (0: as many as fill some milliseconds). Time and enqueue time are
  /// those of a replay divided by its calls.
  Expected<Timing> time_graph(const Work& work, bool cold, int replays = 0);

  /// Single calls on an idle stream, each between two events, over all sets (cold) or the checked one (hot).
  Expected<Timing> time_eager(const Work& work, bool cold);

  /// One call with the checked set, and waits for it.
  Status run_once(const Work& work);

 private:
  Stopwatch() = default;
  Expected<double> elapsed_us() const;

  hipStream_t stream_ = nullptr;
  hipEvent_t start_ = nullptr;
  hipEvent_t stop_ = nullptr;
};

}  // namespace mxproof::bench
