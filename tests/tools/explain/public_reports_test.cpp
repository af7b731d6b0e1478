// Mistakes that people reported in public: the right value passes, the reported wrong one is named. Values
// were computed with exact rationals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "common/format/e2m1.hpp"
#include "reference/quantize.hpp"
#include "tools/explain/block_report.hpp"
#include "tools/explain/corpus/lab.hpp"
#include "tools/explain/engine.hpp"
#include "tools/explain/report.hpp"

namespace mxproof::explain {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr int64_t kRows = 8;  // the same block in several rows: one alone would be too little to answer from

/// 32 values: the given ones repeated, or followed by `rest`.
std::vector<float> block(std::vector<float> first, float rest) {
  first.resize(32, rest);
  return first;
}
std::vector<float> repeated(const std::vector<float>& part) {
  std::vector<float> out;
  for (size_t i = 0; i < 32; ++i) out.push_back(part[i % part.size()]);
  return out;
}

Matrix<float> rows_of(const std::vector<float>& values) {
  Matrix<float> m(kRows, 32);
  for (int64_t r = 0; r < kRows; ++r) std::copy(values.begin(), values.end(), m.data.begin() + r * 32);
  return m;
}

QuantPolicy policy_of(ScaleRule rule) {
  QuantPolicy policy;
  policy.scale = rule;
  return policy;
}

Mxfp4Matrix data_of(uint8_t scale, const std::vector<uint8_t>& bytes, uint8_t rest) {
  Mxfp4Matrix m(kRows, 32);
  for (int64_t r = 0; r < kRows; ++r) {
    m.scale_row(r)[0] = scale;
    for (size_t i = 0; i < 16; ++i) m.code_row(r)[i] = i < bytes.size() ? bytes[i] : rest;
  }
  return m;
}

/// Codes and scale bytes `right` must pass under `policy`; `wrong` must be explained by `cause`, in words
/// that contain `words`.
void expect_named(const Matrix<float>& values, const QuantPolicy& policy, const Mxfp4Matrix& right,
                  const Mxfp4Matrix& wrong, const std::string& cause, const std::string& words) {
  const Expected<Explanation> passes = explain(*quantised_evidence(values, policy, right));
  ASSERT_TRUE(passes);
  EXPECT_EQ(passes->answer, Answer::right) << to_text(*passes);
  const Expected<Explanation> e = explain(*quantised_evidence(values, policy, wrong));
  ASSERT_TRUE(e);
  ASSERT_EQ(e->answer, Answer::explained) << to_text(*e);
  std::vector<std::string> causes = e->best->causes;
  for (const Finding& f : e->alternatives) causes.insert(causes.end(), f.causes.begin(), f.causes.end());
  EXPECT_THAT(causes, Contains(cause)) << to_text(*e);
  EXPECT_THAT(to_text(*e), HasSubstr(words));
}

BlockClass class_of(const Matrix<float>& values, const QuantPolicy& policy, const Mxfp4Matrix& got) {
  return classify_block(*quantised_evidence(values, policy, got), {0, 0});
}

/// The output of a lab must be explained by `cause`.
void expect_output_named(const Evidence& evidence, const std::string& cause, const std::string& words) {
  const Expected<Explanation> e = explain(evidence);
  ASSERT_TRUE(e);
  ASSERT_TRUE(e->best) << to_text(*e);
  std::vector<std::string> causes = e->best->causes;
  for (const Finding& f : e->alternatives) causes.insert(causes.end(), f.causes.begin(), f.causes.end());
  EXPECT_NE(e->answer, Answer::unknown) << to_text(*e);
  EXPECT_THAT(causes, Contains(cause)) << to_text(*e);
  EXPECT_THAT(to_text(*e), HasSubstr(words));
}

// A quantiser fed its own output: another byte and other codes for the same values.
TEST(PublicReports, RequantisedBlockHasTheSameValues) {
  const QuantPolicy rceil = policy_of(ScaleRule::rceil);
  const Matrix<float> values = rows_of(block({3.03125f}, 0.5f));
  const Mxfp4Matrix right = data_of(127, {0x15}, 0x11);
  EXPECT_EQ(class_of(values, rceil, right), BlockClass::equal);
  EXPECT_EQ(class_of(values, rceil, data_of(126, {0x27}, 0x22)), BlockClass::same_value);
}

TEST(PublicReports, ScaleByteLowByOneShowsInTheHistogram) {
  const Lab lab({16, 16, 256}, 1);
  Mxfp4Matrix low = lab.a;
  for (uint8_t& s : low.scales) s = static_cast<uint8_t>(s - 1);
  const BlockReport report = report_blocks(lab.quantised(low));
  EXPECT_EQ(report.scale_delta.size(), 1u);
  EXPECT_EQ(report.scale_delta.at(-1), report.blocks);
}

TEST(PublicReports, RoundedUpOnlineButEvenOffline) {
  expect_named(rows_of(block({6.5f}, 0.25f)), policy_of(ScaleRule::even), data_of(127, {0x07}, 0x00),
               data_of(128, {0x05}, 0x00), "scale-rule", "scale rule rceil instead of even");
}

TEST(PublicReports, FloorSaturatesSevenToSix) {
  const Matrix<float> values = rows_of(block({7}, 1));
  expect_named(values, policy_of(ScaleRule::even), data_of(128, {0x16}, 0x11), data_of(127, {0x27}, 0x22),
               "scale-rule", "scale rule floor instead of even");
  EXPECT_EQ(class_of(values, policy_of(ScaleRule::even), data_of(127, {0x27}, 0x22)), BlockClass::saturated);
}

TEST(PublicReports, GoldenVectorOfTwoLibraries) {
  Mxfp4Matrix right(kRows, 32);
  Mxfp4Matrix wrong(kRows, 32);
  const uint8_t low[4] = {0x07, 0x00, 0x22, 0x32};
  const uint8_t high[4] = {0x05, 0x00, 0x11, 0x11};
  for (size_t i = 0; i < right.codes.size(); ++i) right.codes[i] = low[i % 4], wrong.codes[i] = high[i % 4];
  std::fill(right.scales.begin(), right.scales.end(), uint8_t{127});
  std::fill(wrong.scales.begin(), wrong.scales.end(), uint8_t{128});
  const Matrix<float> values = rows_of(repeated({6, 0, .24f, .25f, .75f, .99f, 1.2f, 1.3f}));
  for (ScaleRule rule : {ScaleRule::floor, ScaleRule::even, ScaleRule::rceil}) {
    expect_named(values, policy_of(rule), right, wrong, "scale-rule", "scale rule ceil");
  }
}

// Libraries that round amax/6 to the nearest power of two clip half of all maxima; the report counts them.
TEST(PublicReports, NearestPowerOfTwoIsNamedAndItsClippingCounted) {
  const Lab lab({32, 16, 512}, 2);
  Mxfp4Matrix got(32, 512);
  for (int64_t r = 0; r < 32; ++r) {
    for (int64_t b = 0; b < 16; ++b) {
      float amax = 0;
      for (int64_t i = 0; i < 32; ++i)
        amax = std::max(amax, std::fabs(lab.a_values(r, b * 32 + i).to_float()));
      int e = 0;
      const double mantissa = 2 * std::frexp(static_cast<double>(amax) / 6, &e);
      const int exponent = e - 1 + (mantissa >= 1.5 ? 1 : 0);
      got.scale_row(r)[b] = static_cast<uint8_t>(exponent + 127);
      for (int64_t i = 0; i < 32; ++i) {
        set_code(
            got, r, b * 32 + i,
            reference::element_code(lab.a_values(r, b * 32 + i).to_float(), exponent, TieRule::nearest_even));
      }
    }
  }
  const Evidence evidence = lab.quantised(got);
  expect_output_named(evidence, "scale-rule", "nearest to amax/6");
  const BlockReport report = report_blocks(evidence);
  EXPECT_GT(report.clipped_got, report.blocks * 2 / 5);
  EXPECT_LT(report.clipped_wanted, report.blocks / 4);
}

TEST(PublicReports, ExponentOffsetAppliedTwiceIsAFactorOfAQuarter) {
  expect_named(rows_of(block({6}, 1)), {}, data_of(127, {0x27}, 0x22), data_of(125, {0x27}, 0x22),
               "e8m0-bias", "factor 0.25");
  const Lab lab({16, 32, 256}, 3);
  Mxfp4Matrix b = lab.b;
  for (uint8_t& s : b.scales) s = static_cast<uint8_t>(s - 2);
  expect_output_named(lab.output(Lab::product(lab.a, b)), "constant-factor", "0.25 times the right one");
}

TEST(PublicReports, TheBumpOfEvenIsOneAndThreeQuarters) {
  expect_named(rows_of(block({1.75f}, 0.25f)), {}, data_of(126, {0x16}, 0x11), data_of(125, {0x27}, 0x22),
               "scale-rule", "scale rule floor");
  const Matrix<float> below = rows_of(block({std::nextafter(1.75f, 0.0f)}, 0.25f));
  EXPECT_EQ(class_of(below, {}, data_of(125, {0x27}, 0x22)), BlockClass::equal);
}

TEST(PublicReports, ScaleThatUnderflowsMustNotWrapToNan) {
  const Matrix<float> tiny = rows_of(block({0x1p-126f}, 0));
  EXPECT_EQ(class_of(tiny, {}, data_of(0, {0x04}, 0x00)), BlockClass::equal);
  EXPECT_EQ(class_of(rows_of(std::vector<float>(32, 0x1p-130f)), {}, data_of(0, {}, 0x00)),
            BlockClass::equal);
  expect_named(tiny, {}, data_of(0, {0x04}, 0x00), data_of(255, {}, 0x00), "edge-policy", "wraps around");
  EXPECT_EQ(class_of(tiny, {}, data_of(255, {}, 0x00)), BlockClass::nan);
}

TEST(PublicReports, ByteOfABlockOfZerosIsAPolicy) {
  const Matrix<float> zeros = rows_of(std::vector<float>(32, 0.0f));
  expect_named(zeros, {}, data_of(0, {}, 0x00), data_of(127, {}, 0x00), "edge-policy",
               "blocks of zeros get scale byte 127");
}

TEST(PublicReports, NanInABlockMustNotBeDropped) {
  std::vector<float> values(32, 1.0f);
  values[0] = std::numeric_limits<float>::quiet_NaN();
  QuantPolicy dropped;
  dropped.nan = NanRule::ignored;
  const Matrix<float> m = rows_of(values);
  expect_named(m, {}, *reference::quantize(m.view(), QuantPolicy{}), *reference::quantize(m.view(), dropped),
               "edge-policy", "a NaN element");
  EXPECT_EQ(reference::quantize(m.view(), QuantPolicy{})->scales[0], 255);
}

TEST(PublicReports, SignOfZeroIsAClassOfItsOwn) {
  const Matrix<float> zeros = rows_of(std::vector<float>(32, -0.0f));
  EXPECT_EQ(class_of(zeros, {}, data_of(0, {}, 0x88)), BlockClass::equal);
  EXPECT_EQ(class_of(zeros, {}, data_of(0, {}, 0x00)), BlockClass::sign_of_zero);
  const Matrix<float> tiny = rows_of(block({4}, -0.1f));
  expect_named(tiny, {}, data_of(127, {0x86}, 0x88), data_of(127, {0x06}, 0x00), "edge-policy",
               "sign of zero");
}

TEST(PublicReports, QuantisedFromF32WhereBf16IsMeant) {
  Matrix<float> values(32, 64);
  Lab lab({32, 16, 64}, 4);
  for (size_t i = 0; i < values.data.size(); ++i) {
    values.data[i] = lab.a_values.data[i].to_float() * (1 + static_cast<float>(lab.below(1000)) * 0x1p-19f);
  }
  QuantPolicy through_bf16;
  through_bf16.input = InputPrecision::bf16;
  expect_named(values, through_bf16, *reference::quantize(values.view(), through_bf16),
               *reference::quantize(values.view(), QuantPolicy{}), "edge-policy", "precision as-given");
}

// Byte 0x72 is (1.0, 6.0).
TEST(PublicReports, ConverterReturnsThePairInTheOtherOrder) {
  const uint8_t row[1] = {0x72};
  EXPECT_EQ(kE2m1Values[e2m1_code_at(row, 0)], 1.0f);
  EXPECT_EQ(kE2m1Values[e2m1_code_at(row, 1)], 6.0f);
  EXPECT_EQ(kE2m1Values[e2m1_code_at(row, 0, NibbleOrder::high_first)], 6.0f);
}

TEST(PublicReports, AmaxInTheLastLane) {
  Lab lab({16, 32, 256}, 5);
  for (int64_t r = 0; r < 16; ++r) {
    for (int64_t b = 0; b < 8; ++b) lab.a_values(r, b * 32 + 31) = to_bf16(9.0f);
  }
  Mxfp4Matrix got(16, 256);
  for (int64_t r = 0; r < 16; ++r) {
    for (int64_t b = 0; b < 8; ++b) {
      float amax = 0;
      for (int64_t i = 0; i < 31; ++i)
        amax = std::max(amax, std::fabs(lab.a_values(r, b * 32 + i).to_float()));
      const uint8_t scale = reference::scale_byte(amax, {});
      got.scale_row(r)[b] = scale;
      for (int64_t i = 0; i < 32; ++i) {
        set_code(got, r, b * 32 + i,
                 reference::element_code(lab.a_values(r, b * 32 + i).to_float(), scale - 127,
                                         TieRule::nearest_even));
      }
    }
  }
  expect_output_named(lab.quantised(got), "block-maximum", "misses the last element (lane 31)");
}

TEST(PublicReports, KCountedInBytesLosesItsSecondHalf) {
  const Lab lab({16, 32, 512}, 6);
  Mxfp4Matrix half = lab.a;
  for (int64_t r = 0; r < 16; ++r) std::fill_n(half.code_row(r) + 128, 128, uint8_t{0});
  expect_output_named(lab.output(Lab::product(half, lab.b)), "k-range-missing", "K taken as bytes");
}

// Scales padded to 128 rows for each expert, codes not: every expert after the first reads the wrong place.
TEST(PublicReports, ScalesOfTheSecondExpertAreReadTooFarOn) {
  const Lab lab({16, 160, 512}, 7);
  Mxfp4Matrix b = lab.b;
  constexpr int64_t kExpert = 80;
  for (int64_t r = kExpert; r < 160; ++r) {
    for (int64_t c = 0; c < 16; ++c)
      b.scale_row(r)[c] = r + 48 < 160 ? lab.b.scale_row(r + 48)[c] : uint8_t{0};
  }
  expect_output_named(lab.output(Lab::product(lab.a, b)), "scale-of-wrong-row",
                      "every 80 rows were padded to 128");
}

TEST(PublicReports, ColumnPaddingComputedFromTheRowCount) {
  const Lab lab({16, 64, 768}, 8);
  Mxfp4Matrix b = lab.b;
  const int64_t cols = 24;
  // Written with 24 columns, read as if there were 64, the number of rows.
  const auto at = [](int64_t r, int64_t c, int64_t padded) {
    return r / 32 * 32 * padded + c / 8 * 256 + c % 4 * 64 + r % 16 * 4 + c % 8 / 4 * 2 + r % 32 / 16;
  };
  std::vector<uint8_t> buffer(static_cast<size_t>(256 * cols), 0);
  for (int64_t r = 0; r < 64; ++r) {
    for (int64_t c = 0; c < cols; ++c) buffer[static_cast<size_t>(at(r, c, cols))] = lab.b.scale_row(r)[c];
  }
  for (int64_t r = 0; r < 64; ++r) {
    for (int64_t c = 0; c < cols; ++c) b.scale_row(r)[c] = buffer[static_cast<size_t>(at(r, c, 64))];
  }
  expect_output_named(lab.output(Lab::product(lab.a, b)), "scale-layout", "padded by the number of rows");
}

TEST(PublicReports, SeventeenByteBlocksReadFromSplitStorage) {
  const Lab lab({16, 32, 512}, 9);
  Mxfp4Matrix b = lab.b;
  for (int64_t block = 0; block < 32 * 16; ++block) {
    for (int64_t i = 0; i < 16; ++i) {
      const auto from = static_cast<size_t>(block * 17 + 1 + i);
      b.codes[static_cast<size_t>(block * 16 + i)] =
          from < lab.b.codes.size() ? lab.b.codes[from] : uint8_t{0};
    }
  }
  expect_output_named(lab.output(Lab::product(lab.a, b)), "code-layout", "17-byte blocks");
}

// Row stride K/2 where the last block is padded: 2152 bytes for 2160. The drift grows with the row.
TEST(PublicReports, RowStrideWithoutThePaddingOfTheLastBlock) {
  const Lab lab({8, 48, 4320}, 10);
  Mxfp4Matrix b = lab.b;
  for (int64_t r = 0; r < 48; ++r) {
    for (int64_t i = 0; i < 2160; ++i) b.code_row(r)[i] = lab.b.codes[static_cast<size_t>(r * 2152 + i)];
  }
  expect_output_named(lab.output(Lab::product(lab.a, b)), "row-stride",
                      "2160 bytes apart and were read 2152 bytes apart");
}

TEST(PublicReports, ViewWithARowStrideReadAsDense) {
  Lab lab({24, 32, 256}, 11);
  Matrix<Bf16> read = lab.a_values;
  for (int64_t r = 0; r < 24; ++r) {
    for (int64_t k = 0; k < 256; ++k) {
      const int64_t at = r * 256 + k;  // of a buffer whose rows are 288 apart
      read(r, k) = at % 288 < 256 ? lab.a_values(at / 288, at % 288) : Bf16{0};
    }
  }
  expect_output_named(lab.output(Lab::product(*reference::quantize(read.view()), lab.b)), "row-stride",
                      "288 elements apart and were read 256 elements apart");
}

// The remaining row count is cast to 16 bits: rows from 32768 on are never written.
TEST(PublicReports, RowCountCastToSixteenBits) {
  Evidence e;
  e.expected = Matrix<Bf16>(40000, 8, to_bf16(1.5f));
  for (size_t i = 0; i < e.expected.data.size(); ++i)
    e.expected.data[i] = to_bf16(static_cast<float>(i % 251) - 100.5f);
  e.runs.push_back(e.expected);
  for (int64_t r = 32768; r < 40000; ++r) {
    for (int64_t c = 0; c < 8; ++c) e.runs[0](r, c) = e.poison;
  }
  expect_output_named(e, "unwritten", "the row index passes 2^15");
}

// First bad row 61,681 at 34,816 elements a row: the offset passes 2^31.
TEST(PublicReports, OffsetPastTwoToThe31) {
  Evidence e;
  e.k = 34816;
  e.expected = Matrix<Bf16>(62000, 4);
  for (size_t i = 0; i < e.expected.data.size(); ++i)
    e.expected.data[i] = to_bf16(static_cast<float>(i % 251) - 100.5f);
  e.runs.push_back(e.expected);
  for (int64_t r = 61681; r < 62000; ++r) {
    for (int64_t c = 0; c < 4; ++c)
      e.runs[0](r, c) = to_bf16(static_cast<float>((r * 31 + c * 7) % 113) * 0.37f);
  }
  expect_output_named(e, "index-overflow", "A's element offset (row * K) passes 2^31");
}

TEST(PublicReports, SecondRunIntoADirtyBufferAddsUp) {
  const Lab lab({16, 32, 256}, 12);
  const Lab earlier({16, 32, 256}, 13);
  Evidence e = lab.output(lab.right);
  e.previous = earlier.right;
  for (size_t i = 0; i < lab.right.data.size(); ++i) {
    e.runs[0].data[i] = to_bf16(lab.right.data[i].to_float() + earlier.right.data[i].to_float());
  }
  e.wrong.clear();
  expect_output_named(e, "stale", "it was not cleared");
}

TEST(PublicReports, NanAgainstANumberFailsAndIsCounted) {
  Evidence e;
  e.expected = Matrix<Bf16>(4, 4, to_bf16(1));
  e.runs.push_back(e.expected);
  e.runs[0](0, 1) = Bf16{0x7fc0};
  const Expected<Explanation> explanation = explain(e);
  ASSERT_TRUE(explanation);
  EXPECT_EQ(explanation->wrong, 1);
  EXPECT_THAT(explanation->observations, Contains(HasSubstr("1 wrong outputs")));
}

// All outputs doubled have cosine similarity 1.
TEST(PublicReports, DoubledOutputsAreWrongAndAFactor) {
  const Lab lab({16, 32, 256}, 14);
  Matrix<Bf16> twice = lab.right;
  for (Bf16& x : twice.data) x = to_bf16(x.to_float() * 2);
  expect_output_named(lab.output(twice), "constant-factor", "2 times the right one");
}

TEST(PublicReports, AlphaDroppedBeyondTheFirstTile) {
  const Lab lab({16, 256, 256}, 15);
  Matrix<Bf16> out = lab.right;
  for (int64_t r = 0; r < 16; ++r) {
    for (int64_t c = 128; c < 256; ++c) out(r, c) = to_bf16(out(r, c).to_float() * 0.5f);
  }
  expect_output_named(lab.output(out), "constant-factor", "columns from 128 on");
}

TEST(PublicReports, HalfOfEveryPairDecodedAsZeroIsNamedByNibble) {
  const Lab lab({16, 32, 256}, 16);
  Mxfp4Matrix b = lab.b;
  for (uint8_t& byte : b.codes) byte &= 0x0f;
  expect_output_named(lab.output(Lab::product(lab.a, b)), "half-of-pair", "the high code of every byte");
}

}  // namespace
}  // namespace mxproof::explain
