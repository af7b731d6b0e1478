#include <gtest/gtest.h>

#include <set>
#include <string>

#include "emulator/runtime/device_properties.hpp"
#include "emulator/runtime/error_text.hpp"

namespace mxproof::emulator {
namespace {

constexpr uint64_t kTotal = uint64_t{8} << 30;

TEST(Properties, BothLayoutsDescribeAnMi355x) {
  const auto check = [](const auto& p) {
    EXPECT_STREQ(p.name, "gfx950 (emulated)");
    EXPECT_STREQ(p.gcnArchName, "gfx950:sramecc+:xnack-");
    EXPECT_EQ(p.multiProcessorCount, 256);
    EXPECT_EQ(p.warpSize, 64);
    EXPECT_EQ(p.clockRate, 2'400'000);
    EXPECT_EQ(p.sharedMemPerBlock, 160U << 10);
    EXPECT_EQ(p.maxThreadsPerBlock, 1024);
    EXPECT_EQ(p.totalGlobalMem, kTotal);
    EXPECT_EQ(p.major, 9);
    EXPECT_EQ(p.minor, 5);
  };
  check(properties_r0000(kTotal, kGfx950));
  check(properties_r0600(kTotal, kGfx950));
}

TEST(Properties, AnotherChipDescribesItself) {
  const auto check = [](const auto& p) {
    EXPECT_STREQ(p.name, "gfx942 (emulated)");
    EXPECT_STREQ(p.gcnArchName, "gfx942:sramecc+:xnack-");
    EXPECT_EQ(p.multiProcessorCount, 304);
    EXPECT_EQ(p.sharedMemPerBlock, 64U << 10);
    EXPECT_EQ(p.minor, 4);
  };
  check(properties_r0000(kTotal, kGfx942));
  check(properties_r0600(kTotal, kGfx942));
  int value = 0;
  EXPECT_TRUE(device_attribute(hipDeviceAttributeMultiprocessorCount, kTotal, kGfx942, &value));
  EXPECT_EQ(value, 304);
}

TEST(Properties, AttributesAgreeWithTheStructure) {
  const hipDeviceProp_t p = properties_r0000(kTotal, kGfx950);
  const std::pair<hipDeviceAttribute_t, int> pairs[] = {
      {hipDeviceAttributeWarpSize, p.warpSize},
      {hipDeviceAttributeMultiprocessorCount, p.multiProcessorCount},
      {hipDeviceAttributeClockRate, p.clockRate},
      {hipDeviceAttributeMaxSharedMemoryPerBlock, static_cast<int>(p.sharedMemPerBlock)},
      {hipDeviceAttributeMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {hipDeviceAttributeMaxGridDimX, p.maxGridSize[0]},
      {hipDeviceAttributeMaxGridDimY, p.maxGridSize[1]},
      {hipDeviceAttributeL2CacheSize, p.l2CacheSize},
      {hipDeviceAttributeMemoryBusWidth, p.memoryBusWidth},
      {hipDeviceAttributeComputeCapabilityMajor, p.major},
      {hipDeviceAttributeComputeCapabilityMinor, p.minor},
      {hipDeviceAttributeManagedMemory, p.managedMemory},
      {hipDeviceAttributeCooperativeLaunch, p.cooperativeLaunch},
      {hipDeviceAttributePciBusId, p.pciBusID},
  };
  for (const auto& [attribute, expected] : pairs) {
    int value = -1;
    EXPECT_TRUE(device_attribute(attribute, kTotal, kGfx950, &value)) << attribute;
    EXPECT_EQ(value, expected) << attribute;
  }
  int value = 0;
  EXPECT_FALSE(device_attribute(99999, kTotal, kGfx950, &value));
}

TEST(ErrorText, EveryCodeHasItsOwnName) {
  std::set<std::string> names;
  for (int code = 0; code < 1100; ++code) {
    const std::string name = error_name(static_cast<hipError_t>(code));
    ASSERT_TRUE(name == "hipSuccess" || name.starts_with("hipError")) << code;
    if (name != "hipErrorUnknown") {
      EXPECT_TRUE(names.insert(name).second) << name << " twice";
    }
  }
  EXPECT_GT(names.size(), 70U);
  EXPECT_STREQ(error_name(hipErrorLaunchFailure), "hipErrorLaunchFailure");
  EXPECT_STREQ(error_name(static_cast<hipError_t>(-5)), "hipErrorUnknown");
  EXPECT_STREQ(error_string(hipErrorInvalidValue), "invalid argument");
}

}  // namespace
}  // namespace mxproof::emulator
