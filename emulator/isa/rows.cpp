#include "emulator/isa/rows.hpp"

#include <hwy/highway.h>

#include <array>
#include <mutex>
#include <unordered_map>

namespace mxproof::emulator {
namespace {

using Table = std::unordered_map<std::string_view, const Row*>;

constexpr std::array kFamilies = {
    &scalar_arithmetic_rows,    &scalar_bits_rows,           &scalar_control_rows,
    &scalar_memory_rows,        &vector_integer_rows,        &vector_integer16_rows,
    &vector_integer64_rows,     &vector_carry_rows,          &vector_float32_rows,
    &vector_float16_rows,       &vector_float64_rows,        &vector_transcendental_rows,
    &vector_division_rows,      &vector_compare_rows,        &vector_convert_rows,
    &vector_convert_scale_rows, &vector_convert_narrow_rows, &vector_packed_rows,
    &vector_dot_rows,           &vector_lane_rows,           &lds_rows,
    &lds_atomic_rows,           &lds_transpose_rows,         &global_memory_rows,
    &buffer_memory_rows,        &memory_atomic_rows,         &matrix_rows,
    &matrix_scale_rows,         &matrix_sparse_rows,         &scalar_store_rows,
    &vector_rare_rows,          &lds_exchange_rows,
};

Table build_table() {
  Table table;
  for (const auto& family : kFamilies) {
    for (const Row& row : family()) {
      [[maybe_unused]] const bool fresh = table.emplace(row.name, &row).second;
      assert(fresh && "an instruction is listed twice");
    }
  }
  return table;
}

}  // namespace

const Row* find_row(std::string_view mnemonic) {
  // One table a host SIMD level: tests switch levels.
  static std::mutex mutex;
  static std::unordered_map<const Row*, Table> tables;
  const std::scoped_lock lock(mutex);
  Table& table = tables[vector_integer_rows().data()];
  if (table.empty()) table = build_table();
  const auto found = table.find(mnemonic);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace mxproof::emulator
