#include "common/packing/mxfp4_packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "common/format/e2m1.hpp"

namespace mxproof {
namespace {

constexpr std::array<std::pair<Mxfp4Packing, std::string_view>, 3> kNames = {
    {{Mxfp4Packing::low_first, "low-first"},
     {Mxfp4Packing::high_first, "high-first"},
     {Mxfp4Packing::ggml, "ggml"}}};

/// Rows and columns of a sane quantised matrix. The limit keeps every byte count inside int64.
Status check_shape(int64_t rows, int64_t cols) {
  constexpr int64_t kLimit = int64_t{1} << 31;
  if (rows >= 1 && rows <= kLimit && cols >= kBlock && cols <= kLimit && cols % kBlock == 0) return {};
  return Status::bad_input(
      fmt::format("{} x {} is no MXFP4 matrix: rows must be positive and columns a positive multiple of {}, "
                  "both at most {}",
                  rows, cols, kBlock, kLimit));
}

Status check_bytes(std::string_view what, size_t got, int64_t expected, int64_t rows, int64_t cols) {
  if (static_cast<int64_t>(got) == expected) return {};
  return Status::bad_input(
      fmt::format("{} of a {} x {} matrix take {} bytes, got {}", what, rows, cols, expected, got));
}

}  // namespace

std::string_view name_of(Mxfp4Packing packing) {
  for (const auto& [value, name] : kNames) {
    if (value == packing) return name;
  }
  return "?";
}

Expected<Mxfp4Packing> parse_packing(std::string_view name) {
  for (const auto& [value, known] : kNames) {
    if (known == name) return value;
  }
  return Status::bad_input(fmt::format("unknown packing '{}'; there are: low-first, high-first, ggml", name));
}

Expected<Mxfp4Matrix> import_mxfp4(std::span<const uint8_t> codes, std::span<const uint8_t> scales,
                                   int64_t rows, int64_t cols, Mxfp4Packing order) {
  assert(order != Mxfp4Packing::ggml);
  if (Status s = check_shape(rows, cols); !s) return s;
  if (Status s = check_bytes("the codes", codes.size(), rows * (cols / 2), rows, cols); !s) return s;
  if (Status s = check_bytes("the scales", scales.size(), rows * (cols / kBlock), rows, cols); !s) return s;
  Mxfp4Matrix matrix(rows, cols);
  std::ranges::copy(codes, matrix.codes.begin());
  std::ranges::copy(scales, matrix.scales.begin());
  if (order == Mxfp4Packing::high_first)
    std::ranges::transform(matrix.codes, matrix.codes.begin(), exchange_nibbles);
  return matrix;
}

Expected<Mxfp4Matrix> import_ggml(std::span<const uint8_t> records, int64_t rows, int64_t cols) {
  if (Status s = check_shape(rows, cols); !s) return s;
  const int64_t blocks = rows * (cols / kBlock);
  if (Status s = check_bytes("the GGML blocks", records.size(), blocks * kGgmlBlockBytes, rows, cols); !s)
    return s;
  Mxfp4Matrix matrix(rows, cols);
  for (int64_t b = 0; b < blocks; ++b) {
    const uint8_t* record = records.data() + b * kGgmlBlockBytes;
    matrix.scales[static_cast<size_t>(b)] = record[0];
    uint8_t* codes = matrix.codes.data() + b * kBlock / 2;
    for (int j = 0; j < 8; ++j) {
      // Elements 2j and 2j + 1 are low in records 2j and 2j + 1; 16 further on they are high there.
      codes[j] = static_cast<uint8_t>((record[1 + 2 * j] & 0xf) | record[2 + 2 * j] << 4);
      codes[j + 8] = static_cast<uint8_t>(record[1 + 2 * j] >> 4 | (record[2 + 2 * j] & 0xf0));
    }
  }
  return matrix;
}

std::vector<uint8_t> export_codes(const Mxfp4Matrix& matrix, Mxfp4Packing order) {
  assert(order != Mxfp4Packing::ggml);
  std::vector<uint8_t> codes = matrix.codes;
  if (order == Mxfp4Packing::high_first) std::ranges::transform(codes, codes.begin(), exchange_nibbles);
  return codes;
}

std::vector<uint8_t> export_ggml(const Mxfp4Matrix& matrix) {
  std::vector<uint8_t> records(matrix.scales.size() * kGgmlBlockBytes);
  for (size_t b = 0; b < matrix.scales.size(); ++b) {
    uint8_t* record = records.data() + b * kGgmlBlockBytes;
    const uint8_t* codes = matrix.codes.data() + b * kBlock / 2;
    record[0] = matrix.scales[b];
    for (int j = 0; j < 16; ++j) {
      record[1 + j] = static_cast<uint8_t>(e2m1_code_at(codes, j) | e2m1_code_at(codes, j + 16) << 4);
    }
  }
  return records;
}

}  // namespace mxproof
