// Converting a buffer to each layout and back on one core: bytes of the plain buffer a second, beside a copy
// of as many bytes.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "common/layout/any_layout.hpp"
#include "common/random/fill.hpp"

namespace mxproof::bench {
namespace {

// B of the shape (64, 7168, 2048): extents that every layout accepts.
constexpr int64_t kRows = 7168;
constexpr int64_t kK = 2048;
constexpr uint8_t kFill = 0xFF;

std::vector<uint8_t> plain_buffer(const Extent& extent) {
  std::vector<uint8_t> plain(static_cast<size_t>(extent.size()));
  fill_bytes(plain, /*seed=*/1, TensorId::b);
  return plain;
}

void convert(benchmark::State& state, const LayoutInfo& info, bool back) {
  const Extent extent = extent_of(info.kind, kRows, kK);
  auto layout = AnyLayout::make(info.name, extent);
  if (!layout) {
    state.SkipWithError(std::string(layout.status().message()).c_str());
    return;
  }
  const std::vector<uint8_t> plain = plain_buffer(extent);
  const std::vector<uint8_t> packed = pack(*layout, plain, kFill);
  std::vector<uint8_t> result;
  while (state.KeepRunning()) {
    result = back ? unpack(*layout, packed) : pack(*layout, plain, kFill);
    benchmark::DoNotOptimize(result.data());
  }
  // What was timed must be a round trip.
  if ((back ? result : unpack(*layout, result)) != plain) {
    state.SkipWithError("the round trip does not give the plain buffer back");
  }
  state.SetBytesProcessed(state.iterations() * extent.size());
}

void copy(benchmark::State& state, LayoutKind kind) {
  const std::vector<uint8_t> plain = plain_buffer(extent_of(kind, kRows, kK));
  std::vector<uint8_t> result(plain.size());
  while (state.KeepRunning()) {
    std::memcpy(result.data(), plain.data(), plain.size());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(plain.size()));
}

const int kRegistered = [] {
  const auto add = [](const std::string& name, auto run) {
    benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMicrosecond);
  };
  add("copy/scales", [](benchmark::State& state) { copy(state, LayoutKind::scales); });
  add("copy/codes", [](benchmark::State& state) { copy(state, LayoutKind::codes); });
  for (const LayoutInfo& info : all_layouts()) {
    add(fmt::format("pack/{}", info.name), [info](benchmark::State& state) { convert(state, info, false); });
    add(fmt::format("unpack/{}", info.name), [info](benchmark::State& state) { convert(state, info, true); });
  }
  return 0;
}();

}  // namespace
}  // namespace mxproof::bench
