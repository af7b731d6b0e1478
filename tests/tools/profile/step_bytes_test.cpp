// The bytes and shares that `mxproof profile` prints, against numbers worked out by hand.
#include <gtest/gtest.h>

#include "optimized/plan/route.hpp"
#include "tools/profile/profile.hpp"

namespace mxproof {
namespace {

// 4 x 2880 x 512: A 4096 bytes as bf16, 1024 + 64 as MXFP4; B 737,280 + 46,080; C 23,040.
constexpr GemmShape kShape{4, 2880, 512};

TEST(StepBytes, OfThePublishedShape) {
  EXPECT_EQ(step_bytes(KernelId::quantize, kShape, 1), 4096 + 1088);
  EXPECT_EQ(step_bytes(KernelId::quantize_shuffle, kShape, 1), 4096 + 1088);
  EXPECT_EQ(step_bytes(KernelId::shuffle_scales, kShape, 1), 2 * 64);
  EXPECT_EQ(step_bytes(KernelId::unshuffle_scales, kShape, 1), 2 * 46080);
  EXPECT_EQ(step_bytes(KernelId::preshuffle_codes, kShape, 1), 2 * 737280);
  EXPECT_EQ(step_bytes(KernelId::gemm_a16w4, kShape, 1), 4096 + 783360 + 23040);
  EXPECT_EQ(step_bytes(KernelId::gemm_direct, kShape, 1), 4096 + 783360 + 23040);
  EXPECT_EQ(step_bytes(KernelId::gemm_a4w4, kShape, 1), 1088 + 783360 + 23040);
  EXPECT_EQ(step_bytes(KernelId::gemm_splitk, kShape, 2), 1088 + 783360 + 2 * 46080);
  EXPECT_EQ(step_bytes(KernelId::reduce_splitk, kShape, 2), 2 * 46080 + 23040);
}

TEST(StepBytes, NoKernelOfARouteIsForgotten) {
  for (const Route route : kRoutes) {
    for (const int splits : {1, 2}) {
      for (const KernelId kernel : route_kernels(route, splits))
        EXPECT_GT(step_bytes(kernel, kShape, splits), 0);
    }
  }
}

TEST(DispatchShare, IsWhatOfTheCallTheKernelsDoNotWork) {
  PathProfile profile;
  profile.steps.resize(2);
  profile.steps[0].device_us = 1;
  profile.steps[1].device_us = 1.5;
  profile.call_us = 10;
  EXPECT_DOUBLE_EQ(profile.dispatch_share(), 0.75);
  profile.call_us = 2;  // Kernels that overlap may be faster together than apart.
  EXPECT_DOUBLE_EQ(profile.dispatch_share(), 0);
}

TEST(DispatchShare, OfAModelIsTheLaunchesPart) {
  PathProfile profile;
  profile.emulated = true;
  profile.steps.resize(2);
  profile.steps[0].modelled_us = 3;
  profile.steps[1].modelled_us = 5;
  EXPECT_DOUBLE_EQ(profile.dispatch_share(), 2.0 / 8);
}

}  // namespace
}  // namespace mxproof
