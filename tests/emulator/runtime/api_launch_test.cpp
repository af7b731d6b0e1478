#include <gmock/gmock.h>

#include "tests/emulator/runtime/api_helpers.hpp"
#include "tests/emulator/runtime/program_kernels.hpp"

namespace mxproof::emulator {
namespace {

using ::testing::HasSubstr;

TEST(LaunchApi, ScalesAVector) {
  const int count = 1000;  // not a multiple of the group
  const Buffer<float> in(counting<float>(count));
  const Buffer<float> out(count);
  program::launch_scale(out.get(), in.get(), 0.5F, count);
  HIP_OK(hipGetLastError());
  const std::vector<float> result = out.read();
  for (int i = 0; i < count; ++i) ASSERT_EQ(result[i], 0.5F * static_cast<float>(i)) << i;
}

TEST(LaunchApi, StructsGoByValue) {
  const Buffer<float> out(64);
  program::launch_line(out.get(), {.tag = 'x', .count = 1000, .slope = 0.25F, .offset = {1, 2, 4}});
  HIP_OK(hipDeviceSynchronize());
  const std::vector<float> result = out.read();
  const float offset[] = {1, 2, 4};
  for (int i = 0; i < 64; ++i)
    ASSERT_EQ(result[i], 0.25F * static_cast<float>(i) + offset[i % 3] + 1000) << i;
}

TEST(LaunchApi, GridsHaveThreeDimensions) {
  const dim3 size(5, 4, 3);
  const Buffer<unsigned> out(2 * 60);
  program::launch_grid(out.get(), size);
  HIP_OK(hipDeviceSynchronize());
  const std::vector<unsigned> result = out.read();
  for (unsigned i = 0; i < 60; ++i) {
    ASSERT_EQ(result[2 * i], i % 5 + 10 * (i / 5 % 4) + 100 * (i / 20)) << i;
    ASSERT_EQ(result[2 * i + 1], 60U) << i;
  }
}

TEST(LaunchApi, DynamicLds) {
  const Buffer<int> data(counting<int>(64 * 7));
  program::launch_reverse(data.get(), 7, 64 * sizeof(int));
  HIP_OK(hipDeviceSynchronize());
  const std::vector<int> result = data.read();
  for (int i = 0; i < 64 * 7; ++i) ASSERT_EQ(result[i], i / 64 * 64 + 63 - i % 64) << i;
}

TEST(LaunchApi, DeviceVariablesKeepTheirValues) {
  int before = 0;
  int after = 0;
  HIP_OK(hipMemcpyFromSymbol(&before, program::total_variable(), sizeof(int), 0, hipMemcpyDeviceToHost));
  program::launch_add_total(2);
  program::launch_add_total(30);
  HIP_OK(hipMemcpyFromSymbol(&after, program::total_variable(), sizeof(int), 0, hipMemcpyDeviceToHost));
  EXPECT_EQ(after, before + 32);
}

TEST(LaunchApi, EveryTranslationUnitHasItsKernels) {
  const Buffer<int> out(64);
  program::launch_squares(out.get());
  HIP_OK(hipDeviceSynchronize());
  const std::vector<int> result = out.read();
  for (int i = 0; i < 64; ++i) ASSERT_EQ(result[i], i * i);
}

TEST(LaunchApi, WrongConfigurationsAreRefused) {
  float* pointer = nullptr;
  float factor = 1;
  int count = 1;
  void* args[] = {&pointer, &pointer, &factor, &count};
  const void* kernel = program::scale_kernel();
  HIP_FAILS(hipLaunchKernel(kernel, dim3(0), dim3(64), args, 0, nullptr), hipErrorInvalidConfiguration);
  HIP_FAILS(hipLaunchKernel(kernel, dim3(1), dim3(64, 0), args, 0, nullptr), hipErrorInvalidConfiguration);
  HIP_FAILS(hipLaunchKernel(kernel, dim3(1), dim3(1025), args, 0, nullptr), hipErrorInvalidConfiguration);
  HIP_FAILS(hipLaunchKernel(kernel, dim3(1), dim3(64, 64), args, 0, nullptr), hipErrorInvalidConfiguration);
  HIP_FAILS(hipLaunchKernel(kernel, dim3(1), dim3(64), args, 200 << 10, nullptr), hipErrorInvalidValue);
  HIP_FAILS(hipLaunchKernel(kernel, dim3(1), dim3(64), nullptr, 0, nullptr), hipErrorInvalidValue);
  HIP_FAILS(hipLaunchKernel(&count, dim3(1), dim3(64), args, 0, nullptr), hipErrorInvalidDeviceFunction);
}

TEST(LaunchApi, KernelsTellWhatTheyNeed) {
  hipFuncAttributes attributes{};
  HIP_OK(hipFuncGetAttributes(&attributes, program::reverse_kernel()));
  EXPECT_EQ(attributes.sharedSizeBytes, 0U);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  EXPECT_GT(attributes.numRegs, 0);
  HIP_OK(
      hipFuncSetAttribute(program::reverse_kernel(), hipFuncAttributeMaxDynamicSharedMemorySize, 160 << 10));
  HIP_FAILS(
      hipFuncSetAttribute(program::reverse_kernel(), hipFuncAttributeMaxDynamicSharedMemorySize, 161 << 10),
      hipErrorInvalidValue);
  int groups = 0;
  HIP_OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&groups, program::reverse_kernel(), 64, 80 << 10));
  EXPECT_EQ(groups, 2);
}

// What a kernel does wrong is said once, returned by the call that ran it and by every later one.
TEST(LaunchApi, AStoreOutsideOfEveryAllocationStopsTheKernel) {
  const Buffer<int> out(4);
  program::launch_store(out.get(), 3);
  HIP_OK(hipGetLastError());
  testing::internal::CaptureStderr();
  program::launch_store(out.get(), 4);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("hipLaunchKernel: "));
  EXPECT_THAT(said, HasSubstr("store"));
  EXPECT_EQ(hipGetLastError(), hipErrorLaunchFailure);
  testing::internal::CaptureStderr();
  EXPECT_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
  int value = 0;
  EXPECT_EQ(hipMemcpy(&value, out.get(), 4, hipMemcpyDeviceToHost), hipErrorLaunchFailure);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "said once";
  HIP_OK(hipDeviceReset());
  EXPECT_EQ(hipGetLastError(), hipErrorLaunchFailure);
  EXPECT_EQ(out.read()[3], 7) << "memory survives";
}

TEST(LaunchApi, CooperativeLaunchesMustFitTheChip) {
  const Buffer<float> in(counting<float>(64));
  const Buffer<float> out(64);
  float* to = out.get();
  const float* from = in.get();
  float factor = 3;
  int count = 64;
  void* args[] = {&to, &from, &factor, &count};
  HIP_OK(hipLaunchCooperativeKernel(program::scale_kernel(), dim3(1), dim3(64), args, 0, nullptr));
  EXPECT_EQ(out.read()[63], 189.0F);
  int per_unit = 0;
  HIP_OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, program::scale_kernel(), 64, 0));
  const unsigned most = static_cast<unsigned>(per_unit) * 256;
  HIP_OK(hipLaunchCooperativeKernel(program::scale_kernel(), dim3(most), dim3(64), args, 0, nullptr));
  HIP_FAILS(hipLaunchCooperativeKernel(program::scale_kernel(), dim3(most + 1), dim3(64), args, 0, nullptr),
            hipErrorCooperativeLaunchTooLarge);
  HIP_FAILS(hipLaunchCooperativeKernel(program::scale_kernel(), dim3(65536, 65536, 65536), dim3(1), args, 0,
                                       nullptr),
            hipErrorCooperativeLaunchTooLarge);
}

}  // namespace
}  // namespace mxproof::emulator
