#include "tools/explain/causes/byte_order.hpp"

#include <memory>
#include <utility>

namespace mxproof::explain {
namespace {

/// A layout whose coordinates are changed on the way in; `undo` must be the inverse of `change`.
ByteOrder mistaken(std::string name, const AnyLayout& layout, const std::function<Coord(Coord)>& change,
                   const std::function<Coord(Coord)>& undo) {
  return {std::move(name), layout.size(), [layout, change](Coord c) { return layout.offset(change(c)); },
          [layout, undo](int64_t offset) { return undo(layout.coord(offset)); }, std::string(layout.name())};
}

/// Same tile, but the bytes of a dword are picked with rows and columns exchanged: byte (c%8)/4 +
/// 2*((r%32)/16).
ByteOrder exchanged_bytes_32x8(Extent logical) {
  const AnyLayout layout(Scale32x8{logical});
  const auto exchange = [](Coord c) {
    const int64_t row_bit = c.row / 16 % 2;
    const int64_t col_bit = c.col / 4 % 2;
    return Coord{c.row + (col_bit - row_bit) * 16, c.col + (row_bit - col_bit) * 4};
  };
  return mistaken("scale_32x8 with the two halves of a dword exchanged", layout, exchange, exchange);
}

/// (32, 4) for (4, 32) in the reshape of a 128-row tile: row r lands where row (r%4)*32 + r/4 belongs.
ByteOrder exchanged_factors_128x4(Extent logical) {
  const AnyLayout layout(Scale128x4{logical});
  return mistaken(
      "scale_128x4 with its reshape factors 32 and 4 exchanged", layout,
      [](Coord c) {
        const int64_t r = c.row % 128;
        return Coord{c.row - r + r % 4 * 32 + r / 4, c.col};
      },
      [](Coord c) {
        const int64_t r = c.row % 128;
        return Coord{c.row - r + r % 32 * 4 + r / 32, c.col};
      });
}

/// scale_32x8 whose rows of tiles are as far apart as `cols` columns would have it.
ByteOrder wrongly_padded_32x8(Extent logical, int64_t cols, std::string how) {
  const Scale32x8 layout(logical);
  const Extent padded = layout.padded();
  // Tiles that are too close overlap: a byte holds what was written there last, from the top down.
  const auto written =
      std::make_shared<std::vector<Coord>>(static_cast<size_t>(padded.size()), Coord{-1, -1});
  for (int64_t row = 0; row < padded.rows; ++row) {
    for (int64_t col = 0; col < padded.cols; ++col) {
      const int64_t offset = Scale32x8::offset_in(row, col, cols);
      if (offset < padded.size()) (*written)[static_cast<size_t>(offset)] = {row, col};
    }
  }
  return {"scale_32x8 with its columns " + std::move(how), padded.size(),
          [cols](Coord c) { return Scale32x8::offset_in(c.row, c.col, cols); },
          [written](int64_t offset) { return (*written)[static_cast<size_t>(offset)]; },
          std::string(Scale32x8::kName)};
}

/// Bytes of codes as they lie in 17-byte blocks, each led by its scale.
ByteOrder blocks_of_17(Extent e) {
  const int64_t blocks = e.cols / 16;
  return {"17-byte blocks (scale first)", e.rows * blocks * 17,
          [blocks](Coord c) { return (c.row * blocks + c.col / 16) * 17 + 1 + c.col % 16; },
          [blocks](int64_t o) {
            const int64_t block = o / 17;
            return o % 17 == 0 ? Coord{-1, -1} : Coord{block / blocks, block % blocks * 16 + o % 17 - 1};
          },
          std::string(CodesRowMajor::kName)};
}

/// codes_16x16 with its tiles in another order: along n first.
ByteOrder tiles_along_n(Extent e) {
  const int64_t tiles_n = e.rows / 16;
  return {"codes_16x16 with its tiles ordered along N first", e.size(),
          [tiles_n](Coord c) {
            return (c.col / 32 * tiles_n + c.row / 16) * 512 + c.col % 32 / 16 * 256 + c.row % 16 * 16 +
                   c.col % 16;
          },
          [tiles_n](int64_t o) {
            const int64_t tile = o / 512;
            return Coord{tile % tiles_n * 16 + o % 256 / 16,
                         tile / tiles_n * 32 + o % 512 / 256 * 16 + o % 16};
          },
          std::string(Codes16x16::kName)};
}

/// codes_16x16 by a helper that was given [K, N] for [N, K]: it sees the same bytes as a matrix of the other
/// shape.
ByteOrder exchanged_dimensions(Extent e) {
  const AnyLayout layout(Codes16x16{Extent{e.cols, e.rows}});
  return {"codes_16x16 with N and K exchanged", e.size(),
          [layout, e](Coord c) {
            const int64_t at = c.row * e.cols + c.col;
            return layout.offset({at / e.rows, at % e.rows});
          },
          [layout, e](int64_t offset) {
            const Coord c = layout.coord(offset);
            const int64_t at = c.row * e.rows + c.col;
            return Coord{at / e.cols, at % e.cols};
          },
          std::string(Codes16x16::kName)};
}

/// codes_16x16 with the two 16-byte halves of a tile exchanged.
ByteOrder exchanged_halves(Extent e) {
  const auto exchange = [](Coord c) { return Coord{c.row, c.col ^ 16}; };
  return mistaken("codes_16x16 with the halves of its tiles exchanged", AnyLayout(Codes16x16{e}), exchange,
                  exchange);
}

}  // namespace

bool worth_trying(const ByteOrder& written, const ByteOrder& read) {
  if (written.name == read.name) return false;
  if (written.mistake_of.empty() && read.mistake_of.empty()) return true;
  const auto fits = [](const ByteOrder& mistake, const ByteOrder& layout) {
    return layout.name == mistake.mistake_of || layout.name == ScaleRowMajor::kName ||
           layout.name == CodesRowMajor::kName;
  };
  return written.mistake_of.empty() ? fits(read, written) : fits(written, read);
}

ByteOrder order_of(const AnyLayout& layout) {
  return {std::string(layout.name()),
          layout.size(),
          [layout](Coord c) { return layout.offset(c); },
          [layout](int64_t offset) { return layout.coord(offset); },
          {}};
}

ByteOrder strided_order(std::string name, Extent logical, int64_t stride) {
  return {std::move(name),
          logical.rows * stride,
          [stride](Coord c) { return c.row * stride + c.col; },
          [stride](int64_t offset) { return Coord{offset / stride, offset % stride}; },
          {}};
}

ByteOrder transposed_order(std::string name, Extent logical) {
  return {std::move(name),
          logical.size(),
          [logical](Coord c) { return c.col * logical.rows + c.row; },
          [logical](int64_t offset) { return Coord{offset % logical.rows, offset / logical.rows}; },
          {}};
}

std::vector<ByteOrder> scale_orders(Extent logical) {
  std::vector<ByteOrder> orders;
  for (const LayoutInfo& info : all_layouts()) {
    if (info.kind == LayoutKind::scales) orders.push_back(order_of(*AnyLayout::make(info.name, logical)));
  }
  orders.push_back(transposed_order("column-major order", logical));
  const int64_t padded = round_up(logical.cols, 8);
  if (padded != logical.cols) {
    orders.push_back(strided_order("row-major order with columns padded to 8", logical, padded));
    orders.push_back(wrongly_padded_32x8(logical, logical.cols, "not padded"));
  }
  if (const int64_t from_rows = round_up(logical.rows, 8); from_rows != padded) {
    orders.push_back(wrongly_padded_32x8(logical, from_rows, "padded by the number of rows"));
  }
  orders.push_back(exchanged_bytes_32x8(logical));
  orders.push_back(exchanged_factors_128x4(logical));
  return orders;
}

std::vector<ByteOrder> code_orders(Extent logical) {
  std::vector<ByteOrder> orders = {order_of(AnyLayout(CodesRowMajor{logical})),
                                   transposed_order("column-major order of bytes", logical)};
  if (logical.cols % 16 == 0) orders.push_back(blocks_of_17(logical));
  if (Codes16x16::accepts(logical)) {
    orders.push_back(order_of(AnyLayout(Codes16x16{logical})));
    orders.push_back(tiles_along_n(logical));
    orders.push_back(exchanged_halves(logical));
    if (Codes16x16::accepts({logical.cols, logical.rows})) orders.push_back(exchanged_dimensions(logical));
  }
  return orders;
}

}  // namespace mxproof::explain
