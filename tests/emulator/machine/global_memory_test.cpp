#include "emulator/machine/global_memory.hpp"

#include <gtest/gtest.h>

namespace mxproof::emulator {
namespace {

const void* at(uint64_t address) {
  return reinterpret_cast<const void*>(address);
}

TEST(GlobalMemory, FindsWhatHoldsAnAddress) {
  GlobalMemory memory;
  ASSERT_TRUE(memory.add(at(0x1000), 0x100, "a").ok());
  ASSERT_TRUE(memory.add(at(0x3000), 0x10, "b").ok());
  ASSERT_TRUE(memory.add(at(0x2000), 0x1000, "c").ok());
  EXPECT_EQ(memory.find(0x1000)->label, "a");
  EXPECT_EQ(memory.find(0x10ff)->label, "a");
  EXPECT_FALSE(memory.find(0x1100).has_value());
  EXPECT_FALSE(memory.find(0xfff).has_value());
  EXPECT_EQ(memory.find(0x2fff)->label, "c");
  EXPECT_EQ(memory.find(0x300f)->label, "b");
}

TEST(GlobalMemory, RefusesOverlapsAndEmptyRanges) {
  GlobalMemory memory;
  ASSERT_TRUE(memory.add(at(0x1000), 0x100).ok());
  EXPECT_FALSE(memory.add(at(0x10ff), 1).ok());
  EXPECT_FALSE(memory.add(at(0xf00), 0x101).ok());
  EXPECT_FALSE(memory.add(at(0x1000), 0x100).ok());
  EXPECT_FALSE(memory.add(at(0x5000), 0).ok());
  EXPECT_FALSE(memory.add(at(~uint64_t{0}), 2).ok());
  EXPECT_TRUE(memory.add(at(0x1100), 1).ok());
  EXPECT_TRUE(memory.add(at(0xfff), 1).ok());
}

TEST(GlobalMemory, RemovesByBaseOnly) {
  GlobalMemory memory;
  ASSERT_TRUE(memory.add(at(0x1000), 0x100).ok());
  EXPECT_FALSE(memory.remove(at(0x1001)).ok());
  EXPECT_TRUE(memory.remove(at(0x1000)).ok());
  EXPECT_FALSE(memory.find(0x1000).has_value());
  EXPECT_FALSE(memory.remove(at(0x1000)).ok());
}

TEST(GlobalMemory, ASnapshotStaysAsItWas) {
  GlobalMemory memory;
  ASSERT_TRUE(memory.add(at(0x1000), 0x100).ok());
  const auto before = memory.snapshot();
  ASSERT_TRUE(memory.remove(at(0x1000)).ok());
  EXPECT_NE(find_allocation(*before, 0x1050), nullptr);
  EXPECT_EQ(find_allocation(*memory.snapshot(), 0x1050), nullptr);
}

}  // namespace
}  // namespace mxproof::emulator
