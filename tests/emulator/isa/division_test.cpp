// f64 division by the sequence that compilers emit, against IEEE division. (f32: tests/emulator/machine.)
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/emulator/support/operands.hpp"
#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

/// v[0:1] / v[2:3] into v[20:21], as LLVM expands fdiv double.
constexpr const char* kDivide64 =
    "v_div_scale_f64 v[4:5], s[0:1], v[2:3], v[2:3], v[0:1]\n"
    "v_rcp_f64 v[6:7], v[4:5]\n"
    "v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0\n"
    "v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]\n"
    "v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0\n"
    "v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]\n"
    "v_div_scale_f64 v[10:11], vcc, v[0:1], v[2:3], v[0:1]\n"
    "v_mul_f64 v[12:13], v[10:11], v[6:7]\n"
    "v_fma_f64 v[4:5], -v[4:5], v[12:13], v[10:11]\n"
    "v_div_fmas_f64 v[4:5], v[4:5], v[6:7], v[12:13]\n"
    "v_div_fixup_f64 v[20:21], v[4:5], v[2:3], v[0:1]\n";

TEST(Division, F64IsIeee) {
  const uint32_t seed = 99;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Operands operands(seed);
  TestWave wave;
  for (int round = 0; round < 40; ++round) {
    for (int lane = 0; lane < 64; ++lane) {
      wave.set_v64(0, lane, operands.next());
      wave.set_v64(2, lane, operands.next());
    }
    ASSERT_EQ(wave.run(kDivide64), "");
    for (int lane = 0; lane < 64; ++lane) {
      const double numerator = std::bit_cast<double>(wave.v64(0, lane));
      const double denominator = std::bit_cast<double>(wave.v64(2, lane));
      const double expected = numerator / denominator;
      const double got = std::bit_cast<double>(wave.v64(20, lane));
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(got)) << numerator << " / " << denominator << " gives " << got;
      } else {
        EXPECT_EQ(std::bit_cast<uint64_t>(got), std::bit_cast<uint64_t>(expected))
            << std::hexfloat << numerator << " / " << denominator << " gives " << got << " not " << expected;
      }
    }
  }
}

}  // namespace
}  // namespace mxproof::emulator
