// ByteOrder: a layout, or a mistaken version of one, as two functions. Taking one order for another is then a
// single rule: read at the offset that the reader computes, and find what the writer put there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/layout/any_layout.hpp"
#include "common/layout/extent.hpp"

namespace mxproof::explain {

struct ByteOrder {
  std::string name;
  int64_t size = 0;  ///< Bytes of the buffer.
  std::function<int64_t(Coord)> offset;
  std::function<Coord(int64_t)> coord;
  std::string mistake_of;  ///< The layout that this one is a mistaken version of; empty for a real layout.
};

/// Worth trying as "written in one, read as the other": of mistaken versions only against the layout itself
/// and against plain order.
bool worth_trying(const ByteOrder& written, const ByteOrder& read);

ByteOrder order_of(const AnyLayout& layout);
/// Row-major with a row stride that may differ from the number of columns.
ByteOrder strided_order(std::string name, Extent logical, int64_t stride);
/// Column-major.
ByteOrder transposed_order(std::string name, Extent logical);

/// What a reader who believes in `read` finds for `c` in a buffer that was written in `written`; a coordinate
/// outside the logical extent stands for padding or for what lies past the buffer.
inline Coord found_at(const ByteOrder& written, const ByteOrder& read, Coord c) {
  const int64_t offset = read.offset(c);
  return offset < 0 || offset >= written.size ? Coord{-1, -1} : written.coord(offset);
}
inline bool inside(Extent e, Coord c) {
  return c.row >= 0 && c.col >= 0 && c.row < e.rows && c.col < e.cols;
}

/// All orders of scales, right and mistaken, for this extent: the registry's, column-major, padded strides,
/// and tiles with two of their factors exchanged.
std::vector<ByteOrder> scale_orders(Extent logical);
/// The same for bytes of codes.
std::vector<ByteOrder> code_orders(Extent logical);

}  // namespace mxproof::explain
