// The quantiser on every bf16 under every scale, and on the inputs where public implementations part.
#include "optimized/quantize/quantize.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "reference/quantize.hpp"
#include "tests/optimized/support/device_case.hpp"

namespace mxproof {
namespace {

Mxfp4Matrix quantize_on_device(const Matrix<Bf16>& a) {
  const auto device = expect_value(DeviceBuffer::copy_of(a.data));
  const auto codes = expect_value(DeviceBuffer::make(a.rows * a.cols / 2));
  const auto scales = expect_value(DeviceBuffer::make(a.rows * a.cols / kBlock));
  run_launch(quantize_launch({device.as<const Bf16>(), a.rows, a.cols, a.cols},
                             {codes.as(), CodesRowMajor({a.rows, a.cols / 2})},
                             {scales.as(), ScaleRowMajor({a.rows, a.cols / kBlock})}));
  Mxfp4Matrix result(a.rows, a.cols);
  result.codes = expect_value(codes.read_all<uint8_t>());
  result.scales = expect_value(scales.read_all<uint8_t>());
  return result;
}

/// One block that begins with `values`; the rest is zero.
Matrix<Bf16> block_of(std::initializer_list<float> values) {
  Matrix<Bf16> block(1, kBlock);
  int64_t i = 0;
  for (const float v : values) block(0, i++) = Bf16{static_cast<uint16_t>(std::bit_cast<uint32_t>(v) >> 16)};
  return block;
}

struct Golden {
  const char* name;
  Matrix<Bf16> block;
  int scale;
  std::vector<int> first_bytes;  ///< of the codes; the rest of the block is zero
};

TEST(Quantize, GoldenBlocks) {
  const float tiny = 0x1p-133f;  // smallest bf16
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::bit_cast<float>(0x7fc00000u);
  const Golden goldens[] = {
      {"zeros", block_of({}), 0, {}},
      {"minus zero", block_of({-0.0f, 0.0f}), 0, {0x08}},
      {"all codes", block_of({0.5f, 1, 1.5f, 2, 3, 4, 6, -6}), 127, {0x21, 0x43, 0x65, 0xf7}},
      {"ties to even",
       block_of({0.25f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f, 5.0f, 6.0f}),
       127,
       {0x20, 0x42, 0x64, 0x76}},
      {"negative ties",
       block_of({-0.25f, -0.75f, -1.25f, -1.75f, -2.5f, -3.5f, -5.0f, 6.0f}),
       127,
       {0xa8, 0xca, 0xec, 0x7e}},
      {"tiny negative keeps its sign", block_of({4.0f, -0.125f}), 127, {0x86}},
      {"1.75 goes up", block_of({1.75f, 0.25f}), 126, {0x16}},
      {"6.5 saturates", block_of({6.5f, 0.25f}), 127, {0x07}},
      {"7 goes up", block_of({7.0f, 1.0f}), 128, {0x16}},
      {"largest bf16", block_of({0x1.fep127f}), 253, {0x06}},
      {"amax 2^-126", block_of({0x1p-126f}), 0, {0x04}},
      {"amax below 2^-124", block_of({tiny, 0x1p-128f, 0x1.8p-128f, 0x1p-127f}), 0, {0x10, 0x22}},
      {"infinity", block_of({1.0f, inf}), 255, {}},
      {"minus infinity", block_of({1.0f, -inf}), 255, {}},
      {"nan", block_of({nan, 1.0f}), 255, {}},
      {"nan beside infinity", block_of({inf, nan}), 255, {}},
  };
  for (const Golden& golden : goldens) {
    SCOPED_TRACE(golden.name);
    const Mxfp4Matrix actual = quantize_on_device(golden.block);
    std::vector<uint8_t> codes(golden.first_bytes.begin(), golden.first_bytes.end());
    codes.resize(kBlock / 2);
    EXPECT_EQ(int{actual.scales[0]}, golden.scale);
    EXPECT_EQ(actual.codes, codes);
    const Mxfp4Matrix reference = expect_value(reference::quantize(golden.block.view()));
    EXPECT_EQ(reference.codes, codes);
    EXPECT_EQ(int{reference.scales[0]}, golden.scale);
  }
}

TEST(Quantize, TheMaximumIsFoundInEveryPlaceOfABlock) {
  Matrix<Bf16> a(kBlock, kBlock, Bf16{0x3f80});
  for (int64_t i = 0; i < kBlock; ++i)
    a(i, i) = Bf16{static_cast<uint16_t>(i % 2 == 0 ? 0x42c0 : 0xc2c0)};  // 96
  const Mxfp4Matrix actual = quantize_on_device(a);
  const Mxfp4Matrix expected = expect_value(reference::quantize(a.view()));
  EXPECT_EQ(actual.scales, std::vector<uint8_t>(kBlock, 131));
  EXPECT_EQ(actual.codes, expected.codes);
}

/// Every finite bf16 under every scale byte that a block holding it can have: each block starts with the
/// largest bf16 of its byte, and the other 31 elements run through all values that are not larger.
TEST(Quantize, EveryBf16UnderEveryScale) {
  constexpr uint16_t kLargestFinite = 0x7f7f;
  int64_t blocks_seen = 0;
  uint16_t amax = 0;
  for (int byte = 0; byte <= 253; ++byte) {
    while (amax < kLargestFinite && ((uint32_t{amax} + 1) << 16) + 0x200000 < (uint32_t(byte) + 3) << 23)
      ++amax;
    const int64_t values = 2 * (int64_t{amax} + 1);
    const int64_t blocks = ceil_div(values, kBlock - 1);
    Matrix<Bf16> a(blocks, kBlock, Bf16{amax});
    for (int64_t i = 0; i < values; ++i) {
      a(i / (kBlock - 1), 1 + i % (kBlock - 1)) = Bf16{static_cast<uint16_t>(i / 2 | (i % 2) << 15)};
    }
    const Mxfp4Matrix actual = quantize_on_device(a);
    const Mxfp4Matrix expected = expect_value(reference::quantize(a.view()));
    ASSERT_EQ(actual.scales, std::vector<uint8_t>(static_cast<size_t>(blocks), static_cast<uint8_t>(byte)));
    ASSERT_EQ(actual.codes, expected.codes) << "scale byte " << byte;
    blocks_seen += blocks;
  }
  EXPECT_EQ(amax, kLargestFinite);
  EXPECT_GT(blocks_seen, 250'000);
}

TEST(Quantize, RefusesWhatItCannotRead) {
  const auto memory = expect_value(DeviceBuffer::make(4096));
  const auto launch = [&](DeviceConstBf16 a, Extent codes, Extent scales) {
    return quantize_launch(a, {memory.as(), CodesRowMajor(codes)}, {memory.as(), ScaleRowMajor(scales)})
        .status();
  };
  const auto* a = memory.as<const Bf16>();
  EXPECT_EQ(launch({a, 2, 48, 48}, {2, 24}, {2, 1}).message(), "quantize: K = 48 is not a multiple of 32");
  EXPECT_EQ(launch({nullptr, 2, 64, 64}, {2, 32}, {2, 2}).message(), "quantize: a is null");
  EXPECT_EQ(launch({a, 2, 64, 68}, {2, 32}, {2, 2}).message(),
            "quantize: the row stride of a, 68 elements, is not a multiple of 8");
  EXPECT_EQ(launch({a, 2, 64, 64}, {2, 64}, {2, 2}).message(),
            "quantize: codes is 2x64, but the other operands make it 2x32");
}

}  // namespace
}  // namespace mxproof
