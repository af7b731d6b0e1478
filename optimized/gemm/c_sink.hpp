// Where the sums go: bf16 rows of C, or a slice of the f32 partials of split-K.
#pragma once

#include "optimized/gemm/params.hpp"
#include "optimized/matrix_core/matrix_core.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::gemm {

/// Rounds each sum once to bf16, nearest even.
class Bf16Sink {
 public:
  __device__ explicit Bf16Sink(const GemmParams& p)
      : c_(static_cast<uint16_t*>(p.c)),
        rows_(p.m),
        columns_(p.n),
        stride_(p.c_stride),
        whole_runs_(p.c_whole_runs) {}

  /// A run of columns (m, n), (m, n+1), ... of C. What is outside of C is dropped.
  __device__ void store(int64_t m, int64_t n, const float (&values)[matrix_core::kRun]) const {
    if (m >= rows_ || n >= columns_) return;
    uint16_t* run = c_ + m * stride_ + n;
    uint32_t pairs[matrix_core::kRun / 2];
#pragma unroll
    for (int i = 0; i < matrix_core::kRun / 2; ++i) {
      pairs[i] = platform::pack_bf16(values[2 * i], values[2 * i + 1]);
    }
    if (whole_runs_) {
      platform::store_words(run, pairs);
      return;
    }
#pragma unroll
    for (int i = 0; i < matrix_core::kRun; ++i) {
      if (n + i < columns_) run[i] = static_cast<uint16_t>(pairs[i / 2] >> (i % 2 * 16));
    }
  }

 private:
  uint16_t* c_;
  int64_t rows_;
  int64_t columns_;
  int64_t stride_;
  bool whole_runs_;
};

/// Keeps the sums in f32: partials[split][m][n]. N is a multiple of 16.
class PartialSink {
 public:
  __device__ explicit PartialSink(const GemmParams& p)
      : slice_(static_cast<float*>(p.c) + blockIdx.z * p.m * p.n), rows_(p.m), columns_(p.n) {}

  __device__ void store(int64_t m, int64_t n, const float (&values)[matrix_core::kRun]) const {
    if (m >= rows_ || n >= columns_) return;
    uint32_t words[matrix_core::kRun];
#pragma unroll
    for (int i = 0; i < matrix_core::kRun; ++i) words[i] = platform::bit_cast<uint32_t>(values[i]);
    platform::store_words(slice_ + m * columns_ + n, words);
  }

 private:
  float* slice_;
  int64_t rows_;
  int64_t columns_;
};

}  // namespace mxproof::gemm
