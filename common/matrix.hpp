// Views and owners of matrices. A view is a pointer with its rows, columns and row stride; nothing here is a
// bare pointer plus a comment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "common/shape.hpp"

namespace mxproof {

/// Row-major view of `rows` x `cols` elements; row r starts at data + r * stride (elements).
template <class T>
struct MatrixView {
  T* data = nullptr;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t stride = 0;

  constexpr T& operator()(int64_t r, int64_t c) const { return data[r * stride + c]; }
  constexpr T* row(int64_t r) const { return data + r * stride; }

  /// A view to write is a view to read.
  constexpr operator MatrixView<const T>() const
    requires(!std::is_const_v<T>)
  {
    return {data, rows, cols, stride};
  }
};

/// Dense row-major matrix that owns its elements.
template <class T>
struct Matrix {
  int64_t rows = 0;
  int64_t cols = 0;
  std::vector<T> data;

  Matrix() = default;
  Matrix(int64_t r, int64_t c, T fill = T{}) : rows(r), cols(c), data(static_cast<size_t>(r * c), fill) {}

  T& operator()(int64_t r, int64_t c) { return data[static_cast<size_t>(r * cols + c)]; }
  const T& operator()(int64_t r, int64_t c) const { return data[static_cast<size_t>(r * cols + c)]; }
  MatrixView<T> view() { return {data.data(), rows, cols, cols}; }
  MatrixView<const T> view() const { return {data.data(), rows, cols, cols}; }
};

/// An MXFP4 matrix in plain order: codes row-major, two a byte, low nibble first (`codes_row_major`), and one
/// e8m0 byte per 32 elements along a row (`scale_row_major`). `cols` counts elements and is a multiple of 32.
struct Mxfp4Matrix {
  int64_t rows = 0;
  int64_t cols = 0;
  std::vector<uint8_t> codes;   ///< rows * cols / 2 bytes
  std::vector<uint8_t> scales;  ///< rows * cols / 32 bytes

  Mxfp4Matrix() = default;
  Mxfp4Matrix(int64_t r, int64_t c)
      : rows(r),
        cols(c),
        codes(static_cast<size_t>(r * c / 2)),
        scales(static_cast<size_t>(r * c / kBlock)) {}

  const uint8_t* code_row(int64_t r) const { return codes.data() + r * (cols / 2); }
  uint8_t* code_row(int64_t r) { return codes.data() + r * (cols / 2); }
  const uint8_t* scale_row(int64_t r) const { return scales.data() + r * (cols / kBlock); }
  uint8_t* scale_row(int64_t r) { return scales.data() + r * (cols / kBlock); }
};

}  // namespace mxproof
