// The exact GEMM beside Eigen's float GEMM of the dequantised operands, interleaved in one run, on the same
// threads. Time of a row: the exact GEMM's. Counters: Eigen's time (the better of its two result orders), the
// ratio of medians and of best times (above 1 the exact one is faster).
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "bench/reference/eigen_gemm.hpp"
#include "common/random/fill.hpp"
#include "common/shape.hpp"
#include "reference/dequantize.hpp"
#include "reference/exact_product.hpp"
#include "reference/quantize.hpp"
#include "reference/simd/targets.hpp"

namespace mxproof::bench {
namespace {

constexpr uint64_t kSeed = 1;

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<int64_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}
double best(const std::vector<double>& times) {
  return *std::min_element(times.begin(), times.end());
}

template <class F>
double seconds(F&& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void exact_gemm_beside_eigen(benchmark::State& state, GemmShape shape, unsigned threads) {
  const Mxfp4Matrix a =
      reference::quantize(normal_matrix(shape.m, shape.k, kSeed, TensorId::a).view()).value();
  const Mxfp4Matrix b =
      reference::quantize(normal_matrix(shape.n, shape.k, kSeed, TensorId::b).view()).value();
  const Matrix<float> wide_a = reference::dequantize_f32(a);
  const Matrix<float> wide_b = reference::dequantize_f32(b);
  Matrix<float> eigen(shape.m, shape.n);

  // The data lie in the exact zone, so the yardstick must agree to the last bit, or one of the two is wrong.
  const reference::Product product = reference::exact_product(a, b, threads);
  eigen_gemm(wide_a, wide_b, threads, false, eigen);
  if (product.f32.data != eigen.data) {
    state.SkipWithError("the exact GEMM and Eigen differ inside the exact zone");
    return;
  }

  std::vector<double> exact_times;
  std::vector<double> row_times;
  std::vector<double> col_times;
  for (auto _ : state) {
    row_times.push_back(seconds([&] { eigen_gemm(wide_a, wide_b, threads, false, eigen); }));
    col_times.push_back(seconds([&] { eigen_gemm(wide_a, wide_b, threads, true, eigen); }));
    const double time =
        seconds([&] { benchmark::DoNotOptimize(reference::exact_product(a, b, threads).f32.data.data()); });
    exact_times.push_back(time);
    state.SetIterationTime(time);
  }
  const double eigen_median = std::min(median(row_times), median(col_times));
  const double eigen_best = std::min(best(row_times), best(col_times));
  state.counters["eigen_ms"] = eigen_median * 1e3;
  state.counters["ratio"] = eigen_median / median(exact_times);
  state.counters["ratio_of_best"] = eigen_best / best(exact_times);
  state.counters["GMAC/s"] = static_cast<double>(shape.m * shape.n * shape.k) / median(exact_times) * 1e-9;
  state.SetLabel(reference::simd::supported_targets().front().name);
}

const int kRegistered = [] {
  for (const GemmShape shape : {GemmShape{64, 7168, 2048}, GemmShape{256, 3072, 1536},
                                GemmShape{16, 2112, 7168}, GemmShape{4, 2880, 512}}) {
    for (unsigned threads = 1; threads <= std::max(1u, std::thread::hardware_concurrency()); threads *= 2) {
      benchmark::RegisterBenchmark(
          fmt::format("exact_gemm/{}x{}x{}/threads:{}", shape.m, shape.n, shape.k, threads).c_str(),
          [shape, threads](benchmark::State& state) { exact_gemm_beside_eigen(state, shape, threads); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond)
          ->Iterations(15);
    }
  }
  return 0;
}();

}  // namespace
}  // namespace mxproof::bench
