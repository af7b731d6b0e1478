#include "common/layout/any_layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace mxproof {
namespace {

using testing::HasSubstr;

TEST(AnyLayout, EveryRegisteredNameAndAliasMakesThatLayout) {
  ASSERT_FALSE(all_layouts().empty());
  for (const LayoutInfo& info : all_layouts()) {
    const Extent whole_tiles{info.tile.rows * 3, info.tile.cols * 5};
    const Expected<AnyLayout> layout = AnyLayout::make(info.name, whole_tiles);
    ASSERT_TRUE(layout) << layout.status().message();
    EXPECT_EQ(layout->name(), info.name);
    EXPECT_EQ(layout->logical(), whole_tiles);
    for (std::string_view alias : info.aliases) {
      const Expected<AnyLayout> same = AnyLayout::make(alias, whole_tiles);
      ASSERT_TRUE(same) << alias;
      EXPECT_EQ(same->name(), info.name);
    }
  }
}

TEST(AnyLayout, AnswersAsTheLayoutItHolds) {
  const Scale32x8 inner({33, 9});
  const AnyLayout any(inner);
  EXPECT_EQ(any.size(), inner.padded().size());
  for (int64_t o = 0; o < any.size(); ++o) {
    ASSERT_EQ(any.coord(o), inner.coord(o));
    ASSERT_EQ(any.offset(any.coord(o)), o);
    ASSERT_EQ(any.is_padding(any.coord(o)), is_padding(inner, inner.coord(o)));
  }
}

TEST(AnyLayout, RefusesWhatItCannotHold) {
  const auto message = [](std::string_view name, Extent e) {
    return AnyLayout::make(name, e).status().message();
  };
  EXPECT_THAT(message("scale_64x2", {4, 4}), HasSubstr("known: scale_row_major, scale_32x8"));
  EXPECT_THAT(message("codes_16x16", {17, 32}), HasSubstr("whole tiles of 16 x 32 bytes"));
  EXPECT_THAT(message("scale_32x8", {0, 4}), HasSubstr("at least one row"));
  for (const LayoutInfo& info : all_layouts()) {
    for (const Extent huge :
         {Extent{INT64_MAX, 32}, Extent{16, INT64_MAX}, Extent{int64_t{1} << 32, int64_t{1} << 32}})
      EXPECT_THAT(message(info.name, huge), HasSubstr("is larger than any buffer")) << info.name;
  }
  EXPECT_EQ(AnyLayout::make("nothing", {4, 4}).status().code(), StatusCode::bad_input);
}

TEST(AnyLayout, UnpackUndoesPackAndPackFillsPadding) {
  for (const LayoutInfo& info : all_layouts()) {
    const Extent e{info.tile.rows * 2, info.tile.cols * 3};
    const AnyLayout layout = *AnyLayout::make(info.name, e);
    std::vector<uint8_t> plain(static_cast<size_t>(e.size()));
    for (size_t i = 0; i < plain.size(); ++i) plain[i] = static_cast<uint8_t>(i * 7 + i / 251);
    const std::vector<uint8_t> buffer = pack(layout, plain, 0xff);
    ASSERT_EQ(static_cast<int64_t>(buffer.size()), layout.size());
    EXPECT_EQ(unpack(layout, buffer), plain) << info.name;
    for (int64_t o = 0; o < layout.size(); ++o) {
      if (layout.is_padding(layout.coord(o))) {
        ASSERT_EQ(buffer[static_cast<size_t>(o)], 0xff) << info.name;
      }
    }
  }
}

TEST(AnyLayout, Scale32x8HasTwoPaddings) {
  const auto both = AnyLayout::make_all("scale_32x8", {33, 3});
  ASSERT_TRUE(both);
  ASSERT_EQ(both->size(), 2u);
  EXPECT_EQ(both->front().padded(), (Extent{256, 8}));
  EXPECT_EQ(both->back().padded(), (Extent{64, 8}));
  EXPECT_EQ(AnyLayout::make_all("scale_32x8", {250, 3})->size(), 1u) << "the two are the same";
  EXPECT_EQ(AnyLayout::make_all("scale_128x4", {33, 3})->size(), 1u);
  EXPECT_FALSE(AnyLayout::make_all("scale_32x8", {0, 3}));
}

// Layouts taken for one another must be visible: no two of one kind agree on a shape larger than a tile.
TEST(AnyLayout, NoTwoLayoutsOfOneKindAreTheSame) {
  for (const LayoutInfo& a : all_layouts()) {
    for (const LayoutInfo& b : all_layouts()) {
      if (a.kind != b.kind || a.name == b.name) continue;
      const AnyLayout x = *AnyLayout::make(a.name, {256, 64});
      const AnyLayout y = *AnyLayout::make(b.name, {256, 64});
      int64_t different = 0;
      for (int64_t r = 0; r < 256; ++r) {
        for (int64_t c = 0; c < 64; ++c) different += x.offset({r, c}) != y.offset({r, c});
      }
      EXPECT_GT(different, 256 * 64 / 2) << a.name << " and " << b.name;
    }
  }
}

TEST(ExtentOf, CountsElements) {
  EXPECT_EQ(extent_of(LayoutKind::scales, 16, 7168), (Extent{16, 224}));
  EXPECT_EQ(extent_of(LayoutKind::codes, 16, 7168), (Extent{16, 3584}));
}

}  // namespace
}  // namespace mxproof
