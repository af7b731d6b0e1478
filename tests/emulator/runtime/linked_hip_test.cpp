#include "emulator/runtime/linked_hip.hpp"

#include <gtest/gtest.h>

namespace mxproof::emulator {
namespace {

TEST(LinkedHip, TheMajorVersionIsInTheLibrarysName) {
  EXPECT_EQ(hip_major("libamdhip64.so.5"), 5);
  EXPECT_EQ(hip_major("libamdhip64.so.6"), 6);
  EXPECT_EQ(hip_major("libamdhip64.so.7.1.50200"), 7);
  for (const char* other : {"", "libamdhip64.so", "libamdhip64.so.", "libamdhip64.so.x", "libamdhip64.so.6x",
                            "libc.so.6", "libhsa-runtime64.so.1"})
    EXPECT_EQ(hip_major(other), std::nullopt) << other;
}

TEST(LinkedHip, AProgramWithoutHipCountsAsOneOfTheHeadersVersion) {
  EXPECT_EQ(linked_hip_major(), 5) << "this test is not linked with libamdhip64";
  EXPECT_FALSE(is_hip6_program());
}

}  // namespace
}  // namespace mxproof::emulator
