// Laws and landmarks of every layout. A round trip cannot see a shuffle that is wrong both ways, so each
// layout is also held to literals and to its nested view/permute form.
#include "common/layout/codes_16x16.hpp"
#include "common/layout/row_major.hpp"
#include "common/layout/scale_128x4.hpp"
#include "common/layout/scale_32x4.hpp"
#include "common/layout/scale_32x8.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace mxproof {
namespace {

template <class L>
void expect_laws(const L& layout) {
  const Extent padded = layout.padded();
  ASSERT_GT(padded.size(), 0);
  std::vector<bool> hit(static_cast<size_t>(padded.size()), false);
  for (int64_t r = 0; r < padded.rows; ++r) {
    for (int64_t c = 0; c < padded.cols; ++c) {
      const int64_t offset = layout.offset({r, c});
      ASSERT_GE(offset, 0);
      ASSERT_LT(offset, padded.size()) << L::kName << " (" << r << "," << c << ")";
      ASSERT_FALSE(hit[static_cast<size_t>(offset)])
          << L::kName << " maps two coordinates to byte " << offset;
      hit[static_cast<size_t>(offset)] = true;
      ASSERT_EQ(layout.coord(offset), (Coord{r, c})) << L::kName << " byte " << offset;
    }
  }
}

/// Offset as the view/permute form has it: split every index, permute the parts, read the flat index back.
/// `parts` are (extent, value) from outermost to innermost after the permutation.
struct Part {
  int64_t extent;
  int64_t value;
};
int64_t flat(std::initializer_list<Part> parts) {
  int64_t offset = 0;
  for (const Part& p : parts) offset = offset * p.extent + p.value;
  return offset;
}

const std::vector<Extent> kScaleExtents = {{1, 1},   {4, 16},  {16, 224}, {32, 16},  {33, 7},
                                           {257, 9}, {300, 3}, {64, 64},  {2880, 16}};

TEST(ScaleRowMajor, Laws) {
  for (Extent e : kScaleExtents) expect_laws(ScaleRowMajor(e));
  EXPECT_EQ(ScaleRowMajor({5, 7}).offset({2, 3}), 17);
}

TEST(Scale32x8, Laws) {
  for (Extent e : kScaleExtents) {
    expect_laws(Scale32x8(e));
    expect_laws(Scale32x8(e, 32));
  }
}

TEST(Scale32x8, PadsRowsTo256AndColumnsTo8) {
  EXPECT_EQ(Scale32x8({1, 4}).padded(), (Extent{256, 8}));
  EXPECT_EQ(Scale32x8({2880, 16}).padded(), (Extent{3072, 16}));
  EXPECT_EQ(Scale32x8({33, 9}, 32).padded(), (Extent{64, 16}));
  const Scale32x8 layout({1, 4});
  EXPECT_FALSE(is_padding(layout, {0, 3}));
  EXPECT_TRUE(is_padding(layout, {0, 4}));
  EXPECT_TRUE(is_padding(layout, {1, 0}));
}

TEST(Scale32x8, Landmarks) {
  const Scale32x8 layout({64, 16});
  ASSERT_EQ(layout.padded().cols, 16);
  EXPECT_EQ(layout.offset({1, 0}), 4);
  EXPECT_EQ(layout.offset({16, 0}), 1);
  EXPECT_EQ(layout.offset({0, 1}), 64);
  EXPECT_EQ(layout.offset({0, 4}), 2);
  EXPECT_EQ(layout.offset({0, 8}), 256);
  EXPECT_EQ(layout.offset({32, 0}), 512);
  EXPECT_EQ(layout.offset({33, 5}), 582);
}

// M=1, K=128 (aiter): of 2048 bytes four are defined, at 0, 64, 128 and 192.
TEST(Scale32x8, OneRowOfFourBlocksDefinesFourBytes) {
  const Scale32x8 layout({1, 4});
  ASSERT_EQ(layout.padded().size(), 2048);
  std::vector<int64_t> defined;
  for (int64_t offset = 0; offset < 2048; ++offset) {
    if (!is_padding(layout, layout.coord(offset))) defined.push_back(offset);
  }
  EXPECT_EQ(defined, (std::vector<int64_t>{0, 64, 128, 192}));
}

TEST(Scale32x8, IsTheViewPermuteForm) {
  for (Extent e : kScaleExtents) {
    const Scale32x8 layout(e);
    const Extent p = layout.padded();
    for (int64_t r = 0; r < p.rows; ++r) {
      for (int64_t c = 0; c < p.cols; ++c) {
        // view(rows/32, 2, 16, cols/8, 2, 4) permuted to (0, 3, 5, 2, 4, 1)
        ASSERT_EQ(layout.offset({r, c}), flat({{p.rows / 32, r / 32},
                                               {p.cols / 8, c / 8},
                                               {4, c % 4},
                                               {16, r % 16},
                                               {2, c % 8 / 4},
                                               {2, r % 32 / 16}}));
      }
    }
  }
}

TEST(Scale128x4, Laws) {
  for (Extent e : kScaleExtents) expect_laws(Scale128x4(e));
}

TEST(Scale128x4, PadsRowsTo128AndColumnsTo4) {
  EXPECT_EQ(Scale128x4({1, 1}).padded(), (Extent{128, 4}));
  EXPECT_EQ(Scale128x4({2880, 90}).padded(), (Extent{2944, 92}));
}

// Two factors of the reshape swapped, (32, 4) for (4, 32), survive every round trip; (1,0) and (32,0) tell.
TEST(Scale128x4, Landmarks) {
  const Scale128x4 layout({256, 8});
  EXPECT_EQ(layout.offset({1, 0}), 16);
  EXPECT_EQ(layout.offset({32, 0}), 4);
  EXPECT_EQ(layout.offset({0, 1}), 1);
  EXPECT_EQ(layout.offset({0, 4}), 512);
  EXPECT_EQ(layout.offset({127, 3}), 511);
  EXPECT_EQ(layout.offset({128, 0}), 1024);
}

TEST(Scale128x4, IsTheViewPermuteForm) {
  for (Extent e : kScaleExtents) {
    const Scale128x4 layout(e);
    const Extent p = layout.padded();
    for (int64_t r = 0; r < p.rows; ++r) {
      for (int64_t c = 0; c < p.cols; ++c) {
        // view(rows/128, 4, 32, cols/4, 4) permuted to (0, 3, 2, 1, 4)
        ASSERT_EQ(
            layout.offset({r, c}),
            flat(
                {{p.rows / 128, r / 128}, {p.cols / 4, c / 4}, {32, r % 32}, {4, r % 128 / 32}, {4, c % 4}}));
      }
    }
  }
}

TEST(Scale32x4, Laws) {
  for (Extent e : kScaleExtents) expect_laws(Scale32x4(e));
}

TEST(Scale32x4, Landmarks) {
  const Scale32x4 layout({64, 8});
  EXPECT_EQ(layout.offset({1, 0}), 4);
  EXPECT_EQ(layout.offset({0, 1}), 1);
  EXPECT_EQ(layout.offset({0, 4}), 128);
  EXPECT_EQ(layout.offset({31, 3}), 127);
  EXPECT_EQ(layout.offset({32, 0}), 256);
}

TEST(Scale32x4, IsTheViewPermuteForm) {
  for (Extent e : kScaleExtents) {
    const Scale32x4 layout(e);
    const Extent p = layout.padded();
    for (int64_t r = 0; r < p.rows; ++r) {
      for (int64_t c = 0; c < p.cols; ++c) {
        // view(rows/32, 32, cols/4, 4) permuted to (0, 2, 1, 3)
        ASSERT_EQ(layout.offset({r, c}),
                  flat({{p.rows / 32, r / 32}, {p.cols / 4, c / 4}, {32, r % 32}, {4, c % 4}}));
      }
    }
  }
}

const std::vector<Extent> kCodeExtents = {{16, 32}, {48, 64}, {32, 256}, {80, 96}, {2880, 256}};

TEST(CodesRowMajor, Laws) {
  for (Extent e : kCodeExtents) expect_laws(CodesRowMajor(e));
}

TEST(Codes16x16, Laws) {
  for (Extent e : kCodeExtents) {
    ASSERT_TRUE(Codes16x16::accepts(e));
    expect_laws(Codes16x16(e));
  }
}

TEST(Codes16x16, AcceptsOnlyWholeTiles) {
  EXPECT_FALSE(Codes16x16::accepts({15, 32}));
  EXPECT_FALSE(Codes16x16::accepts({16, 48}));
  EXPECT_TRUE(Codes16x16::accepts({16, 64}));
}

TEST(Codes16x16, Landmarks) {
  const Codes16x16 layout({32, 64});
  EXPECT_EQ(layout.offset({1, 0}), 16);
  EXPECT_EQ(layout.offset({0, 16}), 256);
  EXPECT_EQ(layout.offset({0, 32}), 512);
  EXPECT_EQ(layout.offset({16, 0}), 1024);
}

TEST(Codes16x16, IsTheViewPermuteForm) {
  for (Extent e : kCodeExtents) {
    const Codes16x16 layout(e);
    for (int64_t n = 0; n < e.rows; ++n) {
      for (int64_t kb = 0; kb < e.cols; ++kb) {
        // view(N/16, 16, Kb/32, 2, 16) permuted to (0, 2, 3, 1, 4)
        ASSERT_EQ(layout.offset({n, kb}), flat({{e.rows / 16, n / 16},
                                                {e.cols / 32, kb / 32},
                                                {2, kb % 32 / 16},
                                                {16, n % 16},
                                                {16, kb % 16}}));
      }
    }
  }
}

}  // namespace
}  // namespace mxproof
