#include "bench/optimized/row_runner.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <utility>

#include "bench/optimized/lazy.hpp"
#include "bench/optimized/stopwatch.hpp"

namespace mxproof::bench {
namespace {

using LazyWork = Lazy<std::unique_ptr<Work>>;

enum class Mode { graph, eager };

/// Times one repeat. The label and the counters go to `state`.
class RowRunner {
 public:
  RowRunner(WorkSpec spec, std::shared_ptr<LazyWork> work, bool cold, Mode mode, const DeviceFacts& facts,
            EmulatedCounts* counts)
      : spec_(std::move(spec)),
        work_(std::move(work)),
        cold_(cold),
        mode_(mode),
        facts_(facts),
        counts_(counts) {}

  void operator()(benchmark::State& state) {
    Timing timing;
    const Check check = run(state, timing);
    state.SetLabel(row_label(check, spec_.kind));
    if (!check.allows_time()) state.SkipWithError(check.message.c_str());
    while (state.KeepRunning()) state.SetIterationTime(1e-6 * timing.device_us);
  }

 private:
  Check run(benchmark::State& state, Timing& timing) {
    auto& made = work_->get();
    if (!made) return Check::of(made.status());
    Work& work = **made;
    if (Status status = work.poison(); !status) return Check::of(status);
    state.counters["launches"] = work.launches();
    if (spec_.bytes > 0) state.counters["bytes"] = spec_.bytes;
    if (spec_.flop > 0) state.counters["flop"] = spec_.flop;
    if (Status status = counts_ != nullptr ? count(work, state) : time(work, state, timing); !status) {
      return Check::of(status);
    }
    return work.check(cold_ && counts_ == nullptr);
  }

  Status time(const Work& work, benchmark::State& state, Timing& timing) {
    auto stopwatch = Stopwatch::make();
    if (!stopwatch) return stopwatch.status();
    auto timed =
        mode_ == Mode::graph ? stopwatch->time_graph(work, cold_) : stopwatch->time_eager(work, cold_);
    if (!timed) return timed.status();
    timing = *timed;
    state.counters["enqueue_us"] = timing.enqueue_us;
    state.counters["calls"] = timing.calls;
    if (spec_.bytes > 0) state.counters["bytes_per_second"] = 1e6 * spec_.bytes / timing.device_us;
    if (spec_.flop > 0) state.counters["flop_per_second"] = 1e6 * spec_.flop / timing.device_us;
    if (const double least = facts_.roofline_us(spec_.bytes, spec_.flop); least > 0) {
      state.counters["roofline_share"] = least / timing.device_us;
    }
    return {};
  }

  /// On an emulated device: what was executed, and no time.
  Status count(const Work& work, benchmark::State& state) {
    auto stopwatch = Stopwatch::make();
    if (!stopwatch) return stopwatch.status();
    if (auto before = counts_->take(); !before) static_cast<void>(before);  // What preparation executed.
    if (Status status = stopwatch->run_once(work); !status) return status;
    auto counts = counts_->take();
    if (!counts) return counts.status();
    const double least = facts_.roofline_us(spec_.bytes, spec_.flop);
    if (least > 0) state.counters["modelled_us"] = least;
    for (const auto& [name, value] : *counts) state.counters[name] = value;
    return {};
  }

  WorkSpec spec_;
  std::shared_ptr<LazyWork> work_;
  bool cold_;
  Mode mode_;
  DeviceFacts facts_;
  EmulatedCounts* counts_;
};

}  // namespace

void register_work(const WorkSpec& spec, const DeviceFacts& facts, EmulatedCounts* counts) {
  const auto work = std::make_shared<LazyWork>(spec.make);
  const auto register_row = [&](bool cold, Mode mode) {
    const std::string name = fmt::format("{}/{}/{}/{}", spec.path, spec.shape, cold ? "cold" : "hot",
                                         mode == Mode::graph ? "graph" : "eager");
    auto* row = benchmark::RegisterBenchmark(name.c_str(), RowRunner(spec, work, cold, mode, facts, counts));
    // One iteration is one repeat: the calls inside it are ours to count, not the library's to guess.
    row->UseManualTime()->Iterations(1)->Unit(benchmark::kMicrosecond);
    if (counts != nullptr) row->Repetitions(1);  // Counts do not vary.
  };
  if (counts != nullptr) {
    register_row(/*cold=*/false, Mode::eager);
    return;
  }
  for (const Mode mode : {Mode::graph, Mode::eager}) {
    if (spec.can_be_cold) register_row(/*cold=*/true, mode);
    register_row(/*cold=*/false, mode);
  }
}

}  // namespace mxproof::bench
