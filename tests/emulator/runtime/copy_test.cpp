#include "emulator/runtime/copy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

namespace mxproof::emulator {
namespace {

using ::testing::HasSubstr;

class Copy : public ::testing::Test {
 protected:
  uint8_t* device(size_t size) {
    void* pointer = nullptr;
    EXPECT_TRUE(memory_.allocate(size, MemoryKind::device, 0, &pointer).ok());
    return static_cast<uint8_t*>(pointer);
  }
  static std::vector<uint8_t> counted(size_t size) {
    std::vector<uint8_t> bytes(size);
    std::iota(bytes.begin(), bytes.end(), uint8_t{1});
    return bytes;
  }
  DeviceMemory memory_;
};

TEST_F(Copy, GoesThereAndBack) {
  const std::vector<uint8_t> source = counted(100);
  uint8_t* buffer = device(100);
  std::vector<uint8_t> back(100);
  ASSERT_TRUE(run(CopyWork::linear(buffer, source.data(), 100, hipMemcpyHostToDevice), memory_).ok());
  ASSERT_TRUE(run(CopyWork::linear(back.data(), buffer, 100, hipMemcpyDefault), memory_).ok());
  EXPECT_EQ(back, source);
}

TEST_F(Copy, LeavingAnAllocationIsRefusedWhateverTheDirectionSays) {
  std::vector<uint8_t> host(200);
  uint8_t* buffer = device(100);
  for (const hipMemcpyKind kind : {hipMemcpyHostToDevice, hipMemcpyDefault, hipMemcpyHostToHost}) {
    const Outcome outcome = run(CopyWork::linear(buffer + 50, host.data(), 51, kind), memory_);
    EXPECT_EQ(outcome.code(), hipErrorInvalidValue);
    EXPECT_THAT(outcome.message(),
                HasSubstr("destination takes 51 bytes from byte 50 of an allocation of 100"));
  }
  EXPECT_EQ(run(CopyWork::linear(host.data(), buffer, 101, hipMemcpyDeviceToHost), memory_).code(),
            hipErrorInvalidValue);
  EXPECT_EQ(buffer[50], kFreshByte) << "nothing was written";
}

TEST_F(Copy, ADeviceSideMustBeTheDevices) {
  std::vector<uint8_t> a(8);
  std::vector<uint8_t> b(8);
  EXPECT_EQ(run(CopyWork::linear(a.data(), b.data(), 8, hipMemcpyHostToDevice), memory_).code(),
            hipErrorInvalidValue);
  EXPECT_EQ(run(CopyWork::linear(a.data(), b.data(), 8, hipMemcpyDeviceToHost), memory_).code(),
            hipErrorInvalidValue);
  EXPECT_TRUE(run(CopyWork::linear(a.data(), b.data(), 8, hipMemcpyHostToHost), memory_).ok());
  EXPECT_EQ(run(CopyWork::linear(a.data(), b.data(), 8, static_cast<hipMemcpyKind>(9)), memory_).code(),
            hipErrorInvalidMemcpyDirection);
  EXPECT_EQ(run(CopyWork::linear(nullptr, b.data(), 8, hipMemcpyHostToHost), memory_).code(),
            hipErrorInvalidValue);
}

TEST_F(Copy, BoxesKeepTheirPitches) {
  // 2 slices of 3 rows of 4 bytes, out of rows 10 apart, into rows 7 apart.
  const std::vector<uint8_t> source = counted(2 * 40);
  uint8_t* buffer = device(2 * 28);
  CopyWork work;
  work.from = {const_cast<uint8_t*>(source.data()), 10, 40};
  work.to = {buffer, 7, 28};
  work.width = 4;
  work.height = 3;
  work.depth = 2;
  work.kind = hipMemcpyHostToDevice;
  ASSERT_TRUE(run(work, memory_).ok());
  for (size_t z = 0; z < 2; ++z) {
    for (size_t y = 0; y < 3; ++y) {
      for (size_t x = 0; x < 7; ++x) {
        const uint8_t expected = x < 4 ? source[z * 40 + y * 10 + x] : kFreshByte;
        EXPECT_EQ(buffer[z * 28 + y * 7 + x], expected) << z << ' ' << y << ' ' << x;
      }
    }
  }
  work.to.pitch = 3;
  EXPECT_EQ(run(work, memory_).code(), hipErrorInvalidPitchValue);
  work.to.pitch = SIZE_MAX / 2;
  work.to.slice = SIZE_MAX;
  EXPECT_FALSE(run(work, memory_).ok()) << "an extent that overflows";
}

TEST_F(Copy, FillsBytesHalvesAndWords) {
  uint8_t* buffer = device(64);
  ASSERT_TRUE(run(FillWork{.base = buffer, .value = 0xab, .element_size = 1, .width = 3}, memory_).ok());
  ASSERT_TRUE(
      run(FillWork{.base = buffer + 8, .value = 0x1234, .element_size = 2, .width = 2}, memory_).ok());
  ASSERT_TRUE(
      run(FillWork{.base = buffer + 16, .value = 0x89abcdef, .element_size = 4, .width = 2}, memory_).ok());
  const uint8_t expected[24] = {0xab, 0xab, 0xab, 0xff, 0xff, 0xff, 0xff, 0xff, 0x34, 0x12, 0x34, 0x12,
                                0xff, 0xff, 0xff, 0xff, 0xef, 0xcd, 0xab, 0x89, 0xef, 0xcd, 0xab, 0x89};
  EXPECT_EQ(std::memcmp(buffer, expected, sizeof(expected)), 0);
}

TEST_F(Copy, FillsAreChecked) {
  uint8_t* buffer = device(64);
  int host = 0;
  EXPECT_EQ(run(FillWork{.base = buffer, .element_size = 4, .width = 17}, memory_).code(),
            hipErrorInvalidValue);
  EXPECT_EQ(run(FillWork{.base = buffer, .element_size = 3, .width = 1}, memory_).code(),
            hipErrorInvalidValue);
  EXPECT_EQ(run(FillWork{.base = &host, .element_size = 4, .width = 1}, memory_).code(),
            hipErrorInvalidValue);
  EXPECT_EQ(run(FillWork{.base = buffer, .element_size = 4, .width = SIZE_MAX / 2}, memory_).code(),
            hipErrorInvalidValue);
  EXPECT_EQ(run(FillWork{.base = buffer, .pitch = 4, .width = 5, .height = 2}, memory_).code(),
            hipErrorInvalidPitchValue);
}

/// Which bytes of a fresh allocation count as written, as launches see it.
std::string written(const DeviceMemory& memory, const void* base, size_t bytes) {
  const auto found = memory.global().find(reinterpret_cast<uint64_t>(base));
  if (!found || found->written == nullptr) return "not tracked";
  std::string text;
  for (size_t i = 0; i < bytes; ++i) text += found->written->has(i, 1) ? 'x' : '.';
  return text;
}

TEST(TrackedMemory, KnowsWhatCopiesAndFillsWrite) {
  DeviceMemory memory;
  void* untracked = nullptr;
  ASSERT_TRUE(memory.allocate(8, MemoryKind::device, 0, &untracked).ok());
  EXPECT_EQ(written(memory, untracked, 8), "not tracked");
  memory.track_written(true);
  void* a = nullptr;
  void* b = nullptr;
  void* host = nullptr;
  ASSERT_TRUE(memory.allocate(12, MemoryKind::device, 0, &a).ok());
  ASSERT_TRUE(memory.allocate(12, MemoryKind::device, 0, &b).ok());
  ASSERT_TRUE(memory.allocate(12, MemoryKind::host, 0, &host).ok());
  EXPECT_EQ(written(memory, host, 12), "not tracked") << "the host may write it unseen";
  EXPECT_EQ(written(memory, a, 12), "............");
  const char bytes[4] = {1, 2, 3, 4};
  auto* to = static_cast<std::byte*>(a) + 2;
  ASSERT_TRUE(run(CopyWork::linear(to, bytes, sizeof bytes, hipMemcpyHostToDevice), memory).ok());
  EXPECT_EQ(written(memory, a, 12), "..xxxx......");
  ASSERT_TRUE(
      run(FillWork{.base = static_cast<std::byte*>(a) + 8, .element_size = 2, .width = 1}, memory).ok());
  EXPECT_EQ(written(memory, a, 12), "..xxxx..xx..");
  ASSERT_TRUE(run(CopyWork::linear(b, a, 12, hipMemcpyDeviceToDevice), memory).ok());
  EXPECT_EQ(written(memory, b, 12), "..xxxx..xx..") << "a copy copies what is not there, too";
}

}  // namespace
}  // namespace mxproof::emulator
