#include "tools/identify/identify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/random/fill.hpp"
#include "common/shape.hpp"

namespace mxproof::identify {
namespace {

using testing::HasSubstr;

std::vector<uint8_t> random_bytes(int64_t count, uint64_t seed) {
  std::vector<uint8_t> bytes(static_cast<size_t>(count));
  fill_bytes(bytes, seed, TensorId::test);
  return bytes;
}

TEST(Identify, AgainstTheOriginalEveryLayoutIsCertain) {
  for (const LayoutInfo& info : all_layouts()) {
    const int64_t rows = 48;
    const int64_t k = 640;
    const AnyLayout layout = *AnyLayout::make(info.name, extent_of(info.kind, rows, k));
    const std::vector<uint8_t> plain = random_bytes(layout.logical().size(), 1);
    const auto result = identify(pack(layout, plain, 0x55), rows, k, info.kind, plain);
    ASSERT_TRUE(result) << result.status().message();
    EXPECT_EQ(result->certainty, Certainty::certain) << info.name << ": " << result->reason;
    EXPECT_EQ(result->guesses.front().layout, info.name);
  }
}

TEST(Identify, SwappedNibblesAreNamed) {
  const std::vector<uint8_t> plain = random_bytes(32 * 64, 2);
  std::vector<uint8_t> swapped = plain;
  for (uint8_t& byte : swapped) byte = static_cast<uint8_t>(byte << 4 | byte >> 4);
  const auto result = identify(swapped, 32, 128, LayoutKind::codes, plain);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->certainty, Certainty::certain);
  EXPECT_EQ(result->guesses.front().layout, "codes_row_major, high nibble first");
}

// Constant data looks the same in every layout of its size: to name one would be a guess.
TEST(Identify, ConstantDataFitsSeveral) {
  const std::vector<uint8_t> plain(256 * 16, 127);
  const auto result = identify(plain, 256, 512, LayoutKind::scales, plain);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->certainty, Certainty::ambiguous);
  EXPECT_EQ(identify(plain, 256, 512, LayoutKind::scales, std::nullopt)->certainty, Certainty::unknown);
}

// Real weights: rows differ in size. Rows of 256 and columns of 8, so that all four scale layouts have one
// size.
TEST(Identify, RowsThatDifferGiveTheLayoutAway) {
  for (const LayoutInfo& info : all_layouts()) {
    if (info.kind != LayoutKind::scales) continue;
    const AnyLayout layout = *AnyLayout::make(info.name, {256, 16});
    const std::vector<uint8_t> noise = random_bytes(256 * 16, 3);
    std::vector<uint8_t> plain(256 * 16);
    for (int64_t r = 0; r < 256; ++r) {
      for (int64_t c = 0; c < 16; ++c) {
        const auto at = static_cast<size_t>(r * 16 + c);
        plain[at] = static_cast<uint8_t>(115 + noise[static_cast<size_t>(r * 16)] % 8 + noise[at] % 3);
      }
    }
    const auto result = identify(pack(layout, plain, 0), 256, 512, LayoutKind::scales, std::nullopt);
    ASSERT_TRUE(result);
    ASSERT_EQ(result->guesses.size(), 4u);
    EXPECT_EQ(result->certainty, Certainty::likely) << info.name << ": " << result->reason;
    EXPECT_EQ(result->guesses.front().layout, info.name);
  }
}

TEST(Identify, DataWithoutStructureIsNotGuessedAt) {
  int64_t guessed = 0;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto result =
        identify(random_bytes(256 * 16, 100 + seed), 256, 512, LayoutKind::scales, std::nullopt);
    ASSERT_TRUE(result);
    guessed += result->certainty != Certainty::unknown;
  }
  EXPECT_EQ(guessed, 0);
}

TEST(Identify, PaddingThatHoldsOneByteGivesTheLayoutAway) {
  // 200 rows and 15 columns: scale_32x8 and scale_128x4 both take 256 x 16 bytes, with padding in other
  // places.
  const AnyLayout layout = *AnyLayout::make("scale_32x8", {200, 15});
  const auto result =
      identify(pack(layout, random_bytes(200 * 15, 4), 0x7f), 200, 480, LayoutKind::scales, std::nullopt);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->certainty, Certainty::likely) << result->reason;
  EXPECT_EQ(result->guesses.front().layout, "scale_32x8");
  EXPECT_EQ(result->guesses.front().padding_fill, 0x7f);
}

/// Scale bytes whose rows differ in size.
std::vector<uint8_t> rows_that_differ(int64_t rows, int64_t cols, uint64_t seed) {
  std::vector<uint8_t> plain = random_bytes(rows * cols, seed);
  for (int64_t r = 0; r < rows; ++r) {
    const uint8_t base = plain[static_cast<size_t>(r * cols)] % 8;
    for (int64_t c = 0; c < cols; ++c) {
      uint8_t& byte = plain[static_cast<size_t>(r * cols + c)];
      byte = static_cast<uint8_t>(115 + base + byte % 3);
    }
  }
  return plain;
}

// Kernels need no more than the tile's 32 rows: such buffers share their size with those of other layouts.
TEST(Identify, Scale32x8PaddedTo32RowsIsNamed) {
  for (const auto& [rows, k, name] :
       {std::tuple(2880, 512, "scale_32x8, rows padded to 2880"),
        std::tuple(33, 96, "scale_32x8, rows padded to 64"), std::tuple(255, 384, "scale_32x8")}) {
    const Extent e = extent_of(LayoutKind::scales, rows, k);
    const AnyLayout layout = AnyLayout::make_all("scale_32x8", e)->back();
    const std::vector<uint8_t> plain = rows_that_differ(e.rows, e.cols, 8);
    const auto told = identify(pack(layout, plain, 0x7f), rows, k, LayoutKind::scales, std::nullopt);
    ASSERT_TRUE(told) << told.status().message();
    EXPECT_EQ(told->certainty, Certainty::likely) << told->reason;
    EXPECT_EQ(told->guesses.front().layout, name);
    const auto certain = identify(pack(layout, plain, 0x7f), rows, k, LayoutKind::scales, plain);
    EXPECT_EQ(certain->certainty, Certainty::certain);
    EXPECT_EQ(certain->guesses.front().layout, name);
  }
}

// A size is no evidence: nothing else has it, and yet the bytes may be anything.
TEST(Identify, ASizeAloneIsNotGuessedFrom) {
  std::vector<uint8_t> bytes(256 * 16, 127);
  const auto told = [&] { return identify(bytes, 48, 512, LayoutKind::scales, std::nullopt); };
  ASSERT_EQ(told()->guesses.size(), 1u) << told()->guesses[1].layout;
  EXPECT_EQ(told()->certainty, Certainty::unknown) << told()->reason;
  EXPECT_THAT(told()->reason, HasSubstr("the only layout of this size, but"));
  bytes = random_bytes(256 * 16, 9);
  EXPECT_EQ(told()->certainty, Certainty::unknown) << told()->reason;
  const AnyLayout layout = *AnyLayout::make("scale_32x8", {48, 16});
  bytes = pack(layout, random_bytes(48 * 16, 9), 0x7f);
  EXPECT_EQ(told()->certainty, Certainty::likely) << "its padding shows it";
  bytes = pack(layout, rows_that_differ(48, 16, 9), 120);
  EXPECT_THAT(told()->reason, HasSubstr("the only layout of this size, and rows and columns"));
}

TEST(Identify, WrongSizesAreRefused) {
  const auto result = identify(random_bytes(1000, 5), 16, 512, std::nullopt, std::nullopt);
  ASSERT_FALSE(result);
  EXPECT_THAT(
      result.status().message(),
      HasSubstr("1000 bytes fit no layout of 16 rows and K = 512; sizes would be: scale_row_major 256"));
  const std::vector<uint8_t> plain = random_bytes(16 * 16, 6);
  EXPECT_THAT(identify(plain, 16, 512, LayoutKind::scales, random_bytes(10, 7)).status().message(),
              HasSubstr("the original has 10 bytes"));
}

}  // namespace
}  // namespace mxproof::identify
