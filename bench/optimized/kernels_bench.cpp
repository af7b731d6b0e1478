// Every kernel of the list on the shapes of the published benchmark: host time from launch to completion. On
// the emulator that is the time of emulating, which says nothing about the chip; the label names the device.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <span>

#include "common/random/fill.hpp"
#include "optimized/device/buffer.hpp"
#include "optimized/device/check.hpp"
#include "optimized/device/info.hpp"
#include "optimized/gemm/gemm.hpp"
#include "optimized/quantize/quantize.hpp"
#include "optimized/shuffle/shuffle.hpp"
#if !defined(MXPROOF_PLATFORM_NVIDIA)
#include "emulator/select/select_device.hpp"
#endif

namespace mxproof {
namespace {

constexpr GemmShape kShapes[] = {{4, 2880, 512},  {16, 2112, 7168}, {32, 4096, 512},
                                 {32, 2880, 512}, {64, 7168, 2048}, {256, 3072, 1536}};
constexpr uint64_t kSeed = 1;
constexpr int kSplits = 4;

/// The operands of a shape in every layout. Random codes, scales between 2^-7 and 2^8: what the data is
/// changes the speed of a GPU, and this is what quantised weights look like.
struct Operands {
  GemmShape shape;
  DeviceBuffer a, a_codes, a_row_scales, a_scales, b, b_shuffled, b_row_scales, b_scales, c, partials;

  DeviceConstBf16 a_view() const { return {a.as<const Bf16>(), shape.m, shape.k, shape.k}; }
  DeviceBf16 c_view() const { return {c.as<Bf16>(), shape.m, shape.n, shape.n}; }
  Extent a_scale_extent() const { return {shape.m, shape.blocks()}; }
  Extent b_scale_extent() const { return {shape.n, shape.blocks()}; }
  DeviceCodes a_codes_view() const { return {a_codes.as(), CodesRowMajor({shape.m, shape.row_bytes()})}; }
  DeviceScales a_row_scales_view() const { return {a_row_scales.as(), ScaleRowMajor(a_scale_extent())}; }
  DeviceScales32x8 a_scales_view() const { return {a_scales.as(), Scale32x8(a_scale_extent())}; }
  DeviceCodes b_view() const { return {b.as(), CodesRowMajor({shape.n, shape.row_bytes()})}; }
  DeviceCodes16x16 b_shuffled_view() const {
    return {b_shuffled.as(), Codes16x16({shape.n, shape.row_bytes()})};
  }
  DeviceScales b_row_scales_view() const { return {b_row_scales.as(), ScaleRowMajor(b_scale_extent())}; }
  DeviceScales32x8 b_scales_view() const { return {b_scales.as(), Scale32x8(b_scale_extent())}; }
};

Status take(Expected<DeviceBuffer> made, DeviceBuffer& into) {
  if (!made) return made.status();
  into = std::move(*made);
  return {};
}

Status make_codes(int64_t bytes, TensorId tensor, DeviceBuffer& into) {
  std::vector<uint8_t> host(static_cast<size_t>(bytes));
  fill_bytes(host, kSeed, tensor);
  return take(DeviceBuffer::copy_of(host), into);
}

Status make_scales(int64_t bytes, DeviceBuffer& into) {
  std::vector<uint8_t> host(static_cast<size_t>(bytes));
  fill_bytes(host, kSeed, TensorId::scales);
  for (uint8_t& byte : host) byte = static_cast<uint8_t>(120 + byte % 16);
  return take(DeviceBuffer::copy_of(host), into);
}

Status make_operands(const GemmShape& shape, Operands& o) {
  o.shape = shape;
  const int64_t a_padded = Scale32x8(o.a_scale_extent()).padded().size();
  const int64_t b_padded = Scale32x8(o.b_scale_extent()).padded().size();
  MXPROOF_RETURN_IF_ERROR(
      take(DeviceBuffer::copy_of(normal_matrix(shape.m, shape.k, kSeed, TensorId::a).data), o.a));
  MXPROOF_RETURN_IF_ERROR(make_codes(shape.m * shape.row_bytes(), TensorId::a, o.a_codes));
  MXPROOF_RETURN_IF_ERROR(make_codes(shape.n * shape.row_bytes(), TensorId::b, o.b));
  MXPROOF_RETURN_IF_ERROR(make_codes(shape.n * shape.row_bytes(), TensorId::b, o.b_shuffled));
  MXPROOF_RETURN_IF_ERROR(make_scales(o.a_scale_extent().size(), o.a_row_scales));
  MXPROOF_RETURN_IF_ERROR(make_scales(a_padded, o.a_scales));
  MXPROOF_RETURN_IF_ERROR(make_scales(o.b_scale_extent().size(), o.b_row_scales));
  MXPROOF_RETURN_IF_ERROR(make_scales(b_padded, o.b_scales));
  MXPROOF_RETURN_IF_ERROR(take(DeviceBuffer::make(shape.m * shape.n * 2), o.c));
  return take(DeviceBuffer::make(kSplits * shape.m * shape.n * 4), o.partials);
}

TileConfig tile(KernelId kernel, const Operands& o) {
  return default_tile(kernel, o.shape);
}

// launch_NAME for every kernel of the list; one that is missing here does not compile.
Expected<Launch> launch_quantize(const Operands& o) {
  return quantize_launch(o.a_view(), o.a_codes_view(), o.a_row_scales_view());
}
Expected<Launch> launch_shuffle_scales(const Operands& o) {
  return shuffle_scales_launch(o.a_row_scales_view(), o.a_scales_view());
}
Expected<Launch> launch_unshuffle_scales(const Operands& o) {
  return unshuffle_scales_launch(o.b_scales_view(), o.b_row_scales_view());
}
Expected<Launch> launch_quantize_shuffle(const Operands& o) {
  return quantize_shuffle_launch(o.a_view(), o.a_codes_view(), o.a_scales_view());
}
Expected<Launch> launch_preshuffle_codes(const Operands& o) {
  return preshuffle_codes_launch(o.b_view(), o.b_shuffled_view());
}
Expected<Launch> launch_gemm_a16w4(const Operands& o) {
  return gemm_a16w4_launch(o.a_view(), o.b_view(), o.b_row_scales_view(), o.c_view(),
                           tile(KernelId::gemm_a16w4, o));
}
Expected<Launch> launch_gemm_direct(const Operands& o) {
  return gemm_direct_launch(o.a_view(), o.b_shuffled_view(), o.b_scales_view(), o.c_view(),
                            tile(KernelId::gemm_direct, o));
}
Expected<Launch> launch_gemm_a4w4(const Operands& o) {
  return gemm_a4w4_launch(o.a_codes_view(), o.a_scales_view(), o.b_shuffled_view(), o.b_scales_view(),
                          o.c_view(), tile(KernelId::gemm_a4w4, o));
}
/// As many pieces as there are chunks of K, and no more than kSplits.
int splits(const Operands& o) {
  return static_cast<int>(std::min<int64_t>(kSplits, ceil_div(o.shape.k, 256)));
}

Expected<Launch> launch_gemm_splitk(const Operands& o) {
  return gemm_splitk_launch(o.a_codes_view(), o.a_scales_view(), o.b_shuffled_view(), o.b_scales_view(),
                            o.partials.as<float>(), splits(o), tile(KernelId::gemm_splitk, o));
}
Expected<Launch> launch_reduce_splitk(const Operands& o) {
  return reduce_splitk_launch(o.partials.as<const float>(), splits(o), o.c_view());
}

using MakeLaunch = Expected<Launch> (*)(const Operands&);

void bench_kernel(benchmark::State& state, MakeLaunch make_launch, const GemmShape& shape,
                  const std::string& device) {
  Operands operands;
  if (const Status made = make_operands(shape, operands); !made)
    return state.SkipWithError(made.message().c_str());
  const Expected<Launch> launch = make_launch(operands);
  if (!launch) return state.SkipWithError(launch.status().message().c_str());
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    Status status = launch.value().enqueue(nullptr);
    if (status.ok()) status = hip_status(hipStreamSynchronize(nullptr), "hipStreamSynchronize");
    if (!status) return state.SkipWithError(status.message().c_str());
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  state.SetLabel(device);
}

void register_all(const std::string& device) {
  const auto add = [&](std::string_view name, MakeLaunch make_launch) {
    for (const GemmShape& shape : kShapes) {
      benchmark::RegisterBenchmark(
          fmt::format("{}/{}x{}x{}", name, shape.m, shape.n, shape.k).c_str(),
          [=](benchmark::State& state) { bench_kernel(state, make_launch, shape, device); })
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
    }
  };
#define MXPROOF_KERNEL(name, reads, writes, n_multiple, k_multiple, flags) add(#name, &launch_##name);
#include "optimized/registry/kernels.def"
#undef MXPROOF_KERNEL
}

}  // namespace
}  // namespace mxproof

int main(int argc, char** argv) {
#if !defined(MXPROOF_PLATFORM_NVIDIA)
  if (const mxproof::Status selected = mxproof::emulator::select_device(argc, argv); !selected) {
    std::fprintf(stderr, "%s\n", selected.message().c_str());
    return 2;
  }
#endif
  const auto device = mxproof::device_info();
  if (!device) {
    std::fprintf(stderr, "%s\n", device.status().message().c_str());
    return 2;
  }
  const std::string label =
      device.value().name +
      (device.value().name.find("emulated") != std::string::npos ? ": host time of emulating" : "");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  mxproof::register_all(label);
  return benchmark::RunSpecifiedBenchmarks() == 0 ? 1 : 0;
}
