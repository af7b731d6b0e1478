#include "bench/optimized/tuning.hpp"

#include <algorithm>
#include <memory>

#include "bench/optimized/operands.hpp"
#include "bench/optimized/route_work.hpp"
#include "bench/optimized/stopwatch.hpp"
#include "optimized/device/check.hpp"
#include "optimized/gemm/chunk_size.hpp"
#include "tools/profile/launch_model.hpp"

namespace mxproof::bench {
namespace {

using OperandsPtr = std::shared_ptr<const Operands>;

constexpr int kSplits[] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28};
constexpr size_t kFinalists = 3;  ///< Of each route.
constexpr int kFinalRuns = 5;

/// Time of one call in a replayed graph over operands that are not in the cache.
Expected<double> timed_us(const Work& work) {
  auto stopwatch = Stopwatch::make();
  if (!stopwatch) return stopwatch.status();
  auto timing = stopwatch->time_graph(work, /*cold=*/true);
  if (!timing) return timing.status();
  return timing->device_us;
}

/// The same as a model of what was executed. The operands' bytes are counted with the launch that multiplies.
Expected<double> emulated_us(const Work& work, const GemmShape& shape, EmulatedCounts& counts) {
  auto stopwatch = Stopwatch::make();
  if (!stopwatch) return stopwatch.status();
  static_cast<void>(counts.take_launches().ok());  // What preparation executed.
  MXPROOF_RETURN_IF_ERROR(stopwatch->run_once(work));
  const auto launches = counts.take_launches();
  if (!launches) return launches.status();
  double us = 0;
  for (const LoggedLaunch& launch : *launches) {
    const auto bytes = launch.matrix_instructions > 0 ? static_cast<double>(product_bytes(shape)) : 0.0;
    us += modelled_us(launch, bytes);
  }
  return us;
}

Expected<std::unique_ptr<Work>> make_work(const Measurement& m, const OperandsPtr& operands) {
  GemmRequest request;
  request.shape = m.shape;
  request.route = m.choice.route;
  request.tile = m.choice.tile;
  request.splits = m.choice.splits;
  return make_route_work(request, operands);
}

/// Fills in check and us.
void measure(Measurement& m, const OperandsPtr& operands, const TuningConfig& config) {
  const auto run = [&]() -> Status {
    auto work = make_work(m, operands);
    if (!work) return work.status();
    MXPROOF_RETURN_IF_ERROR((*work)->poison());
    auto us = config.counts != nullptr ? emulated_us(**work, m.shape, *config.counts) : timed_us(**work);
    if (!us) return us.status();
    m.check = (*work)->check(/*all_sets=*/config.counts == nullptr);
    m.us = m.check.allows_time() ? *us : 0;
    return {};
  };
  if (Status status = run(); !status) m.check = Check::of(status);
}

/// Measures the best of each route several times more and keeps their medians.
void measure_finalists(std::vector<Measurement>& all, const OperandsPtr& operands,
                       const TuningConfig& config) {
  for (const Route route : config.routes) {
    std::vector<Measurement*> finalists;
    for (Measurement& m : all) {
      if (m.choice.route == route && m.check.allows_time()) finalists.push_back(&m);
    }
    std::sort(finalists.begin(), finalists.end(),
              [](const Measurement* x, const Measurement* y) { return x->us < y->us; });
    if (finalists.size() > kFinalists) finalists.resize(kFinalists);
    for (Measurement* m : finalists) {
      std::vector<double> times;
      for (int run = 0; run < kFinalRuns && m->check.allows_time(); ++run) {
        measure(*m, operands, config);
        times.push_back(m->us);
      }
      if (!m->check.allows_time()) continue;
      const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
      std::nth_element(times.begin(), middle, times.end());
      m->us = *middle;
    }
  }
}

}  // namespace

std::vector<Choice> tuning_candidates(Route route, const GemmShape& shape) {
  std::vector<Choice> candidates;
  const auto add_tiles = [&](int splits) {
    for (const TileConfig& tile : tile_variants(gemm_kernel(route, splits))) {
      const Choice choice{route, tile, splits, "tuning"};
      if (validate(choice, shape).ok()) candidates.push_back(choice);
    }
  };
  add_tiles(1);
  for (const int splits : kSplits) {
    // Only where splitting brings another kernel in; validate() refuses what K is too short for.
    if (gemm_kernel(route, splits) != gemm_kernel(route, 1)) add_tiles(splits);
  }
  return candidates;
}

Expected<std::vector<Measurement>> tune_shape(const GemmShape& shape, const TuningConfig& config,
                                              const std::function<void(const Measurement&)>& progress) {
  const int sets =
      config.counts != nullptr ? 1 : rotating_sets(product_bytes(shape), config.facts.cache_bytes);
  auto operands = Operands::make(shape, sets, config.seed);
  if (!operands) return operands.status();
  std::vector<Measurement> all;
  for (const Route route : config.routes) {
    for (const Choice& choice : tuning_candidates(route, shape)) {
      Measurement m{shape, choice, {}, 0};
      measure(m, *operands, config);
      progress(m);
      all.push_back(std::move(m));
    }
  }
  if (config.counts == nullptr) measure_finalists(all, *operands, config);
  return all;
}

std::vector<Measurement> best_of_routes(const std::vector<Measurement>& measurements) {
  std::vector<Measurement> best;
  for (const Route route : kRoutes) {
    const Measurement* found = nullptr;
    for (const Measurement& m : measurements) {
      if (m.choice.route != route || !m.check.allows_time()) continue;
      if (found == nullptr || m.us < found->us) found = &m;
    }
    if (found != nullptr) best.push_back(*found);
  }
  std::sort(best.begin(), best.end(), [](const Measurement& x, const Measurement& y) { return x.us < y.us; });
  return best;
}

}  // namespace mxproof::bench
