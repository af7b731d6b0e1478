// Kernels of the test program, and host functions that launch them with <<<>>>.
#pragma once

#include <hip/hip_runtime_api.h>

namespace mxproof::emulator::program {

struct Line {
  char tag;
  long count;
  float slope;
  float offset[3];
};

/// out[i] = in[i] * scale for i < count.
void launch_scale(float* out, const float* in, float scale, int count, hipStream_t stream = nullptr);
/// out[i] = slope * i + offset[i % 3] + count for i < 64; the struct goes by value.
void launch_line(float* out, Line line, hipStream_t stream = nullptr);
/// Writes x + 10 y + 100 z of each work-group, and its number of groups, at its linear index.
void launch_grid(unsigned* out, dim3 grid, hipStream_t stream = nullptr);
/// Reverses 64 ints of each of `groups` groups through `dynamic_bytes` of LDS.
void launch_reverse(int* data, int groups, size_t dynamic_bytes, hipStream_t stream = nullptr);
/// Adds `amount` to the device variable `total`, once.
void launch_add_total(int amount, hipStream_t stream = nullptr);
/// Stores to out[index].
void launch_store(int* out, long index, hipStream_t stream = nullptr);

/// Host addresses that stand for kernels and variables.
const void* scale_kernel();
const void* reverse_kernel();
const void* total_variable();
const void* table_variable();

/// Out of another translation unit: out[i] = i * i for i < 64.
void launch_squares(int* out, hipStream_t stream = nullptr);

}  // namespace mxproof::emulator::program
