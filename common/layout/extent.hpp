// What every layout is made of. A layout is one object: a name, the padded extent of a logical one, the byte
// offset of a coordinate, and the coordinate of a byte offset.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

namespace mxproof {

/// Rows and columns of bytes: for scales one column is one block of 32 elements, for codes two elements.
struct Extent {
  int64_t rows = 0;
  int64_t cols = 0;
  constexpr int64_t size() const { return rows * cols; }
  friend constexpr bool operator==(const Extent&, const Extent&) = default;
};

/// Position of a byte in the padded extent.
struct Coord {
  int64_t row = 0;
  int64_t col = 0;
  friend constexpr bool operator==(const Coord&, const Coord&) = default;
};

constexpr int64_t ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}
constexpr int64_t round_up(int64_t a, int64_t b) {
  return ceil_div(a, b) * b;
}

/// The laws that tests/common/layout holds every layout to: offset is a bijection from the padded extent onto
/// [0, padded.size()) and coord is its inverse.
template <class L>
concept ByteLayout = requires(const L& l, Coord c, int64_t offset) {
  { L::kName } -> std::convertible_to<std::string_view>;
  { l.logical() } -> std::same_as<Extent>;
  { l.padded() } -> std::same_as<Extent>;
  { l.offset(c) } -> std::same_as<int64_t>;
  { l.coord(offset) } -> std::same_as<Coord>;
};

/// True when a coordinate of the padded extent holds no data.
template <ByteLayout L>
constexpr bool is_padding(const L& layout, Coord c) {
  return c.row >= layout.logical().rows || c.col >= layout.logical().cols;
}

}  // namespace mxproof
