// A run with invented times, through everything that a real run goes through: three good rows, a wrong one, a
// refused one. SAMPLE_SLOWDOWN multiplies the times. Exit 3 when rows outlive the run. Usage: sample_run
// --out=FILE
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>

#include "bench/run/row_label.hpp"
#include "bench/run/run.hpp"

namespace mxproof::bench {
namespace {

Check verdict(Verdict verdict, const char* message = "") {
  Check check;
  check.verdict = verdict;
  check.message = message;
  check.id = 0x0123456789abcdef;
  return check;
}

/// Stands for what a real row owns on a device.
std::weak_ptr<int> owned_by_rows;

void register_sample(const char* name, double us, const Check& check) {
  const auto owned = owned_by_rows.expired() ? std::make_shared<int>() : owned_by_rows.lock();
  owned_by_rows = owned;
  benchmark::RegisterBenchmark(name,
                               [us, check, owned](benchmark::State& state) {
                                 static std::mt19937_64 random(7);
                                 static std::normal_distribution<double> noise(1.0, 0.01);
                                 state.SetLabel(row_label(check, Kind::route));
                                 state.counters["flop"] = 2.0 * 4 * 2880 * 512;
                                 if (!check.allows_time()) state.SkipWithError(check.message.c_str());
                                 while (state.KeepRunning())
                                   state.SetIterationTime(1e-6 * us * noise(random));
                               })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMicrosecond);
}

int run(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  auto options = take_options(words);
  if (!options) {
    std::fprintf(stderr, "sample_run: %s\n", options.status().message().c_str());
    return 2;
  }
  const char* text = std::getenv("SAMPLE_SLOWDOWN");
  const double slowdown = text == nullptr ? 1.0 : std::strtod(text, nullptr);
  register_sample("staged/4x2880x512/cold/graph", 2.5 * slowdown, verdict(Verdict::bit_equal));
  register_sample("staged/4x2880x512/cold/eager", 7.5 * slowdown, verdict(Verdict::within_bound));
  register_sample("direct/4x2880x512/cold/graph", 1.5 * slowdown, verdict(Verdict::bit_equal));
  register_sample("fused/4x2880x512/cold/graph", 0.1,
                  verdict(Verdict::mismatch, "7 of 11520 outputs differ"));
  register_sample("one_kernel/4x2880x512/cold/graph", 0.1,
                  verdict(Verdict::refused, "needs K a multiple of 64"));
  RunContext context;
  context.device = "Sample GPU";
  context.driver = "driver 1";
  context.seed = 7;
  context.inputs = "none";
  context.state = [] { return std::string("sm 1980 MHz"); };
  const int code = run_benchmarks(context, *options, std::move(words));
  if (owned_by_rows.expired()) return code;
  std::fprintf(stderr, "sample_run: rows outlive the run\n");
  return 3;
}

}  // namespace
}  // namespace mxproof::bench

int main(int argc, char** argv) {
  return mxproof::bench::run(argc, argv);
}
