#include "emulator/runtime/occupancy.hpp"

#include <gtest/gtest.h>

namespace mxproof::emulator {
namespace {

Kernel kernel_with(uint32_t vgprs, uint32_t lds_bytes, uint32_t max_lanes = 1024) {
  Kernel kernel;
  kernel.descriptor.rsrc1 = (vgprs + 7) / 8 - 1;
  kernel.descriptor.lds_bytes = lds_bytes;
  kernel.max_workgroup_size = max_lanes;
  return kernel;
}

TEST(Occupancy, RegistersLimitWaves) {
  // 512 registers a lane: 64 of them leave 8 waves on each of 4 SIMDs, 128 leave 4, 129 (136) leave 3, 512
  // one.
  EXPECT_EQ(groups_per_compute_unit(kernel_with(8, 0), 64, 0), 32);
  EXPECT_EQ(groups_per_compute_unit(kernel_with(64, 0), 64, 0), 32);
  EXPECT_EQ(groups_per_compute_unit(kernel_with(128, 0), 64, 0), 16);
  EXPECT_EQ(groups_per_compute_unit(kernel_with(129, 0), 64, 0), 12);
  EXPECT_EQ(groups_per_compute_unit(kernel_with(512, 0), 256, 0), 1);
  EXPECT_EQ(groups_per_compute_unit(kernel_with(512, 0), 257, 0), 0);
}

TEST(Occupancy, LdsLimitsGroups) {
  EXPECT_EQ(groups_per_compute_unit(kernel_with(8, 64 << 10), 64, 0), 2);
  EXPECT_EQ(groups_per_compute_unit(kernel_with(8, 64 << 10), 64, 16 << 10), 2);
  EXPECT_EQ(groups_per_compute_unit(kernel_with(8, 64 << 10), 64, (16 << 10) + 1), 1);
  EXPECT_EQ(groups_per_compute_unit(kernel_with(8, 160 << 10), 64, 1), 0);
}

TEST(Occupancy, GroupsLargerThanAllowedDoNotFit) {
  EXPECT_EQ(groups_per_compute_unit(kernel_with(8, 0, 256), 257, 0), 0);
  EXPECT_EQ(groups_per_compute_unit(kernel_with(8, 0), 1025, 0), 0);
  EXPECT_EQ(groups_per_compute_unit(kernel_with(8, 0), 0, 0), 0);
}

TEST(Occupancy, TheBestGroupKeepsMostLanes) {
  EXPECT_EQ(best_group_lanes(kernel_with(8, 0), 0, 0), 1024U);
  EXPECT_EQ(best_group_lanes(kernel_with(8, 0), 0, 300), 256U);
  EXPECT_EQ(best_group_lanes(kernel_with(8, 0, 128), 0, 0), 128U);
  EXPECT_EQ(best_group_lanes(kernel_with(8, 0), 200 << 10, 0), 0U) << "no size fits";
}

}  // namespace
}  // namespace mxproof::emulator
