#include "common/array/array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <limits>

#include "common/format/bf16_round.hpp"
#include "common/format/f16.hpp"

namespace mxproof {
namespace {

template <class T>
Array make_array(Dtype dtype, const Matrix<T>& matrix) {
  Array array{dtype, {matrix.rows, matrix.cols}, std::vector<std::byte>(matrix.data.size() * sizeof(T))};
  if (!array.bytes.empty()) std::memcpy(array.bytes.data(), matrix.data.data(), array.bytes.size());
  return array;
}

template <class T>
T element(const Array& array, size_t index) {
  T value;
  std::memcpy(&value, array.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

}  // namespace

Expected<int64_t> array_elements(const std::vector<int64_t>& shape) {
  if (shape.size() > kMaxDimensions)
    return Status::bad_input(fmt::format("{} dimensions; at most {} are read", shape.size(), kMaxDimensions));
  int64_t elements = 1;
  for (const int64_t extent : shape) {
    if (extent < 0) return Status::bad_input(fmt::format("negative dimension {}", extent));
    if (__builtin_mul_overflow(elements, extent, &elements))
      return Status::bad_input(fmt::format("shape [{}] has more than 2^63 elements", fmt::join(shape, ", ")));
  }
  return elements;
}

Expected<int64_t> array_bytes(Dtype dtype, const std::vector<int64_t>& shape) {
  const Expected<int64_t> elements = array_elements(shape);
  if (!elements) return elements.status();
  int64_t bits = 0;
  if (__builtin_mul_overflow(*elements, int64_t{dtype_bits(dtype)}, &bits))
    return Status::bad_input(fmt::format("shape [{}] is larger than any file", fmt::join(shape, ", ")));
  if (bits % 8 != 0)
    return Status::bad_input(
        fmt::format("{} FP4 codes do not fill whole bytes; the count must be even", *elements));
  return bits / 8;
}

std::string describe(const Array& array) {
  return fmt::format("{} [{}]", dtype_name(array.dtype), fmt::join(array.shape, ", "));
}

Expected<Matrix<Bf16>> to_bf16_matrix(const Array& array, const std::string& what) {
  const bool convertible =
      array.dtype == Dtype::bf16 || array.dtype == Dtype::f16 || array.dtype == Dtype::f32;
  if (array.shape.size() != 2 || !convertible)
    return Status::bad_input(
        fmt::format("{}: found {}, need a two-dimensional bf16, f16 or f32 array", what, describe(array)));

  Matrix<Bf16> matrix(array.shape[0], array.shape[1]);
  for (size_t i = 0; i < matrix.data.size(); ++i) {
    if (array.dtype == Dtype::bf16) matrix.data[i] = element<Bf16>(array, i);
    if (array.dtype == Dtype::f16) matrix.data[i] = round_to_bf16(element<Half>(array, i).to_float());
    if (array.dtype == Dtype::f32) matrix.data[i] = round_to_bf16(element<float>(array, i));
  }
  return matrix;
}

Array to_array(const Matrix<Bf16>& matrix) {
  return make_array(Dtype::bf16, matrix);
}
Array to_array(const Matrix<float>& matrix) {
  return make_array(Dtype::f32, matrix);
}
Array to_array(const Matrix<uint8_t>& matrix) {
  return make_array(Dtype::u8, matrix);
}

}  // namespace mxproof
