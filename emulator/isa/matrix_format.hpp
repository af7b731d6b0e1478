// Shapes and element types of the unscaled matrix instructions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace mxproof::emulator {

enum class MatrixElement : uint8_t { f32, f16, bf16, i8, fp8, bf8, f64 };

/// Bits of one element.
constexpr int element_size(MatrixElement type) {
  switch (type) {
    case MatrixElement::f64:
      return 64;
    case MatrixElement::f32:
      return 32;
    case MatrixElement::f16:
    case MatrixElement::bf16:
      return 16;
    default:
      return 8;
  }
}

/// One instruction: `blocks` independent products of M x K by K x N.
struct MatrixShape {
  std::string_view name;
  int m;
  int n;
  int k;
  int blocks;
  MatrixElement a;
  MatrixElement b;

  constexpr int elements_per_lane() const { return m * k * blocks / 64; }
  constexpr int ab_registers() const { return (elements_per_lane() * element_size(a) + 31) / 32; }
  constexpr int d_registers() const { return m * n * blocks / 64 * (a == MatrixElement::f64 ? 2 : 1); }
};

std::span<const MatrixShape> matrix_shapes();
inline const MatrixShape& matrix_shape(uint32_t index) {
  return matrix_shapes()[index];
}

/// The value of an element in the low bits of `bits`; not for i8 and f64.
float element_value(MatrixElement type, uint32_t bits);

}  // namespace mxproof::emulator
