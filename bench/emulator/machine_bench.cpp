// How fast the machine runs: wave-instructions a second over our GEMM, nanoseconds for one FP4 matrix
// instruction.
#include <benchmark/benchmark.h>

#include <cstring>
#include <fstream>
#include <random>
#include <string>

#include "emulator/machine/launch.hpp"
#include "optimized/gemm/params.hpp"

namespace mxproof::emulator {
namespace {

Expected<CodeObject> load(const std::string& name) {
  std::ifstream file(std::string(MXPROOF_BENCH_CODE) + "/" + name, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  return CodeObject::load(std::as_bytes(std::span(bytes)));
}

const Kernel* kernel_with(const CodeObject& code_object, const std::string& part) {
  for (const Kernel& kernel : code_object.kernels()) {
    if (kernel.name.find(part) != std::string::npos) return &kernel;
  }
  return nullptr;
}

std::vector<uint8_t> random_bytes(size_t count, uint8_t low, uint8_t high) {
  std::mt19937 random(1);
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(low + random() % (high - low + 1U));
  return bytes;
}

template <class T>
std::vector<std::byte> kernarg_of(const T& arguments, const Kernel& kernel) {
  std::vector<std::byte> bytes(std::max<size_t>(sizeof arguments, kernel.kernarg_bytes));
  std::memcpy(bytes.data(), &arguments, sizeof arguments);
  return bytes;
}

/// gemm_a4w4, tile 64x128 of 4 waves, on M x N x K; argument 3 is the number of host threads.
void gemm(benchmark::State& state) {
  constexpr int64_t kTileM = 64;
  constexpr int64_t kTileN = 128;
  const int64_t m = state.range(0);
  const int64_t n = state.range(1);
  const int64_t k = state.range(2);
  const auto code_object = load("gemm_a4w4.co");
  const Kernel* kernel = code_object.ok() ? kernel_with(*code_object, "TileILi64ELi128ELi4E") : nullptr;
  if (kernel == nullptr) return state.SkipWithError("no such kernel");
  const int64_t padded_blocks = (k / 32 + 7) / 8 * 8;
  auto a = random_bytes(static_cast<size_t>(m * k / 2), 0, 255);
  auto b = random_bytes(static_cast<size_t>(n * k / 2), 0, 255);
  auto a_scales = random_bytes(static_cast<size_t>((m + 255) / 256 * 256 * padded_blocks), 120, 130);
  auto b_scales = random_bytes(static_cast<size_t>((n + 255) / 256 * 256 * padded_blocks), 120, 130);
  std::vector<uint16_t> c(static_cast<size_t>(m * n));
  GlobalMemory memory;
  for (auto* bytes : {&a, &b, &a_scales, &b_scales}) {
    if (!memory.add(bytes->data(), bytes->size()).ok()) return state.SkipWithError("memory");
  }
  if (!memory.add(c.data(), c.size() * sizeof(uint16_t)).ok()) return state.SkipWithError("memory");
  GemmParams params{};
  params.a = a.data();
  params.a_scales = a_scales.data();
  params.b = b.data();
  params.b_scales = b_scales.data();
  params.c = c.data();
  params.m = m;
  params.n = n;
  params.a_stride = static_cast<decltype(params.a_stride)>(k / 2);
  params.c_stride = n;
  params.blocks = static_cast<int32_t>(k / 32);
  params.a_padded_blocks = static_cast<int32_t>(padded_blocks);
  params.b_padded_blocks = static_cast<int32_t>(padded_blocks);
  params.chunks_per_split = static_cast<int32_t>((k + 255) / 256);
  params.c_whole_runs = true;
  const auto kernarg = kernarg_of(params, *kernel);
  LaunchConfig config;
  config.grid = {static_cast<uint32_t>((m + kTileM - 1) / kTileM),
                 static_cast<uint32_t>((n + kTileN - 1) / kTileN), 1};
  config.block = {256, 1, 1};
  config.kernarg = kernarg;
  config.threads = static_cast<unsigned>(state.range(3));
  uint64_t instructions = 0;
  uint64_t matrix = 0;
  for (auto _ : state) {
    const auto report = launch(*code_object, *kernel, config, memory);
    if (!report.ok()) return state.SkipWithError(report.status().message().c_str());
    instructions += report->wave_instructions;
    matrix += report->by_class[static_cast<size_t>(InstructionClass::matrix)];
  }
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
