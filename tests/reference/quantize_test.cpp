#include "reference/quantize.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "common/format/e2m1.hpp"
#include "common/random/fill.hpp"
#include "reference/dequantize.hpp"
#include "reference/round.hpp"
#include "tests/reference/oracle/naive_quantize.hpp"

namespace mxproof::reference {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Block {
  uint8_t scale = 0;
  std::array<uint8_t, 16> codes{};
};

/// Quantises a block that starts with `head` and repeats `rest`.
Block quantize_one(std::vector<float> head, float rest, const QuantPolicy& policy = {}) {
  head.resize(32, rest);
  Block block;
  block.codes.fill(0xee);
  block.scale = quantize_block(head.data(), policy, block.codes.data());
  return block;
}

TEST(Quantize, PacksTheLowElementFirst) {
  const Block block = quantize_one({6, 1, -4, 0.5f}, 0);
  EXPECT_EQ(block.scale, 127);
  EXPECT_EQ(block.codes[0], 0x27);
  EXPECT_EQ(block.codes[1], 0x1e);
  EXPECT_EQ(block.codes[2], 0x00);
}

TEST(Quantize, MatchesTheNaiveOracleOnEveryPolicyAndType) {
  constexpr uint64_t kSeed = 0x5eed0001;
  const int64_t rows = 8;
  const int64_t cols = 512;
  const Matrix<Bf16> values = normal_matrix(rows, cols, kSeed, TensorId::a);
  Matrix<float> wide(rows, cols);
  Matrix<Half> half(rows, cols);
  for (size_t i = 0; i < values.data.size(); ++i) {
    // Spread over many scales, and not on bf16's grid.
    wide.data[i] = std::ldexp(values.data[i].to_float(), static_cast<int>(i / 32 % 200) - 100) * 1.0000001f;
    half.data[i] = round_to_f16(static_cast<double>(values.data[i].to_float()));
  }
  const auto check = [&](const Mxfp4Matrix& got, const auto& element, const QuantPolicy& policy) {
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t b = 0; b < cols / 32; ++b) {
        float amax = policy.amax_seed;
        for (int i = 0; i < 32; ++i) amax = std::fmax(amax, std::fabs(element(r, b * 32 + i)));
        const uint8_t byte = oracle::naive_scale_byte(amax, policy.scale);
        ASSERT_EQ(got.scale_row(r)[b], byte)
            << policy.name << " seed " << kSeed << " row " << r << " block " << b;
        for (int i = 0; i < 32; ++i) {
          const float x = element(r, b * 32 + i);
          uint8_t code = oracle::naive_code(x, byte - 127, policy.tie);
          if (policy.zero_sign == ZeroSign::positive && code == 8) code = 0;
          ASSERT_EQ(e2m1_code_at(got.code_row(r), b * 32 + i), code)
              << policy.name << " seed " << kSeed << " x " << x << " byte " << int{byte};
        }
      }
    }
  };
  int policies = 0;
  for (QuantPolicy policy : quant_presets()) {
    for (const TieRule tie : all_tie_rules()) {
      for (const ScaleRule scale : all_scale_rules()) {
        policy.tie = tie;
        policy.scale = scale;
        check(
            quantize(values.view(), policy).value(), [&](auto r, auto c) { return values(r, c).to_float(); },
            policy);
        check(
            quantize(std::as_const(wide).view(), policy).value(), [&](auto r, auto c) { return wide(r, c); },
            policy);
        check(
            quantize(std::as_const(half).view(), policy).value(),
            [&](auto r, auto c) { return half(r, c).to_float(); }, policy);
        ++policies;
      }
    }
  }
  EXPECT_EQ(policies, 7 * 6 * 5);
}

TEST(Quantize, ZeroBlocks) {
  const Block plain = quantize_one({}, 0.0f);
  EXPECT_EQ(plain.scale, 0);
  EXPECT_EQ(plain.codes, (std::array<uint8_t, 16>{}));
  const Block negative = quantize_one({}, -0.0f);
  EXPECT_EQ(negative.scale, 0);
  for (const uint8_t pair : negative.codes) EXPECT_EQ(pair, 0x88);
  QuantPolicy policy;
  policy.zero_block_byte = 127;
  EXPECT_EQ(quantize_one({}, 0.0f, policy).scale, 127);
  EXPECT_EQ(quantize_one({}, 0.0f, quant_preset("aiter-hip").value()).scale, 92);
}

TEST(Quantize, NanAndInf) {
  const Block nan = quantize_one({kNan}, 1.0f);
  EXPECT_EQ(nan.scale, 255);
  EXPECT_EQ(nan.codes, (std::array<uint8_t, 16>{}));
  const Block inf = quantize_one({1, -kInf}, 1.0f);
  EXPECT_EQ(inf.scale, 255);
  EXPECT_EQ(inf.codes, (std::array<uint8_t, 16>{}));

  QuantPolicy policy;
  policy.nan = NanRule::ignored;
  policy.inf = LargeRule::byte_254;
  const Block ignored = quantize_one({kNan, -kNan}, 1.0f, policy);
  EXPECT_EQ(ignored.scale, 125);
  EXPECT_EQ(ignored.codes[0], 0xf7);
  EXPECT_EQ(ignored.codes[1], 0x66);
  const Block saturated = quantize_one({kInf, -kInf}, 1.0f, policy);
  EXPECT_EQ(saturated.scale, 254);
  EXPECT_EQ(saturated.codes[0], 0xf7);
  EXPECT_EQ(saturated.codes[1], 0x00);
  policy.inf = LargeRule::exact;
  EXPECT_EQ(quantize_one({kInf}, 1.0f, policy).scale, 253);
}

TEST(Quantize, LargestMaxima) {
  const float bf16_max = Bf16{0x7f7f}.to_float();
  const auto byte = [&](QuantPolicy policy) { return quantize_one({bf16_max}, 0, policy).scale; };
  QuantPolicy policy;
  EXPECT_EQ(byte(policy), 253);
  EXPECT_EQ(quantize_one({bf16_max}, 0).codes[0], 0x06);
  policy.overflow = LargeRule::byte_254;
  EXPECT_EQ(byte(policy), 254);
  policy.overflow = LargeRule::nan_byte;
  EXPECT_EQ(byte(policy), 255);
  policy.scale = ScaleRule::floor;  // does not round up, so cannot overflow
  EXPECT_EQ(byte(policy), 252);
  policy.scale = ScaleRule::rceil;
  EXPECT_EQ(byte(policy), 253);
}

TEST(Quantize, SmallestMaxima) {
  const Block smallest = quantize_one({0x1p-126f}, 0);
  EXPECT_EQ(smallest.scale, 0);
  EXPECT_EQ(smallest.codes[0], 0x04);
  QuantPolicy flushed;
  flushed.subnormals = SubnormalRule::flushed;
  EXPECT_EQ(quantize_one({0x1p-126f}, 0, flushed).codes[0], 0x00);
  EXPECT_EQ(quantize_one({-0x1p-130f, 1}, 0, flushed).codes[0], 0x68);
  EXPECT_EQ(quantize_one({-0x1p-130f}, -0x1p-130f, flushed).codes[0], 0x88);
  // A subnormal element that is not small beside its scale: half of 2^-126.
  EXPECT_EQ(quantize_one({0x1p-124f, 0x1p-127f}, 0).codes[0], 0x16);
  EXPECT_EQ(quantize_one({0x1p-124f, 0x1p-127f}, 0, flushed).codes[0], 0x06);
  // 2^-128 is half a unit of the smallest scale, 2^-129 the tie to zero.
  const Block tiny = quantize_one({0x1p-128f, 0x1p-129f, 0x1.000002p-129f}, 0);
  EXPECT_EQ(tiny.scale, 0);
  EXPECT_EQ(tiny.codes[0], 0x01);
}

TEST(Quantize, InputThroughBf16IsAnOption) {
  QuantPolicy policy;
  const float x = 0.2509f;  // above the tie at 0.25, on the tie as bf16
  EXPECT_EQ(quantize_one({4, x}, 0, policy).codes[0], 0x16);
  policy.input = InputPrecision::bf16;
  EXPECT_EQ(round_to_bf16(static_cast<double>(x)).to_float(), 0.25f);
  EXPECT_EQ(quantize_one({4, x}, 0, policy).codes[0], 0x06);
}

TEST(Quantize, ValuesSurviveASecondPass) {
  // Values, not bytes: rceil may come back with another encoding of the same values.
  constexpr uint64_t kSeed = 0x5eed0002;
  const Matrix<Bf16> values = normal_matrix(64, 256, kSeed, TensorId::a);
  int64_t other_bytes = 0;
  for (const ScaleRule rule : all_scale_rules()) {
    QuantPolicy policy;
    policy.scale = rule;
    const Mxfp4Matrix once = quantize(values.view(), policy).value();
    const Matrix<float> decoded = dequantize_f32(once);
    const Mxfp4Matrix twice = quantize(decoded.view(), policy).value();
    EXPECT_EQ(dequantize_f32(twice).data, decoded.data) << name_of(rule) << " seed " << kSeed;
    if (rule == ScaleRule::rceil) {
      for (size_t i = 0; i < once.scales.size(); ++i)
        other_bytes += once.scales[i] != twice.scales[i] ? 1 : 0;
    }
  }
  EXPECT_GT(other_bytes, 0);
}

TEST(Quantize, RefusesShapesThatAreNoBlocks) {
  const std::vector<float> values(64);
  for (const MatrixView<const float> bad :
       {MatrixView<const float>{values.data(), 1, 31, 31}, MatrixView<const float>{values.data(), 0, 32, 32},
        MatrixView<const float>{values.data(), 1, 0, 0}, MatrixView<const float>{values.data(), 2, 32, 16}}) {
    const auto result = quantize(bad);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.status().code(), StatusCode::bad_input);
    EXPECT_NE(result.status().message().find("multiple of 32"), std::string::npos);
  }
}

TEST(Quantize, StridedRowsEqualContiguousOnes) {
  constexpr uint64_t kSeed = 0x5eed0003;
  const Matrix<Bf16> wide = normal_matrix(5, 160, kSeed, TensorId::a);
  Matrix<Bf16> narrow(5, 128);
  for (int64_t r = 0; r < 5; ++r) {
    for (int64_t c = 0; c < 128; ++c) narrow(r, c) = wide(r, c);
  }
  MatrixView<const Bf16> view = wide.view();
  view.cols = 128;
  const Mxfp4Matrix strided = quantize(view).value();
  const Mxfp4Matrix dense = quantize(std::as_const(narrow).view()).value();
  EXPECT_EQ(strided.codes, dense.codes);
  EXPECT_EQ(strided.scales, dense.scales);
}

}  // namespace
}  // namespace mxproof::reference
