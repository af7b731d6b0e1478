#include "tools/profile/launch_model.hpp"

#include <gtest/gtest.h>

namespace mxproof {
namespace {

/// `groups` work-groups of four waves with 1000 instructions each, 100 of them matrix.
LoggedLaunch launch_of(int64_t groups) {
  return {"kernel", groups, 4 * groups, 4 * groups * 1000, 4 * groups * 100, {}};
}

// 900 * 4 + 100 * 16 cycles at 2.4 GHz.
constexpr double kWaveUs = 5200 / 2.4e3;

TEST(LaunchModel, OneWaveASimdTakesTheWavesOwnCycles) {
  const ModelledChip chip;
  EXPECT_DOUBLE_EQ(modelled_us(launch_of(1), 0), kWaveUs + chip.launch_us);
  EXPECT_DOUBLE_EQ(modelled_us(launch_of(256), 0), kWaveUs + chip.launch_us);
}

TEST(LaunchModel, TheUnitWithOneWorkGroupMoreDecides) {
  const ModelledChip chip;
  EXPECT_DOUBLE_EQ(modelled_us(launch_of(257), 0), 2 * kWaveUs + chip.launch_us);
  EXPECT_DOUBLE_EQ(modelled_us(launch_of(512), 0), 2 * kWaveUs + chip.launch_us);
}

TEST(LaunchModel, MemoryAndTheMachinesOwnTimeAreLowerBounds) {
  const ModelledChip chip;
  EXPECT_DOUBLE_EQ(modelled_us(launch_of(1), 8e7), 10 + chip.launch_us);
  LoggedLaunch launch = launch_of(1);
  launch.modelled_us = 50;
  EXPECT_DOUBLE_EQ(modelled_us(launch, 8e7), 50 + chip.launch_us);
}

TEST(LaunchModel, NothingExecutedIsALaunch) {
  EXPECT_DOUBLE_EQ(modelled_us({}, 0), ModelledChip{}.launch_us);
}

}  // namespace
}  // namespace mxproof
