// Probe data: inputs whose output names the layout a kernel reads its B operand in.
//
// A is the K x K identity, so C[k][n] is the number that the kernel took for B[n][k]. In run d, B's codes (or
// scales) spell digit d of each element's (block's) own index; all runs together tell, for every place that
// the kernel reads, which place of the file it came from.
//
//   code runs   codes are one of 14 nonzero ones, all scales 2^0       index = n*K + k,    base 14
//   scale runs  scales are 2^(digit - 100), all codes 1.0              index = n*(K/32)+b, base 200
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/format/bf16.hpp"
#include "common/matrix.hpp"
#include "common/status.hpp"

namespace mxproof::probe {

struct Shape {
  int64_t n = 0;
  int64_t k = 0;
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// n and k must be positive, k a multiple of 32 and at most 8192, and their product at most 2^26.
Status validate(const Shape& shape);

int code_runs(const Shape& shape);
int scale_runs(const Shape& shape);

/// The identity, [K, K].
Matrix<Bf16> identity(int64_t k);

/// B of one run, in plain order.
Mxfp4Matrix code_run(const Shape& shape, int run);
Mxfp4Matrix scale_run(const Shape& shape, int run);

/// Places (n, k) that show no digit, such as 0 or NaN.
struct Unreadable {
  int64_t count = 0;
  int64_t n_first = 0, n_last = 0, k_first = 0, k_last = 0;  ///< The smallest rectangle around them.
  float shown = 0;                                           ///< By the first of them.
};

/// For every element (n, k) the kernel reads, the index it came from; -1 where the output is no digit.
struct Reading {
  Shape shape;
  float factor = 1;  ///< Every output is this times what its code and scale say.
  Unreadable codes_unreadable;
  Unreadable scales_unreadable;
  std::vector<int64_t> code_from;   ///< n * K + k -> index of the element found there.
  std::vector<int64_t> scale_from;  ///< n * K + k -> index of the block whose scale was applied there.
};

/// From the outputs C [K, N] of all code runs and all scale runs, in order.
Expected<Reading> read(const Shape& shape, const std::vector<Matrix<Bf16>>& code_outputs,
                       const std::vector<Matrix<Bf16>>& scale_outputs);

/// The layouts that the probe data was written in.
struct Written {
  std::string codes = "codes_row_major";
  std::string scales = "scale_row_major";
};

/// True when every code and every scale is read from its place, and nothing is multiplied onto them.
bool all_in_place(const Reading& reading);

/// In words: right, as which layout what was written is read, or the first places that differ; and what shows
/// no digit. Other layouts than the written ones are named only when no rule about those fits.
std::string describe(const Reading& reading, const Written& written = {});

}  // namespace mxproof::probe
