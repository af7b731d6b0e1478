// Blocks from public bug reports about MXFP4 quantisers, each with the value that is right under the policy
// named. The reference number names the thread in which the wrong value was met.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "common/format/e2m1.hpp"
#include "common/random/fill.hpp"
#include "reference/dequantize.hpp"
#include "reference/quantize.hpp"

namespace mxproof::reference {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

struct Report {
  const char* thread;
  const char* name;
  std::vector<float> head;  ///< First elements; `rest` fills the block.
  float rest;
  std::vector<ScaleRule> rules;
  int byte;
  std::vector<int> codes;  ///< First packed bytes; the last one repeats to the end of the block.
};

const ScaleRule kFloor = ScaleRule::floor;
const ScaleRule kEven = ScaleRule::even;
const ScaleRule kRceil = ScaleRule::rceil;
const ScaleRule kCeil = ScaleRule::ceil;

std::vector<Report> reports() {
  const std::vector<float> pairs = {6, 0, 0.24f, 0.25f, 0.75f, 0.99f, 1.2f, 1.3f};
  std::vector<float> four_times;
  for (int i = 0; i < 4; ++i) four_times.insert(four_times.end(), pairs.begin(), pairs.end());
  const std::vector<int> qdq = {7, 0, 0x22, 0x32, 7, 0, 0x22, 0x32, 7, 0, 0x22, 0x32, 7, 0, 0x22, 0x32};
  const std::vector<int> qdq_ceil = {5, 0, 0x11, 0x11, 5, 0, 0x11, 0x11, 5, 0, 0x11, 0x11, 5, 0, 0x11, 0x11};
  const float bf16_max = Bf16{0x7f7f}.to_float();
  return {
      {"ROCm/aiter#2424", "requantised_value_first_pass", {3.03125f}, 0.5f, {kRceil}, 127, {0x15, 0x11}},
      {"ROCm/aiter#2424", "requantised_value_second_pass", {3.0f}, 0.5f, {kRceil}, 126, {0x27, 0x22}},
      {"ROCm/ATOM#1601", "mixed_pair_even", {6.5f}, 0.25f, {kFloor, kEven}, 127, {0x07, 0x00}},
      {"ROCm/ATOM#1601", "mixed_pair_rceil", {6.5f}, 0.25f, {kRceil}, 128, {0x05, 0x00}},
      {"microsoft/microxcaling#4", "saturated_by_floor", {7}, 1, {kFloor}, 127, {0x27, 0x22}},
      {"microsoft/microxcaling#4", "not_saturated", {7}, 1, {kEven, kRceil, kCeil}, 128, {0x16, 0x11}},
      {"triton-lang/triton#6054", "which_is_golden", four_times, 0, {kFloor, kEven, kRceil}, 127, qdq},
      {"triton-lang/triton#6054", "which_is_golden_ceil", four_times, 0, {kCeil}, 128, qdq_ceil},
      {"vllm-project/vllm#35979", "offset_applied_once", {6}, 0, {kFloor, kEven, kRceil}, 127, {0x07, 0x00}},
      {"tinygrad/tinygrad#14849", "codebook_not_doubled", {6}, 0, {kFloor}, 127, {0x07, 0x00}},
      {"ROCm/aiter#3212", "even_threshold_is_1_75", {1.75f}, 0.25f, {kFloor}, 125, {0x27, 0x22}},
      {"ROCm/aiter#3212", "even_at_1_75", {1.75f}, 0.25f, {kEven, kRceil}, 126, {0x16, 0x11}},
      {"ROCm/aiter#3212", "even_below_1_75", {1.7421875f}, 0.25f, {kEven}, 125, {0x27, 0x22}},
      {"leanprover/TensorLib#99",
       "smallest_normal",
       {0x1p-126f},
       0,
       {kFloor, kEven, kRceil, kCeil},
       0,
       {0x04, 0x00}},
      {"leanprover/TensorLib#99",
       "below_the_smallest_scale",
       {},
       0x1p-130f,
       {kFloor, kEven, kRceil},
       0,
       {0x00}},
      {"graphcore-research/gfloat#62",
       "saturates_to_byte_zero",
       {0x1p-128f},
       0,
       {kFloor, kEven, kRceil},
       0,
       {0x01, 0x00}},
      {"huggingface/kernels-community#680", "zero_block", {}, 0, {kFloor, kEven, kRceil, kCeil}, 0, {0x00}},
      {"pytorch/ao#4201", "nan_reaches_the_scale", {kNan}, 1, {kFloor, kEven, kRceil, kCeil}, 255, {0x00}},
      {"ROCm/aiter#5587", "bf16_max_floor", {bf16_max}, 0, {kFloor}, 252, {0x07, 0x00}},
      {"ROCm/aiter#5587", "bf16_max", {bf16_max}, 0, {kEven, kRceil}, 253, {0x06, 0x00}},
      {"ROCm/aiter#5587", "inf", {kInf}, 1, {kFloor, kEven, kRceil}, 255, {0x00}},
      {"pytorch/ao",
       "six_times_the_smallest_scale",
       {6 * 0x1p-127f},
       0,
       {kFloor, kEven, kRceil},
       0,
       {0x07, 0x00}},
      {"scott-griffiths/bitstring#333", "negative_zeros", {}, -0.0f, {kEven}, 0, {0x88}},
      {"scott-griffiths/bitstring#333", "tiny_negatives", {4}, -0.1f, {kEven}, 127, {0x86, 0x88}},
      {"ROCm/aiter#4030",
       "ties_to_even",
       {6, 0.25f, 1.25f, 2.5f, 5, 0.75f, 1.75f, 3.5f},
       0,
       {kEven},
       127,
       {0x07, 0x42, 0x26, 0x64, 0x00}},
      {"tenstorrent/tt-metal#51971", "just_above_a_tie", {4, 0.25000003f}, 0, {kEven}, 127, {0x16, 0x00}},
  };
}

class PublicReport : public testing::TestWithParam<Report> {};

TEST_P(PublicReport, HasTheRightValue) {
  const Report& report = GetParam();
  ASSERT_FALSE(report.rules.empty());
  for (const ScaleRule rule : report.rules) {
    std::vector<float> values = report.head;
    values.resize(32, report.rest);
    QuantPolicy policy;
    policy.scale = rule;
    uint8_t codes[16];
    std::fill_n(codes, 16, uint8_t{0xee});
    EXPECT_EQ(quantize_block(values.data(), policy, codes), report.byte)
        << report.thread << " " << name_of(rule);
    for (size_t i = 0; i < 16; ++i) {
      EXPECT_EQ(int{codes[i]}, report.codes[std::min(i, report.codes.size() - 1)])
          << report.thread << " " << name_of(rule) << " byte " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, PublicReport, testing::ValuesIn(reports()),
                         [](const testing::TestParamInfo<Report>& test) { return test.param.name; });

TEST(PublicReports, SmallScalesAreNotZero) {
  // 1Cat-vLLM#222: bytes 103..112 vanished on their way through f16.
  for (int byte = 103; byte <= 112; ++byte) {
    EXPECT_EQ(dequantize_value(2, static_cast<uint8_t>(byte)), std::pow(2.0, byte - 127)) << byte;
  }
}

TEST(PublicReports, NibbleOrderAndBothHalves) {
  // composable_kernel#1889, intel/llvm#22781: byte 0x72 is (1, 6), in this order and with its second element.
  Mxfp4Matrix m(1, 32);
  m.codes[0] = 0x72;
  m.scales[0] = 127;
  const Matrix<float> values = dequantize_f32(m);
  EXPECT_EQ(values(0, 0), 1.0f);
  EXPECT_EQ(values(0, 1), 6.0f);
}

TEST(PublicReports, SixteenEntryTable) {
  // tilelang#2704, neural-compressor#1891: codes 0, 1, 8, 9 were decoded wrongly; .0625 stood where .5
  // belongs.
  const double expected[16] = {0, .5, 1, 1.5, 2, 3, 4, 6, -0.0, -.5, -1, -1.5, -2, -3, -4, -6};
  for (int code = 0; code < 16; ++code) {
    const double value = dequantize_value(static_cast<uint8_t>(code), 127);
    EXPECT_EQ(value, expected[code]);
    EXPECT_EQ(std::signbit(value), code >= 8);
  }
}

TEST(PublicReports, LegalEncodingsMayOverflowF32) {
  // 4 * 2^126 and more at byte 253, 2 and more at byte 254.
  Mxfp4Matrix m(1, 32);
  m.codes[0] = 0x63;
  m.codes[1] = 0x5d;
  m.scales[0] = 253;
  const Matrix<float> values = dequantize_f32(m);
  EXPECT_EQ(values(0, 0), 1.5f * 0x1p126f);
  EXPECT_EQ(values(0, 1), kInf);
  EXPECT_EQ(values(0, 2), -3.0f * 0x1p126f);
  EXPECT_EQ(dequantize_f64(m)(0, 1), 0x1p128);
}

TEST(PublicReports, ByteDeltaHistogramOfTwoRules) {
  // FlyDSL#590: a rule that is low by one on most blocks shows as a histogram with everything at -1. Here
  // floor against rceil and even on Gaussian blocks: never high, never lower than by one.
  const Matrix<Bf16> values = normal_matrix(125, 1024, 0x5eed0070, TensorId::a);
  const auto bytes = [&](ScaleRule rule) {
    QuantPolicy policy;
    policy.scale = rule;
    return quantize(values.view(), policy).value().scales;
  };
  const std::vector<uint8_t> floor = bytes(kFloor);
  for (const ScaleRule other : {kEven, kRceil}) {
    std::map<int, int> histogram;
    const std::vector<uint8_t> theirs = bytes(other);
    for (size_t i = 0; i < floor.size(); ++i) ++histogram[floor[i] - theirs[i]];
    EXPECT_EQ(histogram.size(), 2u) << name_of(other);
    EXPECT_GT(histogram[-1], 0);
    EXPECT_GT(histogram[0], 0);
  }
}

TEST(PublicReports, ClippedMaximaAreFewerUnderEvenAndNoneUnderRceil) {
  // mlx#4353. Shares of clipped block maxima on 4000 Gaussian bf16 blocks.
  const Matrix<Bf16> values = normal_matrix(125, 1024, 0x5eed0071, TensorId::a);
  const auto clipped = [&](ScaleRule rule) {
    QuantPolicy policy;
    policy.scale = rule;
    const Mxfp4Matrix q = quantize(values.view(), policy).value();
    int count = 0;
    for (int64_t r = 0; r < values.rows; ++r) {
      for (int64_t b = 0; b < values.cols / 32; ++b) {
        float amax = 0;
        for (int i = 0; i < 32; ++i) amax = std::max(amax, std::fabs(values(r, b * 32 + i).to_float()));
        count += double{amax} > 6 * std::ldexp(1.0, q.scale_row(r)[b] - 127) ? 1 : 0;
      }
    }
    return count;
  };
  EXPECT_NEAR(clipped(kFloor), 1124, 120);  // four standard deviations of a binomial count
  EXPECT_NEAR(clipped(kEven), 440, 80);
  EXPECT_EQ(clipped(kRceil), 0);
  EXPECT_EQ(clipped(kCeil), 0);
}

}  // namespace
}  // namespace mxproof::reference
