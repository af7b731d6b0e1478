#include <dlfcn.h>

#include <cstring>
#include <string>

#include "tests/emulator/runtime/api_helpers.hpp"

namespace mxproof::emulator {
namespace {

bool is_emulated() {
  return dlsym(RTLD_DEFAULT, "mxproof_hip_is_loaded") != nullptr;
}

TEST(DeviceApi, ThereIsADevice) {
  int count = 0;
  HIP_OK(hipGetDeviceCount(&count));
  EXPECT_GE(count, 1);
  hipDeviceProp_t properties;
  HIP_OK(hipGetDeviceProperties(&properties, 0));
  EXPECT_TRUE(std::string(properties.gcnArchName).starts_with("gfx950"));
  EXPECT_EQ(std::string(properties.name).find("(emulated)") != std::string::npos, is_emulated());
  int lanes = 0;
  HIP_OK(hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0));
  EXPECT_EQ(lanes, 64);
  int version = 0;
  HIP_OK(hipRuntimeGetVersion(&version));
  EXPECT_GT(version, 0);
}

TEST(DeviceApi, OtherDevicesAreRefused) {
  HIP_FAILS(hipSetDevice(77), hipErrorInvalidDevice);
  hipDeviceProp_t properties;
  HIP_FAILS(hipGetDeviceProperties(&properties, 77), hipErrorInvalidDevice);
  HIP_OK(hipSetDevice(0));
  int device = -1;
  HIP_OK(hipGetDevice(&device));
  EXPECT_EQ(device, 0);
}

TEST(DeviceApi, TheLastErrorStaysUntilItIsAskedFor) {
  EXPECT_EQ(hipSetDevice(77), hipErrorInvalidDevice);
  HIP_OK(hipSetDevice(0));
  EXPECT_EQ(hipPeekAtLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

// As a program built with newer headers would: HIP 5.2 has no type for the structure.
__attribute__((no_sanitize("function"))) hipError_t properties_r0600(void* properties, int device) {
  using Call = hipError_t (*)(void*, int);
  auto call = reinterpret_cast<Call>(dlsym(RTLD_DEFAULT, "hipGetDevicePropertiesR0600"));
  return call == nullptr ? hipErrorNotFound : call(properties, device);
}

TEST(DeviceApi, NewerProgramsFindTheirPropertiesCall) {
  if (!is_emulated()) GTEST_SKIP() << "HIP 5.2 has no such call";
  std::vector<char> properties(1472);
  HIP_OK(properties_r0600(properties.data(), 0));
  EXPECT_STREQ(properties.data(), "gfx950 (emulated)");
  int compute_units = 0;
  std::memcpy(&compute_units, properties.data() + 388, sizeof(int));
  EXPECT_EQ(compute_units, 256);
  EXPECT_STREQ(properties.data() + 1160, "gfx950:sramecc+:xnack-");
}

TEST(DeviceApi, WhatIsNotSupportedSaysSo) {
  if (!is_emulated()) GTEST_SKIP() << "about the emulated device";
  hipIpcMemHandle_t handle;
  testing::internal::CaptureStderr();
  HIP_FAILS(hipIpcGetMemHandle(&handle, nullptr), hipErrorNotSupported);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "libmxproof_hip: hipIpcGetMemHandle: not supported on the emulated device\n");
}

}  // namespace
}  // namespace mxproof::emulator
