// Pictures of layouts and of MFMA operands: text for the terminal, linked grids for a page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "common/layout/any_layout.hpp"
#include "common/layout/mfma_operands.hpp"

namespace mxproof {

/// Byte offsets of the first rows and columns, as a table. Padding is in brackets.
std::string text_picture(const AnyLayout& layout);

/// Where one coordinate lies, in words: byte, nibble, dword, lane and register. `k` counts elements.
std::string describe_coordinate(const AnyLayout& layout, int64_t row, int64_t k);
/// What lies at a byte offset, in words.
std::string describe_byte(const AnyLayout& layout, int64_t offset);

/// Data for tools/page/linked_grids.js: logical cells on the left, memory on the right.
nlohmann::json layout_grids(const AnyLayout& layout);

/// The same for an operand A[i][k] (B[k][j] lies alike), its scales, or the result of an MFMA.
nlohmann::json operand_grids(const MfmaShape& shape);
nlohmann::json scale_grids(const MfmaShape& shape);
nlohmann::json result_grids(const MfmaShape& shape);

/// A whole page: the layout, if there is one, and the maps of both MFMA shapes.
std::string layout_page(const AnyLayout* layout);

}  // namespace mxproof
