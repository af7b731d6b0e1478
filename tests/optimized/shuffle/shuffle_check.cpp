#include <gtest/gtest.h>

#include "common/random/fill.hpp"
#include "optimized/shuffle/shuffle.hpp"
#include "tests/optimized/registry/kernel_checks.hpp"
#include "tests/optimized/support/device_case.hpp"
#include "tools/explain/report.hpp"

namespace mxproof {
namespace {

std::vector<uint8_t> random_bytes(int64_t count, uint64_t seed) {
  std::vector<uint8_t> bytes(static_cast<size_t>(count));
  fill_bytes(bytes, seed, TensorId::test);
  return bytes;
}

/// `row_major` rearranged by the layout object; `padding` where it holds none.
template <class L>
std::vector<uint8_t> arranged(const std::vector<uint8_t>& row_major, const L& layout, uint8_t padding) {
  std::vector<uint8_t> bytes(static_cast<size_t>(layout.padded().size()), padding);
  for (int64_t r = 0; r < layout.logical().rows; ++r) {
    for (int64_t c = 0; c < layout.logical().cols; ++c) {
      bytes[static_cast<size_t>(layout.offset({r, c}))] =
          row_major[static_cast<size_t>(r * layout.logical().cols + c)];
    }
  }
  return bytes;
}

/// What the explainer makes of shuffled scales: codes play no part.
std::string why(const std::vector<uint8_t>& row_major, const std::vector<uint8_t>& shuffled,
                const Scale32x8& layout) {
  const Extent extent = layout.logical();
  explain::Evidence evidence;
  evidence.subject = explain::Subject::quantised;
  evidence.wanted = Mxfp4Matrix(extent.rows, extent.cols * kBlock);
  evidence.got = evidence.wanted;
  evidence.wanted.scales = row_major;
  for (int64_t r = 0; r < extent.rows; ++r) {
    for (int64_t c = 0; c < extent.cols; ++c)
      evidence.got.scale_row(r)[c] = shuffled[static_cast<size_t>(layout.offset({r, c}))];
  }
  return explain::summarise(std::move(evidence));
}

}  // namespace

void check_shuffle_scales(const GemmShape& shape, uint64_t seed) {
  const Extent extent{shape.n, shape.blocks()};
  const auto row_major = random_bytes(extent.size(), seed);
  const auto from = expect_value(DeviceBuffer::copy_of(row_major));
  for (const int64_t row_padding : {int64_t{32}, Scale32x8::kDefaultRowPadding}) {
    const Scale32x8 layout(extent, row_padding);
    const auto to = expect_value(DeviceBuffer::make(layout.padded().size()));
    run_launch(shuffle_scales_launch({from.as(), ScaleRowMajor(extent)}, {to.as(), layout}));
    const auto actual = expect_value(to.read_all<uint8_t>());
    EXPECT_EQ(actual, arranged(row_major, layout, 0)) << why(row_major, actual, layout);
  }
}

void check_unshuffle_scales(const GemmShape& shape, uint64_t seed) {
  const Extent extent{shape.n, shape.blocks()};
  const auto row_major = random_bytes(extent.size(), seed);
  const Scale32x8 layout(extent);
  const auto from = expect_value(DeviceBuffer::copy_of(arranged(row_major, layout, kPoison)));
  const auto to = expect_value(DeviceBuffer::make(extent.size()));
  run_launch(unshuffle_scales_launch({from.as(), layout}, {to.as(), ScaleRowMajor(extent)}));
  EXPECT_EQ(expect_value(to.read_all<uint8_t>()), row_major);
}

void check_preshuffle_codes(const GemmShape& shape, uint64_t seed) {
  const Extent extent{shape.n, shape.row_bytes()};
  const auto row_major = random_bytes(extent.size(), seed);
  const auto from = expect_value(DeviceBuffer::copy_of(row_major));
  const auto to = expect_value(DeviceBuffer::make(extent.size()));
  run_launch(preshuffle_codes_launch({from.as(), CodesRowMajor(extent)}, {to.as(), Codes16x16(extent)}));
  EXPECT_EQ(expect_value(to.read_all<uint8_t>()), arranged(row_major, Codes16x16(extent), 0));
}

}  // namespace mxproof
