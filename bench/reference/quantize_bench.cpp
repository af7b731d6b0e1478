// The reference quantiser on one core: bytes of input a second.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstring>

#include "common/random/fill.hpp"
#include "reference/quantize.hpp"
#include "reference/simd/quantize_blocks.hpp"

namespace mxproof::bench {
namespace {

constexpr int64_t kRows = 256;
constexpr int64_t kCols = 7168;

void quantize_bf16(benchmark::State& state, const QuantPolicy& policy) {
  const Matrix<Bf16> values = normal_matrix(kRows, kCols, 1, TensorId::a);
  Mxfp4Matrix result(kRows, kCols);
  for (auto _ : state) {
    reference::simd::quantize_blocks(values.data.data(), kRows * kCols / kBlock, policy, result.codes.data(),
                                     result.scales.data());
    benchmark::ClobberMemory();
  }
  // What was timed must be what the scalar definition gives.
  for (int64_t b = 0; b < kRows * kCols / kBlock; b += 97) {
    float block[32];
    for (int64_t i = 0; i < 32; ++i) block[i] = values.data[static_cast<size_t>(b * 32 + i)].to_float();
    uint8_t codes[16];
    const uint8_t byte = reference::quantize_block(block, policy, codes);
    if (byte != result.scales[static_cast<size_t>(b)] ||
        std::memcmp(codes, result.codes.data() + b * 16, sizeof(codes)) != 0) {
      state.SkipWithError("the timed result differs from the scalar definition");
      return;
    }
  }
  state.SetBytesProcessed(state.iterations() * kRows * kCols * static_cast<int64_t>(sizeof(Bf16)));
}

const int kRegistered = [] {
  for (const QuantPolicy& policy : quant_presets()) {
    benchmark::RegisterBenchmark(fmt::format("quantize_bf16/{}", policy.name).c_str(),
                                 [policy](benchmark::State& state) { quantize_bf16(state, policy); })
        ->Unit(benchmark::kMillisecond);
  }
  return 0;
}();

}  // namespace
}  // namespace mxproof::bench
