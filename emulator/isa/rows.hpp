// The table of instructions: every family's rows, for the host SIMD level in use.
#pragma once

#include <span>
#include <string_view>

#include "emulator/isa/instruction.hpp"

namespace mxproof::emulator {

// One function a family. Vector families exist once per host SIMD level; these return the best level's rows.
std::span<const Row> scalar_arithmetic_rows();
std::span<const Row> scalar_bits_rows();
std::span<const Row> scalar_control_rows();
std::span<const Row> scalar_memory_rows();
std::span<const Row> scalar_store_rows();
std::span<const Row> vector_integer_rows();
std::span<const Row> vector_integer16_rows();
std::span<const Row> vector_integer64_rows();
std::span<const Row> vector_carry_rows();
std::span<const Row> vector_float32_rows();
std::span<const Row> vector_float16_rows();
std::span<const Row> vector_float64_rows();
std::span<const Row> vector_transcendental_rows();
std::span<const Row> vector_division_rows();
std::span<const Row> vector_compare_rows();
std::span<const Row> vector_convert_rows();
std::span<const Row> vector_convert_scale_rows();
std::span<const Row> vector_convert_narrow_rows();
std::span<const Row> vector_packed_rows();
std::span<const Row> vector_dot_rows();
std::span<const Row> vector_lane_rows();
std::span<const Row> vector_rare_rows();
std::span<const Row> lds_rows();
std::span<const Row> lds_atomic_rows();
std::span<const Row> lds_exchange_rows();
std::span<const Row> lds_transpose_rows();
std::span<const Row> global_memory_rows();
std::span<const Row> buffer_memory_rows();
std::span<const Row> memory_atomic_rows();
std::span<const Row> matrix_scale_rows();
std::span<const Row> matrix_rows();
std::span<const Row> matrix_sparse_rows();

/// The row of that mnemonic (without encoding suffix); nullptr when the machine does not know it.
const Row* find_row(std::string_view mnemonic);

}  // namespace mxproof::emulator
