// Sizes, layouts and device views of one product's operands, and byte matrices brought into another layout.
#pragma once

#include <vector>

#include "bench/optimized/operands.hpp"
#include "optimized/device_view.hpp"

namespace mxproof::bench {

/// Pieces of K in the split-K benches.
int bench_splits(const GemmShape& shape);

/// Shapes and layouts of one product's operands.
struct Geometry {
  explicit Geometry(const GemmShape& s)
      : shape(s),
        a_codes({s.m, s.row_bytes()}),
        a_row_scales({s.m, s.blocks()}),
        a_scales({s.m, s.blocks()}),
        b_codes({s.n, s.row_bytes()}),
        b_row_scales({s.n, s.blocks()}),
        b_scales({s.n, s.blocks()}) {}

  GemmShape shape;
  CodesRowMajor a_codes;
  ScaleRowMajor a_row_scales;
  Scale32x8 a_scales;
  CodesRowMajor b_codes;
  ScaleRowMajor b_row_scales;
  Scale32x8 b_scales;

  int64_t a_bytes() const { return 2 * shape.m * shape.k; }
  int64_t c_bytes() const { return 2 * shape.m * shape.n; }
  int64_t a_quantised_bytes() const { return a_codes.logical().size() + a_row_scales.logical().size(); }
  int64_t b_bytes() const { return b_codes.logical().size() + b_row_scales.logical().size(); }
  int64_t partial_bytes() const { return int64_t{bench_splits(shape)} * shape.m * shape.n * 4; }
};

inline DeviceConstBf16 a_view(const Operands& o, int set) {
  return {o.a(set).as<const Bf16>(), o.shape().m, o.shape().k, o.shape().k};
}
inline DeviceCodes b_codes_view(const Operands& o, int set) {
  return {o.weights(set).codes().as(), Geometry(o.shape()).b_codes};
}
inline DeviceScales b_row_scales_view(const Operands& o, int set) {
  return {o.weights(set).row_scales().as(), Geometry(o.shape()).b_row_scales};
}
inline DeviceScales32x8 b_scales_view(const Operands& o, int set) {
  return {o.weights(set).scales().as(), Geometry(o.shape()).b_scales};
}

/// The bytes of `plain` (row-major) in another layout; padding gets `padding`.
template <ByteLayout L>
std::vector<uint8_t> in_layout(const std::vector<uint8_t>& plain, const L& layout, uint8_t padding) {
  std::vector<uint8_t> bytes(static_cast<size_t>(layout.padded().size()), padding);
  const Extent extent = layout.logical();
  for (int64_t row = 0; row < extent.rows; ++row) {
    for (int64_t col = 0; col < extent.cols; ++col) {
      bytes[static_cast<size_t>(layout.offset({row, col}))] =
          plain[static_cast<size_t>(row * extent.cols + col)];
    }
  }
  return bytes;
}

/// Which bytes of a layout are no padding.
template <ByteLayout L>
std::vector<bool> defined_bytes(const L& layout) {
  std::vector<bool> defined(static_cast<size_t>(layout.padded().size()));
  for (int64_t i = 0; i < layout.padded().size(); ++i) {
    defined[static_cast<size_t>(i)] = !is_padding(layout, layout.coord(i));
  }
  return defined;
}

}  // namespace mxproof::bench
