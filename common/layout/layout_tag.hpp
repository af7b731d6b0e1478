// The name of a layout as a value that travels with a buffer. Two layouts can have the same size, so a size
// never identifies one.
#pragma once

#include <cstdint>
#include <string_view>

namespace mxproof {

enum class LayoutTag : uint8_t {
  bf16_rows,        ///< bf16, row-major, rows a stride apart (elements)
  f32_partials,     ///< f32 [split][row][col], the partial sums of split-K
  codes_row_major,  ///< common/layout/row_major.hpp
  codes_16x16,      ///< common/layout/codes_16x16.hpp
  scale_row_major,  ///< common/layout/row_major.hpp
  scale_32x8,       ///< common/layout/scale_32x8.hpp
};

constexpr std::string_view layout_name(LayoutTag tag) {
  switch (tag) {
    case LayoutTag::bf16_rows:
      return "bf16_rows";
    case LayoutTag::f32_partials:
      return "f32_partials";
    case LayoutTag::codes_row_major:
      return "codes_row_major";
    case LayoutTag::codes_16x16:
      return "codes_16x16";
    case LayoutTag::scale_row_major:
      return "scale_row_major";
    case LayoutTag::scale_32x8:
      return "scale_32x8";
  }
  return "?";
}

}  // namespace mxproof
