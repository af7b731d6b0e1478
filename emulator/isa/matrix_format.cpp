#include "emulator/isa/matrix_format.hpp"

#include <bit>

#include "emulator/isa/float16.hpp"
#include "emulator/isa/small_float.hpp"

namespace mxproof::emulator {
namespace {

using E = MatrixElement;

constexpr MatrixShape kShapes[] = {
    {"v_mfma_f32_32x32x1_2b_f32", 32, 32, 1, 2, E::f32, E::f32},
    {"v_mfma_f32_16x16x1_4b_f32", 16, 16, 1, 4, E::f32, E::f32},
    {"v_mfma_f32_4x4x1_16b_f32", 4, 4, 1, 16, E::f32, E::f32},
    {"v_mfma_f32_32x32x2_f32", 32, 32, 2, 1, E::f32, E::f32},
    {"v_mfma_f32_16x16x4_f32", 16, 16, 4, 1, E::f32, E::f32},
    {"v_mfma_f32_32x32x4_2b_f16", 32, 32, 4, 2, E::f16, E::f16},
    {"v_mfma_f32_16x16x4_4b_f16", 16, 16, 4, 4, E::f16, E::f16},
    {"v_mfma_f32_4x4x4_16b_f16", 4, 4, 4, 16, E::f16, E::f16},
    {"v_mfma_f32_32x32x8_f16", 32, 32, 8, 1, E::f16, E::f16},
    {"v_mfma_f32_16x16x16_f16", 16, 16, 16, 1, E::f16, E::f16},
    {"v_mfma_f32_32x32x16_f16", 32, 32, 16, 1, E::f16, E::f16},
    {"v_mfma_f32_16x16x32_f16", 16, 16, 32, 1, E::f16, E::f16},
    {"v_mfma_f32_32x32x4_2b_bf16", 32, 32, 4, 2, E::bf16, E::bf16},
    {"v_mfma_f32_16x16x4_4b_bf16", 16, 16, 4, 4, E::bf16, E::bf16},
    {"v_mfma_f32_4x4x4_16b_bf16", 4, 4, 4, 16, E::bf16, E::bf16},
    {"v_mfma_f32_32x32x8_bf16", 32, 32, 8, 1, E::bf16, E::bf16},
    {"v_mfma_f32_16x16x16_bf16", 16, 16, 16, 1, E::bf16, E::bf16},
    {"v_mfma_f32_32x32x16_bf16", 32, 32, 16, 1, E::bf16, E::bf16},
    {"v_mfma_f32_16x16x32_bf16", 16, 16, 32, 1, E::bf16, E::bf16},
    {"v_mfma_i32_32x32x4_2b_i8", 32, 32, 4, 2, E::i8, E::i8},
    {"v_mfma_i32_16x16x4_4b_i8", 16, 16, 4, 4, E::i8, E::i8},
    {"v_mfma_i32_4x4x4_16b_i8", 4, 4, 4, 16, E::i8, E::i8},
    {"v_mfma_i32_32x32x16_i8", 32, 32, 16, 1, E::i8, E::i8},
    {"v_mfma_i32_16x16x32_i8", 16, 16, 32, 1, E::i8, E::i8},
    {"v_mfma_i32_32x32x32_i8", 32, 32, 32, 1, E::i8, E::i8},
    {"v_mfma_i32_16x16x64_i8", 16, 16, 64, 1, E::i8, E::i8},
    {"v_mfma_f32_16x16x32_bf8_bf8", 16, 16, 32, 1, E::bf8, E::bf8},
    {"v_mfma_f32_32x32x16_bf8_bf8", 32, 32, 16, 1, E::bf8, E::bf8},
    {"v_mfma_f32_16x16x32_bf8_fp8", 16, 16, 32, 1, E::bf8, E::fp8},
    {"v_mfma_f32_32x32x16_bf8_fp8", 32, 32, 16, 1, E::bf8, E::fp8},
    {"v_mfma_f32_16x16x32_fp8_bf8", 16, 16, 32, 1, E::fp8, E::bf8},
    {"v_mfma_f32_32x32x16_fp8_bf8", 32, 32, 16, 1, E::fp8, E::bf8},
    {"v_mfma_f32_16x16x32_fp8_fp8", 16, 16, 32, 1, E::fp8, E::fp8},
    {"v_mfma_f32_32x32x16_fp8_fp8", 32, 32, 16, 1, E::fp8, E::fp8},
    {"v_mfma_f64_16x16x4_f64", 16, 16, 4, 1, E::f64, E::f64},
    {"v_mfma_f64_4x4x4_4b_f64", 4, 4, 4, 4, E::f64, E::f64},
};

}  // namespace

std::span<const MatrixShape> matrix_shapes() {
  return kShapes;
}

float element_value(MatrixElement type, uint32_t bits) {
  switch (type) {
    case E::f32:
      return std::bit_cast<float>(bits);
    case E::f16:
      return half_to_float(static_cast<uint16_t>(bits));
    case E::bf16:
      return brain_to_float(static_cast<uint16_t>(bits));
    case E::fp8:
      return static_cast<float>(decode_small(kFp8, bits & 0xffU));
    case E::bf8:
      return static_cast<float>(decode_small(kBf8, bits & 0xffU));
    default:
      return 0;
  }
}

}  // namespace mxproof::emulator
