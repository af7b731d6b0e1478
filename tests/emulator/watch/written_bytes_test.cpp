#include "emulator/watch/written_bytes.hpp"

#include <gtest/gtest.h>

namespace mxproof::emulator {
namespace {

TEST(WrittenBytes, KnowEachByte) {
  WrittenBytes bytes(100);
  EXPECT_FALSE(bytes.has(0, 1));
  bytes.mark(10, 20);
  for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(bytes.has(i, 1), i >= 10 && i < 30) << i;
  EXPECT_TRUE(bytes.has(10, 20));
  EXPECT_TRUE(bytes.has(16, 8));
  EXPECT_FALSE(bytes.has(9, 2));
  EXPECT_FALSE(bytes.has(24, 8));
  EXPECT_FALSE(bytes.has(29, 2));
  EXPECT_FALSE(bytes.is_whole());
}

TEST(WrittenBytes, AFillOfEverythingIsWhole) {
  WrittenBytes bytes(100);
  bytes.mark(0, 100);
  EXPECT_TRUE(bytes.is_whole());
  EXPECT_TRUE(bytes.has(99, 1));
  bytes.forget(40, 2);
  EXPECT_FALSE(bytes.is_whole());
  for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(bytes.has(i, 1), i != 40 && i != 41) << i;
}

TEST(WrittenBytes, ACopyCopiesWhatIsNotThere) {
  WrittenBytes source(64);
  source.mark(0, 8);
  WrittenBytes to(64);
  to.mark(0, 64);
  to.mark_as(16, source, 4, 8);  // four bytes that are there, four that are not
  for (uint64_t i = 0; i < 64; ++i) EXPECT_EQ(to.has(i, 1), i < 20 || i >= 24) << i;
  WrittenBytes whole(64);
  whole.mark(0, 64);
  to.mark_as(0, whole, 0, 64);
  EXPECT_TRUE(to.has(0, 64));
}

}  // namespace
}  // namespace mxproof::emulator
