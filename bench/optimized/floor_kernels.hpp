// The kernels of the floors, behind plain functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/status.hpp"
#include "optimized/platform/runtime.hpp"

namespace mxproof::bench {

/// A run of 16-byte words on the device.
struct Words16 {
  const void* data = nullptr;
  int64_t count = 0;
};

struct StreamArguments {
  Words16 inputs[3];
  void* output = nullptr;
  int64_t output_words = 0;  ///< of 16 bytes
};

/// Thread t of all T threads XORs the words t, t + T, t + 2T, ... of the inputs laid end to end, and writes
/// its fold to the words t, t + T, ... of the output.
Status launch_stream(const StreamArguments& arguments, unsigned groups, unsigned threads, hipStream_t stream);

Status launch_empty(hipStream_t stream);

}  // namespace mxproof::bench
