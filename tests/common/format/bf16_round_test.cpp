#include "common/format/bf16_round.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mxproof {
namespace {

TEST(RoundToBf16, KeepsEveryBf16) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Bf16 value{static_cast<uint16_t>(bits)};
    if (value.is_nan()) {
      EXPECT_TRUE(round_to_bf16(value.to_float()).is_nan()) << bits;
      continue;
    }
    EXPECT_EQ(round_to_bf16(value.to_float()).bits, bits);
    EXPECT_EQ(round_to_bf16(static_cast<double>(value.to_float())).bits, bits);
  }
}

// Between every two neighbours: just below the midpoint, the midpoint (to even), just above. As floats and as
// doubles, whose nearest neighbours of the midpoint are no floats and would be lost on a detour through
// float.
TEST(RoundToBf16, TiesGoToEvenAndNothingElseIsATie) {
  for (uint32_t low = 0; low < 0x7f7f; ++low) {
    const auto high = static_cast<uint16_t>(low + 1);
    const double a = Bf16{static_cast<uint16_t>(low)}.to_float();
    const double middle = (a + Bf16{high}.to_float()) / 2;
    const uint32_t even = (low & 1) == 0 ? low : high;
    const double infinity = std::numeric_limits<double>::infinity();
    for (const uint32_t sign : {0u, 0x8000u}) {
      const double s = sign != 0 ? -1 : 1;
      EXPECT_EQ(round_to_bf16(s * middle).bits, sign | even);
      EXPECT_EQ(round_to_bf16(s * std::nextafter(middle, 0)).bits, sign | low);
      EXPECT_EQ(round_to_bf16(s * std::nextafter(middle, infinity)).bits, sign | high);
      const auto middle_f32 = static_cast<float>(s * middle);
      EXPECT_EQ(round_to_bf16(middle_f32).bits, sign | even);
      EXPECT_EQ(round_to_bf16(std::nextafter(middle_f32, 0.0f)).bits, sign | low);
      EXPECT_EQ(round_to_bf16(std::nextafter(middle_f32, static_cast<float>(s) * INFINITY)).bits,
                sign | high);
    }
  }
}

TEST(RoundToBf16, OverflowsToInfinity) {
  EXPECT_EQ(round_to_bf16(0x1.fep127f).bits, 0x7f7f);
  EXPECT_EQ(round_to_bf16(0x1.ffp127f).bits, 0x7f80);
  EXPECT_EQ(round_to_bf16(-1e300).bits, 0xff80);
  EXPECT_EQ(round_to_bf16(std::numeric_limits<double>::denorm_min()).bits, 0);
  EXPECT_TRUE(round_to_bf16(std::nan("")).is_nan());
}

}  // namespace
}  // namespace mxproof
