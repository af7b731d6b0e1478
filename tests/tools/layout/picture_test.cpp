#include "tools/layout/picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace mxproof {
namespace {

using testing::HasSubstr;

AnyLayout make(std::string_view name, int64_t rows, int64_t k) {
  return *AnyLayout::make(name, extent_of(find_layout(name)->kind, rows, k));
}

TEST(LayoutPicture, TextHoldsTheLandmarks) {
  const std::string text = text_picture(make("scale_32x8", 64, 512));
  EXPECT_THAT(text, HasSubstr("scale_32x8: 64 x 16 blocks, in memory 256 x 16 = 4096 bytes"));
  // Row 1 begins at byte 4, row 16 at byte 1; block 1 of row 0 lies at 64, block 4 at 2, block 8 at 256.
  EXPECT_THAT(text, HasSubstr("row     0       0      64     128     192       2"));
  EXPECT_THAT(text, HasSubstr("row     1       4"));
  EXPECT_THAT(text, HasSubstr("row    16       1"));
}

TEST(LayoutPicture, PaddingIsInBrackets) {
  EXPECT_THAT(text_picture(make("scale_32x8", 1, 128)), HasSubstr("row     1     [4]"));
}

TEST(LayoutPicture, SaysWhereAnElementAndAByteLie) {
  EXPECT_THAT(describe_coordinate(make("scale_32x8", 64, 512), 33, 160),
              HasSubstr("byte 582 (0x246), dword 145 byte 2; 16x16x128: lane 17"));
  EXPECT_THAT(describe_coordinate(make("codes_16x16", 32, 128), 1, 33),
              HasSubstr("byte 272 (0x110), high nibble; 16x16x128: lane 17 register 0 nibble 1"));
  EXPECT_THAT(describe_byte(make("scale_32x8", 64, 512), 582), HasSubstr("row 33, elements 160..191"));
  EXPECT_THAT(describe_byte(make("scale_32x8", 1, 128), 1), HasSubstr("padding"));
}

/// What the page's script relies on.
void expect_consistent(const nlohmann::json& grids) {
  const auto cells = grids["left"]["rows"].get<size_t>() * grids["left"]["cols"].get<size_t>();
  const auto places = grids["right"]["rows"].get<int64_t>() * grids["right"]["cols"].get<int64_t>();
  EXPECT_EQ(grids["map"].size(), cells);
  EXPECT_EQ(grids["hue"].size(), cells);
  EXPECT_EQ(grids["label"].size(), cells);
  EXPECT_EQ(static_cast<int64_t>(grids["back"].size()), places);
  for (const auto& field : grids["fields"]) EXPECT_EQ(field[1].size(), cells) << field[0];
  std::set<int64_t> seen;
  for (const auto& place : grids["map"]) {
    const auto at = place.get<int64_t>();
    EXPECT_LT(at, places);
    if (at >= 0) {
      EXPECT_TRUE(seen.insert(at).second) << "two cells at " << at;
    }
  }
}

TEST(LayoutPicture, GridsOfEveryLayoutAndOperandAreConsistent) {
  for (const LayoutInfo& info : all_layouts()) {
    SCOPED_TRACE(info.name);
    expect_consistent(layout_grids(make(info.name, 64, 512)));
  }
  for (const MfmaShape& shape : kMfmaShapes) {
    SCOPED_TRACE(shape.name);
    expect_consistent(operand_grids(shape));
    expect_consistent(scale_grids(shape));
    expect_consistent(result_grids(shape));
  }
}

}  // namespace
}  // namespace mxproof
