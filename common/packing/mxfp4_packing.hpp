// How quantised data lie in other people's files and buffers.
//
//   low-first    codes and scales apart; byte i of a row holds element 2i low and 2i+1 high (this project's
//   own order) high-first   the same with the nibbles exchanged ggml         one 17-byte record per block of
//   32:
//
//                +-------+-----------+-----------+-- ... --+------------+
//                | scale | e16 | e0  | e17 | e1  |         | e31 | e15  |    byte 1 + j: element j low, j +
//                16 high
//                +-------+-----------+-----------+-- ... --+------------+
//
//                GGML's code table holds doubled values and its scale is halved; the two cancel, so that byte
//                and codes are those of every other packing.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/matrix.hpp"
#include "common/status.hpp"

namespace mxproof {

enum class Mxfp4Packing { low_first, high_first, ggml };

inline constexpr int64_t kGgmlBlockBytes = 17;

/// "low-first", "high-first", "ggml".
std::string_view name_of(Mxfp4Packing packing);
Expected<Mxfp4Packing> parse_packing(std::string_view name);

/// A byte of two codes in the other order.
constexpr uint8_t exchange_nibbles(uint8_t pair) {
  return static_cast<uint8_t>(pair << 4 | pair >> 4);
}

/// Codes [rows, cols/2] bytes and scales [rows, cols/32] bytes, row-major, to a matrix. `order` is low_first
/// or high_first. Sizes that do not fit, or a cols that is no positive multiple of 32, are bad input.
Expected<Mxfp4Matrix> import_mxfp4(std::span<const uint8_t> codes, std::span<const uint8_t> scales,
                                   int64_t rows, int64_t cols, Mxfp4Packing order = Mxfp4Packing::low_first);

/// GGML records [rows, cols/32] to a matrix, the same errors.
Expected<Mxfp4Matrix> import_ggml(std::span<const uint8_t> records, int64_t rows, int64_t cols);

/// The codes of a matrix in either nibble order.
std::vector<uint8_t> export_codes(const Mxfp4Matrix& matrix, Mxfp4Packing order = Mxfp4Packing::low_first);

/// The matrix as GGML records.
std::vector<uint8_t> export_ggml(const Mxfp4Matrix& matrix);

}  // namespace mxproof
