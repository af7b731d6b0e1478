#include "emulator/runtime/device_memory.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mxproof::emulator {
namespace {

void* allocate(DeviceMemory& memory, size_t size, MemoryKind kind = MemoryKind::device) {
  void* pointer = nullptr;
  const Outcome outcome = memory.allocate(size, kind, 0, &pointer);
  EXPECT_TRUE(outcome.ok()) << outcome.message();
  return pointer;
}

TEST(DeviceMemory, FreshMemoryIsPoisoned) {
  DeviceMemory memory;
  const auto* bytes = static_cast<const unsigned char*>(allocate(memory, 10001));
  for (size_t i = 0; i < 10001; ++i) ASSERT_EQ(bytes[i], kFreshByte) << i;
}

TEST(DeviceMemory, LaunchesSeeExactlyTheAllocations) {
  DeviceMemory memory;
  void* first = allocate(memory, 100);
  allocate(memory, 200);
  const auto base = reinterpret_cast<uint64_t>(first);
  const auto table = memory.global().snapshot();
  ASSERT_EQ(table->size(), 2U);
  const Allocation* found = find_allocation(*table, base + 99);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->base, base);
  EXPECT_EQ(found->size, 100U);
  EXPECT_EQ(find_allocation(*table, base + 100), nullptr) << "one past the end";
  EXPECT_EQ(find_allocation(*table, base - 1), nullptr);
}

TEST(DeviceMemory, NeighboursAreFarApart) {
  DeviceMemory memory;
  std::vector<uint64_t> starts;
  for (int i = 0; i < 20; ++i) starts.push_back(reinterpret_cast<uint64_t>(allocate(memory, 4096)));
  std::sort(starts.begin(), starts.end());
  for (size_t i = 1; i < starts.size(); ++i) EXPECT_GE(starts[i] - starts[i - 1], 4096U + (128U << 10));
}

TEST(DeviceMemoryDeathTest, TheHostCannotTouchTheGuard) {
  DeviceMemory memory;
  auto* bytes = static_cast<volatile char*>(allocate(memory, 4096));
  EXPECT_DEATH(bytes[4096] = 1, "");
  EXPECT_DEATH(bytes[-1] = 1, "");
}

TEST(DeviceMemory, FreeingChecksWhatItIsGiven) {
  DeviceMemory memory;
  void* device = allocate(memory, 64);
  void* host = allocate(memory, 64, MemoryKind::host);
  void* managed = allocate(memory, 64, MemoryKind::managed);
  int own = 0;
  EXPECT_TRUE(memory.free_device(nullptr).ok());
  EXPECT_EQ(memory.free_device(&own).code(), hipErrorInvalidValue);
  EXPECT_EQ(memory.free_device(static_cast<char*>(device) + 1).code(), hipErrorInvalidValue);
  EXPECT_EQ(memory.free_device(host).code(), hipErrorInvalidValue);
  EXPECT_EQ(memory.free_host(device).code(), hipErrorInvalidValue);
  EXPECT_TRUE(memory.free_device(device).ok());
  EXPECT_EQ(memory.free_device(device).code(), hipErrorInvalidValue) << "twice";
  EXPECT_TRUE(memory.free_host(host).ok());
  EXPECT_TRUE(memory.free_device(managed).ok());
  EXPECT_TRUE(memory.global().snapshot()->empty());
  EXPECT_EQ(memory.free_bytes(), memory.total_bytes());
}

TEST(DeviceMemory, NothingIsNullAndTooMuchIsRefused) {
  DeviceMemory memory;
  EXPECT_EQ(allocate(memory, 0), nullptr);
  void* pointer = &memory;
  EXPECT_EQ(memory.allocate(SIZE_MAX, MemoryKind::device, 0, &pointer).code(), hipErrorOutOfMemory);
  EXPECT_EQ(pointer, nullptr);
}

}  // namespace
}  // namespace mxproof::emulator
