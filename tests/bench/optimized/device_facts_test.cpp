#include "bench/optimized/device_facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/optimized/operands.hpp"

namespace mxproof::bench {
namespace {

constexpr std::string_view kHeader = "match,llc_mib,bandwidth_gbps,matrix_tflops\n";

TEST(DeviceFacts, TableKnowsTheChipsThatThisIsFor) {
  EXPECT_EQ(device_facts("AMD Instinct MI355X").bytes_per_second, 8e12);
  EXPECT_EQ(device_facts("gfx950 (emulated)").cache_bytes, int64_t{256} << 20);
  EXPECT_EQ(device_facts("NVIDIA H200").bytes_per_second, 4.8e12);
}

TEST(DeviceFacts, UnknownDeviceHasALargeCacheAndNoPeaks) {
  const DeviceFacts facts = device_facts("something new");
  EXPECT_EQ(facts.cache_bytes, int64_t{256} << 20);
  EXPECT_EQ(facts.roofline_us(1e9, 1e12), 0);
}

TEST(DeviceFacts, RooflineIsTheLargerOfBothTimes) {
  const DeviceFacts facts{1, 1e12, 1e15};
  EXPECT_DOUBLE_EQ(facts.roofline_us(1e6, 1), 1.0);
  EXPECT_DOUBLE_EQ(facts.roofline_us(1, 1e10), 10.0);
}

TEST(DeviceFacts, BadTablesAreNamedByLine) {
  for (const char* line : {"X,1,2\n", "X,1,2,none\n", "X,0,2,3\n", "X,1,-2,3\n"}) {
    const auto facts = find_device_facts(std::string(kHeader) + line, "X");
    ASSERT_FALSE(facts.ok()) << line;
    EXPECT_THAT(facts.status().message(), testing::StartsWith("devices.csv:2: "));
  }
  EXPECT_FALSE(find_device_facts("name,speed\n", "X").ok());
}

TEST(RotatingSets, ExceedTheCacheThreeTimes) {
  const int64_t cache = int64_t{60} << 20;
  for (const GemmShape shape : {GemmShape{4, 2880, 512}, {64, 7168, 2048}, {256, 3072, 1536}}) {
    const int64_t bytes = product_bytes(shape);
    EXPECT_GT(rotating_sets(bytes, cache) * bytes, 3 * cache);
    EXPECT_LE((rotating_sets(bytes, cache) - 1) * bytes, 3 * cache);
  }
  EXPECT_EQ(rotating_sets(1, cache), 1024);
  EXPECT_EQ(rotating_sets(int64_t{1} << 40, cache), 2);
}

TEST(ProductBytes, CountsEachOperandOnce) {
  // B: 2880*256 code bytes and 2880*16 scales; A: 4*512*2; C: 4*2880*2.
  EXPECT_EQ(product_bytes({4, 2880, 512}), 737280 + 46080 + 4096 + 23040);
}

}  // namespace
}  // namespace mxproof::bench
