// How long a CPU takes for the staged route on the six published shapes together, through HIP's own calls.
#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "bench/optimized/operands.hpp"
#include "bench/optimized/route_work.hpp"
#include "common/shapes/shape_list.hpp"
#include "emulator/select/select_device.hpp"
#include "optimized/device/check.hpp"

namespace mxproof::bench {
namespace {

Expected<std::vector<std::unique_ptr<Work>>> staged_works() {
  const auto shapes = parse_shapes("benchmark");
  if (!shapes) return shapes.status();
  std::vector<std::unique_ptr<Work>> works;
  for (const GemmShape& shape : *shapes) {
    auto operands = Operands::make(shape, 1, 1);
    if (!operands) return operands.status();
    auto work = make_route_work(Route::staged, *operands);
    if (!work) return work.status();
    works.push_back(*std::move(work));
  }
  return works;
}

Status run_all(const std::vector<std::unique_ptr<Work>>& works) {
  for (const auto& work : works) MXPROOF_RETURN_IF_ERROR(work->enqueue(0, nullptr));
  return hip_status(hipDeviceSynchronize(), "hipDeviceSynchronize");
}

void staged_six_shapes(benchmark::State& state) {
  const auto works = staged_works();
  if (!works) return state.SkipWithError(works.status().message().c_str());
  for (auto _ : state) {
    const Status status = run_all(*works);
    if (!status) return state.SkipWithError(status.message().c_str());
  }
  state.counters["shapes"] = static_cast<double>(works->size());
}
BENCHMARK(staged_six_shapes)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mxproof::bench

int main(int argc, char** argv) {
  ::setenv("MXPROOF_DEVICE", "emulator", 1);
  if (const mxproof::Status status = mxproof::emulator::select_device(argc, argv); !status) {
    fmt::print(stderr, "bench_emulator_staged: {}\n", status.message());
    return 1;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  return benchmark::RunSpecifiedBenchmarks() == 0 ? 1 : 0;
}
