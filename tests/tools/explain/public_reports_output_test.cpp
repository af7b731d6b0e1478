// More mistakes that people reported in public, seen in the output of a product (and in decoders and scale
// bytes): the right value passes, the reported wrong one is named. data/public_reports.json says which report
// is which.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "reference/quantize.hpp"
#include "tools/explain/block_report.hpp"
#include "tools/explain/corpus/lab.hpp"
#include "tools/explain/engine.hpp"
#include "tools/explain/report.hpp"

namespace mxproof::explain {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// The evidence must be explained by `cause`, in words that contain `words`; without the fault it is right.
void expect_named(const Evidence& evidence, const std::string& cause, const std::string& words) {
  const Expected<Explanation> e = explain(evidence);
  ASSERT_TRUE(e);
  ASSERT_TRUE(e->best) << to_text(*e);
  EXPECT_NE(e->answer, Answer::unknown) << to_text(*e);
  std::vector<std::string> causes = e->best->causes;
  for (const Finding& f : e->alternatives) causes.insert(causes.end(), f.causes.begin(), f.causes.end());
  EXPECT_THAT(causes, Contains(cause)) << to_text(*e);
  EXPECT_THAT(to_text(*e), HasSubstr(words));
}

void expect_passes(const Evidence& evidence) {
  const Expected<Explanation> e = explain(evidence);
  ASSERT_TRUE(e);
  EXPECT_EQ(e->answer, Answer::right) << to_text(*e);
}

/// B is spoilt; the right B passes and the spoilt one is named.
void expect_spoilt_b_named(const Lab& lab, const std::function<void(Mxfp4Matrix&)>& spoil,
                           const std::string& cause, const std::string& words) {
  expect_passes(lab.output(Lab::product(lab.a, lab.b)));
  Mxfp4Matrix b = lab.b;
  spoil(b);
  expect_named(lab.output(Lab::product(lab.a, b)), cause, words);
}

/// `plain` in scale_32x8, rows padded to 256, padding 0.
std::vector<uint8_t> shuffled_scales(const Mxfp4Matrix& m) {
  const int64_t cols = m.cols / 32;
  const int64_t padded = (cols + 7) / 8 * 8;
  std::vector<uint8_t> out(static_cast<size_t>((m.rows + 255) / 256 * 256 * padded), 0);
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) {
      out[static_cast<size_t>(r / 32 * 32 * padded + c / 8 * 256 + c % 4 * 64 + r % 16 * 4 + c % 8 / 4 * 2 +
                              r % 32 / 16)] = m.scale_row(r)[c];
    }
  }
  return out;
}

/// Row-major codes of [rows, row_bytes] in codes_16x16.
std::vector<uint8_t> preshuffled(const std::vector<uint8_t>& plain, int64_t rows, int64_t row_bytes) {
  std::vector<uint8_t> out(plain.size());
  for (int64_t n = 0; n < rows; ++n) {
    for (int64_t kb = 0; kb < row_bytes; ++kb) {
      out[static_cast<size_t>(n / 16 * 16 * row_bytes + kb / 32 * 512 + kb % 32 / 16 * 256 + n % 16 * 16 +
                              kb % 16)] = plain[static_cast<size_t>(n * row_bytes + kb)];
    }
  }
  return out;
}

/// Blocks that begin with `first`, then `rest`, in eight rows.
Matrix<float> eight_rows(float first, float rest) {
  Matrix<float> m(8, 32, rest);
  for (int64_t r = 0; r < 8; ++r) m(r, 0) = first;
  return m;
}
Mxfp4Matrix with_byte(const Matrix<float>& values, int scale) {
  Mxfp4Matrix m(values.rows, values.cols);
  for (int64_t r = 0; r < m.rows; ++r) {
    m.scale_row(r)[0] = static_cast<uint8_t>(scale);
    for (int64_t k = 0; k < 32 && scale != 255; ++k)
      set_code(m, r, k, reference::element_code(values(r, k), scale - 127, TieRule::nearest_even));
  }
  return m;
}
QuantPolicy by_rule(ScaleRule rule) {
  QuantPolicy policy;
  policy.scale = rule;
  return policy;
}
void expect_byte_named(const Matrix<float>& values, const QuantPolicy& policy, int right, int wrong,
                       const std::string& cause, const std::string& words) {
  expect_passes(*quantised_evidence(values, policy, with_byte(values, right)));
  expect_named(*quantised_evidence(values, policy, with_byte(values, wrong)), cause, words);
}

// amax / 6 cast to e8m0 by libraries that round to nearest, up, or down: three bytes for 7.
TEST(PublicReports, CastsToE8m0RoundThreeWays) {
  const Matrix<float> values = eight_rows(7, 1);
  expect_byte_named(values, by_rule(ScaleRule::rceil), 128, 127, "scale-rule",
                    "floor-sixth instead of rceil");
  expect_byte_named(values, by_rule(ScaleRule::rceil), 128, 127, "scale-rule",
                    "nearest to amax/6 instead of rceil");
  expect_byte_named(values, by_rule(ScaleRule::floor_sixth), 127, 128, "scale-rule",
                    "rceil instead of floor-sixth");
}

// A byte that is one off is judged with the codes that belong to it; a byte alone is another fault.
TEST(PublicReports, ScaleOffByOneIsJudgedWithItsCodes) {
  const Matrix<float> values = eight_rows(5, 1.5f);
  Evidence fits = *quantised_evidence(values, {}, with_byte(values, 128));
  EXPECT_EQ(classify_block(fits, {0, 0}), BlockClass::scale_off_by_one);
  expect_named(fits, "scale-rule", "higher by 1 (elements fit that byte)");
  Mxfp4Matrix byte_alone = with_byte(values, 127);
  for (uint8_t& s : byte_alone.scales) s = 128;
  Evidence alone = *quantised_evidence(values, {}, byte_alone);
  EXPECT_EQ(classify_block(alone, {0, 0}), BlockClass::factor);
  expect_named(alone, "e8m0-bias", "wrong by a factor 2");
}

TEST(PublicReports, ScalesThroughF16LoseTheirSmallest) {
  Lab lab({16, 48, 256}, 21);
  for (int64_t r = 0; r < 48; ++r) {
    for (int64_t c = 0; c < 8; ++c) lab.b.scale_row(r)[c] = static_cast<uint8_t>(103 + (r + 3 * c) % 14);
  }
  expect_passes(lab.output(Lab::product(lab.a, lab.b)));
  Mxfp4Matrix b = lab.b;
  for (int64_t r = 0; r < 48; ++r) {
    for (int64_t k = 0; k < 256; ++k) {
      if (b.scale_row(r)[k / 32] <= 112) set_code(b, r, k, 0);
    }
  }
  expect_named(lab.output(Lab::product(lab.a, b)), "e8m0-special", "subnormals flushed: bytes below 113");
}

TEST(PublicReports, BlockOfZerosMustNotBecomeNan) {
  const Matrix<float> zeros(8, 32, 0.0f);
  expect_byte_named(zeros, {}, 0, 255, "edge-policy", "blocks of zeros get scale byte 255");
}

TEST(PublicReports, LargestBf16MustNotBecomeNan) {
  const Matrix<float> largest = eight_rows(0x1.fep127f, 0x1p120f);
  expect_byte_named(largest, {}, 253, 255, "edge-policy", "too large for its scale is handled as nan-byte");
  expect_byte_named(largest, by_rule(ScaleRule::floor), 252, 253, "scale-rule", "instead of floor");
}

// amax = 6 * 2^-127: the exact quotient is 2^-127, byte 0. A ceil that looks at mantissa bits sees a
// subnormal.
TEST(PublicReports, CeilOfASubnormalQuotient) {
  expect_byte_named(eight_rows(6 * 0x1p-127f, 0x1p-127f), by_rule(ScaleRule::rceil), 0, 1, "scale-rule",
                    "higher by 1 (elements fit that byte)");
}

Matrix<Bf16> product_by_table(const Lab& lab, const std::vector<float>& table) {
  const Matrix<float> a = values_of(lab.a);
  Matrix<Bf16> out(lab.shape.m, lab.shape.n);
  for (int64_t r = 0; r < out.rows; ++r) {
    for (int64_t c = 0; c < out.cols; ++c) {
      float sum = 0;
      for (int64_t k = 0; k < lab.shape.k; ++k) {
        const uint8_t code = get_code(lab.b, c, k);
        const float value = (code & 8 ? -1.0f : 1.0f) * table[code & 7];
        sum += a(r, k) * value * std::ldexp(1.0f, lab.b.scale_row(c)[k / 32] - 127);
      }
      out(r, c) = to_bf16(sum);
    }
  }
  return out;
}

TEST(PublicReports, WrongTablesOfCodes) {
  const Lab lab({16, 32, 256}, 22);
  expect_passes(lab.output(product_by_table(lab, {0, 0.5f, 1, 1.5f, 2, 3, 4, 6})));
  expect_named(lab.output(product_by_table(lab, {0.5f, 0.75f, 1, 1.5f, 2, 3, 4, 6})), "decoder-table",
               "B was decoded with 0.5 and 0.75 where 0 and 0.5 belong");
  expect_named(lab.output(product_by_table(lab, {0, 0.0625f, 1, 1.5f, 2, 3, 4, 6})), "decoder-table",
               "B was decoded with 0.0625 where 0.5 belongs");
  expect_named(lab.output(product_by_table(lab, {0, 1, 2, 3, 4, 6, 8, 12})), "constant-factor",
               "GGML's table");
}

TEST(PublicReports, PreshuffledWeightsInAKernelForPlainOnes) {
  const Lab lab({16, 48, 640}, 23);
  expect_spoilt_b_named(
      lab, [](Mxfp4Matrix& b) { b.codes = preshuffled(b.codes, b.rows, b.cols / 2); }, "code-layout",
      "B's codes lie in codes_16x16 and were read as codes_row_major");
}

// The shuffle helper takes [N, K] as [K, N] and says nothing.
TEST(PublicReports, ShuffleHelperWithItsDimensionsExchanged) {
  const Lab lab({16, 96, 640}, 24);
  expect_spoilt_b_named(
      lab,
      [](Mxfp4Matrix& b) {
        const std::vector<uint8_t> stored = preshuffled(b.codes, b.cols / 2, b.rows);
        // The kernel reads as it should have been shuffled.
        for (int64_t n = 0; n < b.rows; ++n) {
          for (int64_t kb = 0; kb < b.cols / 2; ++kb) {
            b.code_row(n)[kb] = stored[static_cast<size_t>(n / 16 * 16 * (b.cols / 2) + kb / 32 * 512 +
                                                           kb % 32 / 16 * 256 + n % 16 * 16 + kb % 16)];
          }
        }
      },
      "code-layout", "codes_16x16 with N and K exchanged");
}

TEST(PublicReports, SwizzledScalesInAKernelThatReadsPlainOnes) {
  const Lab lab({16, 64, 768}, 25);
  expect_spoilt_b_named(
      lab,
      [](Mxfp4Matrix& b) {
        const std::vector<uint8_t> stored = shuffled_scales(b);
        std::copy_n(stored.begin(), b.scales.size(), b.scales.begin());
      },
      "scale-layout", "B's scales lie in scale_32x8 and were read as scale_row_major");
}

// K = 2880: 90 blocks in storage of 96.
TEST(PublicReports, PaddedStorageAddressedByLogicalSizes) {
  const Lab lab({8, 48, 2880}, 26);
  expect_spoilt_b_named(
      lab,
      [](Mxfp4Matrix& b) {
        std::vector<uint8_t> stored(48 * 96, 0);
        for (int64_t r = 0; r < 48; ++r) std::copy_n(b.scale_row(r), 90, stored.begin() + r * 96);
        std::copy_n(stored.begin(), 48 * 90, b.scales.begin());
      },
      "row-stride", "B's rows of scales are 96 bytes apart and were read 90 bytes apart");
}

TEST(PublicReports, ScaleColumnsByAnotherContract) {
  const Lab lab({12, 32, 320}, 27);  // ten blocks where the buffer has eleven columns
  expect_spoilt_b_named(
      lab,
      [](Mxfp4Matrix& b) {
        std::vector<uint8_t> tight = b.scales;
        tight.resize(tight.size() + 64, 0);
        for (int64_t r = 0; r < b.rows; ++r) std::copy_n(tight.begin() + r * 11, 10, b.scale_row(r));
      },
      "row-stride", "B's rows of scales are 10 bytes apart and were read 11 bytes apart");
}

// gate | up, padded once at the end and not per half: the second half begins too late for the reader.
TEST(PublicReports, GateAndUpPaddedTogether) {
  const Lab lab({16, 160, 256}, 28);
  expect_spoilt_b_named(
      lab,
      [](Mxfp4Matrix& b) {
        const Mxfp4Matrix stored = b;
        for (int64_t r = 80; r < 160; ++r) {
          for (int64_t i = 0; i < 128; ++i)
            b.code_row(r)[i] = r + 16 < 160 ? stored.code_row(r + 16)[i] : uint8_t{0};
          for (int64_t c = 0; c < 8; ++c)
            b.scale_row(r)[c] = r + 16 < 160 ? stored.scale_row(r + 16)[c] : uint8_t{0};
        }
      },
      "batch-stride", "B's rows are read as if every 80 rows were padded to 96");
}

// (32, 4) for (4, 32) in the reshape of the 128x4 tile.
TEST(PublicReports, FactorsOfTheSwizzleExchanged) {
  const Lab lab({16, 144, 512}, 29);
  expect_spoilt_b_named(
      lab,
      [](Mxfp4Matrix& b) {
        const Mxfp4Matrix plain = b;
        std::vector<uint8_t> stored(256 * 16, 0);
        for (int64_t r = 0; r < 144; ++r) {
          for (int64_t c = 0; c < 16; ++c) {
            const int64_t tile = (r / 128 * 4 + c / 4) * 512;
            stored[static_cast<size_t>(tile + r % 128 / 4 * 16 + r % 4 * 4 + c % 4)] = plain.scale_row(r)[c];
          }
        }
        for (int64_t r = 0; r < 144; ++r) {
          for (int64_t c = 0; c < 16; ++c) {
            const int64_t tile = (r / 128 * 4 + c / 4) * 512;
            b.scale_row(r)[c] = stored[static_cast<size_t>(tile + r % 32 * 16 + r % 128 / 32 * 4 + c % 4)];
          }
        }
      },
      "scale-layout", "scale_128x4 with its reshape factors 32 and 4 exchanged");
}

TEST(PublicReports, ColumnsScrambledBeyondTheFirstTile) {
  const Lab lab({16, 256, 256}, 30);
  Matrix<Bf16> out = lab.right;
  for (int64_t r = 0; r < 16; ++r) {
    for (int64_t c = 128; c < 256; ++c) out(r, c) = lab.right(r, 128 + (c - 128) * 5 % 128);
  }
  expect_passes(lab.output(lab.right));
  expect_named(lab.output(out), "moved-tiles", "columns are in another order");
}

TEST(PublicReports, ColumnMajorBWithATailOfK) {
  const Lab lab({16, 48, 416}, 31);
  expect_spoilt_b_named(
      lab,
      [](Mxfp4Matrix& b) {
        const Mxfp4Matrix plain = b;
        for (int64_t r = 0; r < 48; ++r) {
          for (int64_t i = 0; i < 208; ++i) b.codes[static_cast<size_t>(i * 48 + r)] = plain.code_row(r)[i];
        }
      },
      "code-layout", "column-major order of bytes");
}

TEST(PublicReports, NanInThePaddingReachesEveryOutput) {
  const Lab lab({16, 48, 352}, 32);
  expect_passes(lab.output(lab.right));
  expect_named(lab.output(Matrix<Bf16>(16, 48, Bf16{0x7fc0})), "nan", "outputs are NaN");
}

TEST(PublicReports, ReplayThatReadsTheEarlierInput) {
  const Lab lab({16, 48, 256}, 33);
  const Lab earlier({16, 48, 256}, 34);
  Evidence e = lab.output(earlier.right);
  e.previous = earlier.right;
  expect_named(e, "stale", "nothing new was written there");
  e.runs[0] = lab.right;
  e.wrong.clear();
  expect_passes(e);
}

TEST(PublicReports, RunsThatDifferAreNoise) {
  const Lab lab({16, 48, 256}, 35);
  Evidence e = lab.output(lab.right);
  e.runs.push_back(lab.right);
  expect_passes(e);
  e.runs[1](3, 5) = to_bf16(lab.right(3, 5).to_float() * 4 + 1);
  const Expected<Explanation> noisy = explain(e);
  ASSERT_TRUE(noisy);
  EXPECT_EQ(noisy->answer, Answer::unstable);
  EXPECT_THAT(to_text(*noisy), HasSubstr("2 distinct outputs in 2 runs"));
}

// 70,000 rows, and an index of 16 bits for them: when A is read, and when C is written.
TEST(PublicReports, RowIndexWrapsAtTwoToThe16) {
  const Lab lab({70000, 4, 32}, 38);
  expect_passes(lab.output(lab.right));
  Matrix<Bf16> reads = lab.right;
  Matrix<Bf16> writes(70000, 4, kPoisonBf16);
  for (int64_t r = 0; r < 70000; ++r) {
    for (int64_t c = 0; c < 4; ++c) {
      reads(r, c) = lab.right(r % 65536, c);
      writes(r % 65536, c) = lab.right(r, c);
    }
  }
  expect_named(lab.output(reads), "index-overflow",
               "the row index wraps at 2^16: rows of A past that are read");
  expect_named(lab.output(writes), "index-overflow", "later outputs overwrite the first ones");
}

// Four bytes in the scale register: the factor shows which one was used.
TEST(PublicReports, ByteSelectOfTheScaleRegister) {
  const Lab lab({16, 64, 512}, 36);
  expect_spoilt_b_named(
      lab,
      [](Mxfp4Matrix& b) {
        const Mxfp4Matrix right = b;
        for (int64_t r = 0; r < 64; ++r) {
          for (int64_t c = 0; c < 16; ++c) b.scale_row(r)[c] = right.scale_row(r)[c ^ 4];
        }
      },
      "scale-of-wrong-block", "the other half of the dword");
  expect_spoilt_b_named(
      lab,
      [](Mxfp4Matrix& b) {
        const Mxfp4Matrix right = b;
        for (int64_t r = 0; r < 64; ++r) {
          for (int64_t c = 0; c < 16; ++c) b.scale_row(r)[c] = right.scale_row(r ^ 16)[c];
        }
      },
      "scale-of-wrong-row", "the dword's byte select");
}

TEST(PublicReports, ScaleSharedByTooManyElements) {
  const Lab lab({16, 64, 512}, 37);
  expect_spoilt_b_named(
      lab,
      [](Mxfp4Matrix& b) {
        const Mxfp4Matrix right = b;
        for (int64_t r = 0; r < 64; ++r) {
          for (int64_t c = 0; c < 16; ++c) b.scale_row(r)[c] = right.scale_row(r)[c / 2];
        }
      },
      "scale-of-wrong-block", "scale index counts blocks of 64");
}

}  // namespace
}  // namespace mxproof::explain
