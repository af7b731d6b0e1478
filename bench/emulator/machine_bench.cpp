// How fast the machine runs: wave-instructions a second over our GEMM, nanoseconds for one FP4 matrix
// instruction, and how much slower watchers make it.
#include <benchmark/benchmark.h>

#include <ctime>
#include <string>

#include "bench/emulator/gemm_case.hpp"

namespace mxproof::emulator {
namespace {

Expected<CodeObject> load(const std::string& name) {
  return load_code(std::string(MXPROOF_BENCH_CODE) + "/" + name);
}

/// Runs gemm_a4w4 on M x N x K: `measure` gets a function that does it once.
template <class Measure>
void with_gemm(benchmark::State& state, int64_t m, int64_t n, int64_t k, unsigned threads, Measure measure) {
  const auto code_object = load("gemm_a4w4.co");
  const Kernel* kernel = code_object.ok() ? kernel_with(*code_object, GemmCase::kKernel) : nullptr;
  if (kernel == nullptr) return state.SkipWithError("no such kernel");
  const GemmCase gemm(*kernel, m, n, k);
  if (!gemm.ok()) return state.SkipWithError("memory");
  LaunchConfig config = gemm.config();
  config.threads = threads;
  measure([&](const WatchRequest& watch) -> Expected<LaunchReport> {
    std::vector<WatchReport> reports;
    config.watch = watch;
    config.reports = &reports;
    auto report = launch(*code_object, *kernel, config, gemm.memory());
    if (!reports.empty()) return Status::internal(to_text(reports.front()));
    return report;
  });
}

/// Arguments: M, N, K, host threads.
void gemm(benchmark::State& state) {
  uint64_t instructions = 0;
  uint64_t matrix = 0;
  const auto measure = [&](const auto& run) {
    for (auto _ : state) {
      const auto report = run({});
      if (!report.ok()) return state.SkipWithError(report.status().message().c_str());
      instructions += report->wave_instructions;
      matrix += report->by_class[static_cast<size_t>(InstructionClass::matrix)];
    }
  };
  with_gemm(state, state.range(0), state.range(1), state.range(2), static_cast<unsigned>(state.range(3)),
            measure);
  state.counters["wave_instructions"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
  state.counters["matrix"] = benchmark::Counter(static_cast<double>(matrix), benchmark::Counter::kIsRate);
}
BENCHMARK(gemm)
    ->Args({256, 3072, 1536, 1})
    ->Args({256, 3072, 1536, 2})
    ->Args({64, 7168, 2048, 2})
    ->ArgNames({"m", "n", "k", "threads"})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// CPU time of the process so far: unlike the time of day, another program's load does not change it much.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The same GEMM without and with watchers, in turns: `times_slower` is the ratio of the CPU times.
void watched_gemm(benchmark::State& state, const WatchRequest& watch) {
  double plain = 0;
  double watched = 0;
  const auto measure = [&](const auto& run) {
    const auto timed = [&](const WatchRequest& request, double& sum) {
      const double start = cpu_seconds();
      const auto report = run(request);
      sum += cpu_seconds() - start;
      if (!report.ok()) state.SkipWithError(report.status().message().c_str());
      return report.ok();
    };
    for (auto _ : state) {
      if (!timed({}, plain) || !timed(watch, watched)) return;
    }
  };
  with_gemm(state, 256, 3072, 1536, static_cast<unsigned>(state.range(0)), measure);
  state.counters["times_slower"] = watched / plain;
}

void register_watched() {
  const auto add = [](const std::string& name, const WatchRequest& watch) {
    benchmark::RegisterBenchmark(name.c_str(), watched_gemm, watch)
        ->ArgName("threads")
        ->Arg(1)
        ->Arg(2)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  };
  add("watched_gemm/all", {WatchSet::all(), false});
  add("watched_gemm/counts", {{}, true});
  for (const WatcherInfo& info : all_watchers()) {
    WatchSet one;
    one.add(info.watcher);
    add("watched_gemm/" + std::string(info.name), {one, false});
  }
}
[[maybe_unused]] const bool kRegistered = (register_watched(), true);

void fp4_mfma(benchmark::State& state) {
  const auto code_object = load("mfma.co");
  const Kernel* kernel = code_object.ok() ? code_object->find("fp4_chains") : nullptr;
  if (kernel == nullptr) return state.SkipWithError("no such kernel");
  auto a = random_bytes(64 * 32, 0, 255);
  auto b = random_bytes(64 * 32, 0, 255);
  std::vector<float> d(8 * 64 * 4);
  GlobalMemory memory;
  for (auto* bytes : {&a, &b}) {
    if (!memory.add(bytes->data(), bytes->size()).ok()) return state.SkipWithError("memory");
  }
  if (!memory.add(d.data(), d.size() * sizeof(float)).ok()) return state.SkipWithError("memory");
  struct {
    const void* a;
    const void* b;
    void* d;
    int steps;
  } const arguments = {a.data(), b.data(), d.data(), 1000};
  const auto kernarg = kernarg_of(arguments, *kernel);
  LaunchConfig config;
  config.block = {64, 1, 1};
  config.kernarg = kernarg;
  config.threads = 1;
  uint64_t matrix = 0;
  for (auto _ : state) {
    const auto report = launch(*code_object, *kernel, config, memory);
    if (!report.ok()) return state.SkipWithError(report.status().message().c_str());
    matrix += report->by_class[static_cast<size_t>(InstructionClass::matrix)];
  }
  state.counters["per_mfma"] = benchmark::Counter(static_cast<double>(matrix),
                                                  benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(fp4_mfma)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mxproof::emulator
