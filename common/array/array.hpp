// An array from or for a file: element type, shape and bytes in C order, little endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/array/dtype.hpp"
#include "common/format/bf16.hpp"
#include "common/matrix.hpp"
#include "common/status.hpp"

namespace mxproof {

struct Array {
  Dtype dtype = Dtype::u8;
  std::vector<int64_t> shape;    ///< In elements, outermost first; empty for a scalar.
  std::vector<std::byte> bytes;  ///< Exactly `array_bytes(dtype, shape)` of them.
};

inline constexpr size_t kMaxDimensions = 16;

/// Number of elements; an error when a dimension is negative, there are too many, or the product overflows.
Expected<int64_t> array_elements(const std::vector<int64_t>& shape);

/// Bytes that `shape` takes; an error also when FP4 codes do not fill whole bytes.
Expected<int64_t> array_bytes(Dtype dtype, const std::vector<int64_t>& shape);

/// "f32 [16, 512]"
std::string describe(const Array& array);

/// A two-dimensional bf16, f16 or f32 array as bf16 values, rounded to nearest even where it was f16 or f32.
/// `what` names the source in the error.
Expected<Matrix<Bf16>> to_bf16_matrix(const Array& array, const std::string& what);

/// A matrix as a two-dimensional array.
Array to_array(const Matrix<Bf16>& matrix);
Array to_array(const Matrix<float>& matrix);
Array to_array(const Matrix<uint8_t>& matrix);

}  // namespace mxproof
