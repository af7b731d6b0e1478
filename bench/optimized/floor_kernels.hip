#include "bench/optimized/floor_kernels.hpp"
#include "optimized/device/check.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::bench {
namespace {

/// One 16-byte access.
struct alignas(16) Word {
  uint32_t part[4];
};

__global__ void __launch_bounds__(1024) stream(StreamArguments arguments, unsigned groups, unsigned threads) {
  const int64_t first = int64_t{blockIdx.x} * threads + threadIdx.x;
  const int64_t step = int64_t{groups} * threads;
  // One loop over all inputs end to end, so that no input waits for the one before.
  const int64_t end_of_first = arguments.inputs[0].count;
  const int64_t end_of_second = end_of_first + arguments.inputs[1].count;
  const int64_t end = end_of_second + arguments.inputs[2].count;
  Word fold{};
#pragma unroll 4
  for (int64_t i = first; i < end; i += step) {
    const Word* word = i < end_of_first ? static_cast<const Word*>(arguments.inputs[0].data) + i
                       : i < end_of_second
                           ? static_cast<const Word*>(arguments.inputs[1].data) + (i - end_of_first)
                           : static_cast<const Word*>(arguments.inputs[2].data) + (i - end_of_second);
    const Word loaded = *word;
#pragma unroll
    for (int part = 0; part < 4; ++part) fold.part[part] ^= loaded.part[part];
  }
  auto* output = static_cast<Word*>(arguments.output);
  for (int64_t i = first; i < arguments.output_words; i += step) output[i] = fold;
}

__global__ void empty() {}

}  // namespace

Status launch_stream(const StreamArguments& arguments, unsigned groups, unsigned threads,
                     hipStream_t stream_handle) {
  StreamArguments copy = arguments;
  void* pointers[] = {&copy, &groups, &threads};
  return hip_status(hipLaunchKernel(reinterpret_cast<const void*>(&stream), dim3(groups, 1, 1),
                                    dim3(threads, 1, 1), pointers, 0, stream_handle),
                    "launch of the stream floor");
}

Status launch_empty(hipStream_t stream_handle) {
  return hip_status(hipLaunchKernel(reinterpret_cast<const void*>(&empty), dim3(1, 1, 1), dim3(32, 1, 1),
                                    nullptr, 0, stream_handle),
                    "empty launch");
}

}  // namespace mxproof::bench
