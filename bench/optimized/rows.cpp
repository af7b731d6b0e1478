#include "bench/optimized/rows.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "bench/optimized/floor.hpp"
#include "bench/optimized/kernel_work.hpp"
#include "bench/optimized/operands.hpp"
#include "bench/optimized/peers.hpp"
#include "bench/optimized/route_work.hpp"
#include "bench/optimized/stopwatch.hpp"
#include "common/shapes/shape_list.hpp"

namespace mxproof::bench {
namespace {

/// Made on first use, once; an error stays an error.
template <class T>
class Lazy {
 public:
  explicit Lazy(std::function<Expected<T>()> make) : make_(std::move(make)) {}
  Expected<T>& get() {
    if (!made_) made_.emplace(make_());
    return *made_;
  }

 private:
  std::function<Expected<T>()> make_;
  std::optional<Expected<T>> made_;
};

using LazyOperands = Lazy<std::shared_ptr<const Operands>>;
using LazyWork = Lazy<std::unique_ptr<Work>>;
using MakeWork = std::function<Expected<std::unique_ptr<Work>>(std::shared_ptr<const Operands>)>;

/// What a row does, and the numbers that its columns are computed from.
struct RowSpec {
  std::string path;
  Kind kind;
  double bytes = 0;
  double flop = 0;
  std::shared_ptr<LazyWork> work;
};

enum class Mode { graph, eager };

/// Times one repeat. The label and the counters go to `state`.
class RowRunner {
 public:
  RowRunner(RowSpec spec, bool cold, Mode mode, const RowsConfig& config)
      : spec_(std::move(spec)), cold_(cold), mode_(mode), facts_(config.facts), counts_(config.counts) {}

  void operator()(benchmark::State& state) {
    Timing timing;
    const Check check = run(state, timing);
    state.SetLabel(row_label(check, spec_.kind));
    if (!check.allows_time()) state.SkipWithError(check.message.c_str());
    for (auto _ : state) state.SetIterationTime(1e-6 * timing.device_us);
  }

 private:
  Check run(benchmark::State& state, Timing& timing) {
    auto& made = spec_.work->get();
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
    for (const auto& [name, value] : *counts) state.counters[name] = value;
    return {};
  }

  RowSpec spec_;
  bool cold_;
  Mode mode_;
  DeviceFacts facts_;
  EmulatedCounts* counts_;
};

void register_row(const RowSpec& spec, const std::string& shape, bool cold, Mode mode,
                  const RowsConfig& config) {
  const std::string name = fmt::format("{}/{}/{}/{}", spec.path, shape, cold ? "cold" : "hot",
                                       mode == Mode::graph ? "graph" : "eager");
  auto* row = benchmark::RegisterBenchmark(name.c_str(), RowRunner(spec, cold, mode, config));
  // One iteration is one repeat: the calls inside it are ours to count, not the library's to guess.
  row->UseManualTime()->Iterations(1)->Unit(benchmark::kMicrosecond);
  if (config.counts != nullptr) row->Repetitions(1);  // Counts do not vary.
}

void register_modes(const RowSpec& spec, const std::string& shape, bool can_be_cold,
                    const RowsConfig& config) {
  if (config.counts != nullptr) {
    register_row(spec, shape, /*cold=*/false, Mode::eager, config);
    return;
  }
  for (const Mode mode : {Mode::graph, Mode::eager}) {
    if (can_be_cold) register_row(spec, shape, /*cold=*/true, mode, config);
    register_row(spec, shape, /*cold=*/false, mode, config);
  }
}

/// All rows of one shape.
class ShapeRows {
 public:
  ShapeRows(const GemmShape& shape, const RowsConfig& config) : shape_(shape), config_(config) {
    sets_ = config.counts != nullptr ? 1 : rotating_sets(product_bytes(shape), config.facts.cache_bytes);
    operands_ = std::make_shared<LazyOperands>(
        [shape, sets = sets_, seed = config.seed] { return Operands::make(shape, sets, seed); });
  }

  void add(std::string path, Kind kind, double bytes, double flop, const MakeWork& make) const {
    const auto work =
        std::make_shared<LazyWork>([operands = operands_, make]() -> Expected<std::unique_ptr<Work>> {
          auto& made = operands->get();
          if (!made) return made.status();
          return make(*made);
        });
    // All sets together must not fit the cache, or a loop over them is not cold.
    const bool can_be_cold = bytes * sets_ >= 2.0 * static_cast<double>(config_.facts.cache_bytes);
    register_modes({std::move(path), kind, bytes, flop, work}, to_string(shape_), can_be_cold, config_);
  }

  void add_all() const {
    const double flop =
        2.0 * static_cast<double>(shape_.m) * static_cast<double>(shape_.n) * static_cast<double>(shape_.k);
    const auto bytes = static_cast<double>(product_bytes(shape_));
    for (const Route route : kRoutes) {
      add(std::string(route_name(route)), Kind::route, bytes, flop,
          [route](auto operands) { return make_route_work(route, std::move(operands)); });
    }
    for (const KernelInfo& kernel : kKernels) {
      add(std::string(kernel.name), Kind::kernel, static_cast<double>(kernel_bytes(kernel, shape_)),
          (kernel.flags & kMultiplies) != 0 ? flop : 0,
          [id = kernel.id](auto operands) { return make_kernel_work(id, std::move(operands)); });
    }
    if (config_.counts != nullptr) return;  // Counts of a peer mean nothing beside ours.
    add("stream_floor", Kind::floor, bytes, 0, [units = config_.compute_units](auto operands) {
      return make_stream_floor(std::move(operands), units);
    });
    for (const Peer& peer : peers()) {
      add(std::string(peer.name), Kind::peer, static_cast<double>(peer.bytes(shape_)), flop,
          [make = peer.make](auto operands) { return make(std::move(operands)); });
    }
  }

 private:
  GemmShape shape_;
  const RowsConfig& config_;
  int sets_;
  std::shared_ptr<LazyOperands> operands_;
};

}  // namespace

void register_rows(const RowsConfig& config) {
  for (const GemmShape& shape : config.shapes) ShapeRows(shape, config).add_all();
  if (config.counts != nullptr) return;
  constexpr int kCalls = 200;
  const auto work = std::make_shared<LazyWork>(
      []() -> Expected<std::unique_ptr<Work>> { return make_empty_launch(kCalls); });
  register_modes({"empty_launch", Kind::floor, 0, 0, work}, "any", /*can_be_cold=*/false, config);
}

}  // namespace mxproof::bench
