// Whole domains, not samples.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "common/format/bf16.hpp"
#include "common/format/e2m1.hpp"
#include "reference/block_terms.hpp"
#include "reference/dequantize.hpp"
#include "reference/quantize.hpp"
#include "reference/round.hpp"
#include "tests/reference/oracle/naive_quantize.hpp"

namespace mxproof::reference {
namespace {

TEST(Exhaustive, AllProductsOfTwoCodes) {
  int products = 0;
  for (int a = 0; a < 16; ++a) {
    for (int b = 0; b < 16; ++b) {
      for (int position = 0; position < 32; ++position) {
        uint8_t row_a[16] = {};
        uint8_t row_b[16] = {};
        row_a[position / 2] = static_cast<uint8_t>(a << position % 2 * 4);
        row_b[position / 2] = static_cast<uint8_t>(b << position % 2 * 4);
        EXPECT_EQ(dot_quarters(row_a, row_b), 4 * kE2m1Values[a] * kE2m1Values[b]) << a << " " << b;
        ++products;
      }
    }
  }
  EXPECT_EQ(products, 16 * 16 * 32);
}

TEST(Exhaustive, AllCodesAtAllScales) {
  for (int byte = 0; byte < 256; ++byte) {
    for (int code = 0; code < 16; ++code) {
      const double value = dequantize_value(static_cast<uint8_t>(code), static_cast<uint8_t>(byte));
      if (byte == 255) {
        EXPECT_TRUE(std::isnan(value));
        continue;
      }
      const double expected = double{kE2m1Values[code]} * std::pow(2.0, byte - 127);
      EXPECT_EQ(std::bit_cast<uint64_t>(value), std::bit_cast<uint64_t>(expected)) << code << " " << byte;
      // f32 holds it unless it is too large.
      const float narrow = round_to_f32(value);
      const bool too_large = std::fabs(value) >= 0x1p128;
      EXPECT_EQ(std::isinf(narrow), too_large) << code << " " << byte;
      if (!too_large) {
        EXPECT_EQ(double{narrow}, value);
      }
    }
  }
}

class ExhaustiveTies : public testing::TestWithParam<TieRule> {};

TEST_P(ExhaustiveTies, AllBf16AtAllScales) {
  int64_t checked = 0;
  for (int byte = 0; byte < 255; ++byte) {
    for (uint32_t bits = 0; bits < 0x8000; ++bits) {
      const Bf16 x{static_cast<uint16_t>(bits)};
      if (x.is_nan()) continue;
      const uint8_t expected = oracle::naive_code(x.to_float(), byte - 127, GetParam());
      ASSERT_EQ(element_code(x.to_float(), byte - 127, GetParam()), expected) << bits << " at " << byte;
      ASSERT_EQ(element_code(-x.to_float(), byte - 127, GetParam()), expected | 8) << bits << " at " << byte;
      checked += 2;
    }
  }
  EXPECT_EQ(checked, 255 * 2 * (0x8000 - 127));
}

std::string tie_name(const testing::TestParamInfo<TieRule>& info) {
  std::string name(name_of(info.param));
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}
INSTANTIATE_TEST_SUITE_P(Every, ExhaustiveTies,
                         testing::ValuesIn(all_tie_rules().begin(), all_tie_rules().end()), tie_name);

TEST(Exhaustive, AllBf16MaximaUnderAllRules) {
  int64_t checked = 0;
  for (const ScaleRule rule : all_scale_rules()) {
    QuantPolicy policy;
    policy.scale = rule;
    for (uint32_t bits = 1; bits < 0x7f80; ++bits) {
      const float amax = Bf16{static_cast<uint16_t>(bits)}.to_float();
      ASSERT_EQ(scale_byte(amax, policy), oracle::naive_scale_byte(amax, rule))
          << name_of(rule) << " " << amax;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 5 * 0x7f7f);
}

TEST(Exhaustive, HalfUpNeedsNoStickyBits) {
  // Why half_up_lossy has the codes of half_away: seen on every bf16 and around every midpoint in f32.
  for (uint32_t bits = 0; bits < 0x7f80; ++bits) {
    const float x = Bf16{static_cast<uint16_t>(bits)}.to_float();
    ASSERT_EQ(element_code(x, 0, TieRule::half_up_lossy), element_code(x, 0, TieRule::half_away));
  }
  for (const float midpoint : {0.25f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f, 5.0f}) {
    for (int step = -4; step <= 4; ++step) {
      const float x = std::bit_cast<float>(std::bit_cast<uint32_t>(midpoint) + static_cast<uint32_t>(step));
      EXPECT_EQ(element_code(x, 0, TieRule::half_up_lossy), element_code(x, 0, TieRule::half_away));
    }
  }
}

TEST(Exhaustive, TieRulesDifferExactlyWhereTheyAreSaidTo) {
  const auto differs = [](TieRule rule) {
    std::vector<float> where;
    for (uint32_t bits = 0; bits < 0x7f80; ++bits) {
      const float x = Bf16{static_cast<uint16_t>(bits)}.to_float();
      if (element_code(x, 0, rule) != element_code(x, 0, TieRule::nearest_even)) where.push_back(x);
    }
    return where;
  };
  EXPECT_EQ(differs(TieRule::half_away), (std::vector<float>{0.25f, 1.25f, 2.5f, 5.0f}));
  EXPECT_EQ(differs(TieRule::half_toward_smaller), (std::vector<float>{0.75f, 1.75f, 3.5f}));
  EXPECT_TRUE(differs(TieRule::nearest_even_lossy).empty());
  // In f32 the lossy rule misses the first three values above the tie.
  for (uint32_t step = 1; step <= 4; ++step) {
    const float x = std::bit_cast<float>(std::bit_cast<uint32_t>(0.25f) + step);
    EXPECT_EQ(element_code(x, 0, TieRule::nearest_even), 1);
    EXPECT_EQ(element_code(x, 0, TieRule::nearest_even_lossy), step < 4 ? 0 : 1);
  }
}

TEST(Exhaustive, RoundedSixthIsTheExactRuleOnNormalMaxima) {
  // aiter and NVIDIA code multiply amax by an f32 near 1/6 and look at the bits; on every normal f32
  // significand that is the same as ceil(log2(amax / 6)).
  QuantPolicy policy;
  policy.scale = ScaleRule::rceil;
  for (uint32_t fraction = 0; fraction < 0x800000; ++fraction) {
    const float amax = std::bit_cast<float>(127u << 23 | fraction);
    const uint32_t product = std::bit_cast<uint32_t>(amax * std::bit_cast<float>(0x3e2aaaabu));
    const uint32_t byte = (product >> 23) + ((product & 0x7fffff) != 0 ? 1 : 0);
    ASSERT_EQ(scale_byte(amax, policy), byte) << fraction;
  }
}

TEST(Exhaustive, AllF16WidenAndComeBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half x{static_cast<uint16_t>(bits)};
    if (x.is_nan()) continue;
    ASSERT_EQ(round_to_f16(static_cast<double>(x.to_float())).bits, bits);
  }
}

}  // namespace
}  // namespace mxproof::reference
