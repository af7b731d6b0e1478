#include "reference/gemm.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "common/compare/judge.hpp"
#include "common/random/fill.hpp"
#include "reference/dequantize.hpp"
#include "reference/quantize.hpp"
#include "reference/round.hpp"

namespace mxproof::reference {
namespace {

/// All codes `code`, all scale bytes `byte`.
Mxfp4Matrix constant(int64_t rows, int64_t cols, uint8_t code, uint8_t byte) {
  Mxfp4Matrix m(rows, cols);
  std::fill(m.codes.begin(), m.codes.end(), static_cast<uint8_t>(code | code << 4));
  std::fill(m.scales.begin(), m.scales.end(), byte);
  return m;
}

Mxfp4Matrix random_quantized(int64_t rows, int64_t cols, uint64_t seed, TensorId id) {
  return quantize(normal_matrix(rows, cols, seed, id).view()).value();
}

using RowMajorF64 = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The second oracle: Eigen's double GEMM on dequantised values.
RowMajorF64 eigen_product(const Mxfp4Matrix& a, const Mxfp4Matrix& b) {
  const Matrix<double> da = dequantize_f64(a);
  const Matrix<double> db = dequantize_f64(b);
  const Eigen::Map<const RowMajorF64> ea(da.data.data(), da.rows, da.cols);
  const Eigen::Map<const RowMajorF64> eb(db.data.data(), db.rows, db.cols);
  return ea * eb.transpose();
}

TEST(Gemm, AllOnesGiveK) {
  for (const int64_t k : {32, 64, 96, 128, 384, 1664, 1856, 7168, 8224}) {
    const GemmReference c = gemm(constant(3, k, 2, 127), constant(5, k, 2, 127)).value();
    for (int64_t r = 0; r < 3; ++r) {
      for (int64_t n = 0; n < 5; ++n) EXPECT_EQ(c.f32()(r, n), static_cast<float>(k));
    }
    // 8224 lies between two bf16.
    EXPECT_EQ(c.values()(0, 0).to_float(), k == 8224 ? 8192.0f : static_cast<float>(k)) << k;
  }
}

TEST(Gemm, EigenAgreesBitForBit) {
  for (const uint64_t seed : {11, 12, 13}) {
    const Mxfp4Matrix a = random_quantized(17, 1024, seed, TensorId::a);
    const Mxfp4Matrix b = random_quantized(48, 1024, seed, TensorId::b);
    const GemmReference c = gemm(a, b).value();
    const RowMajorF64 oracle = eigen_product(a, b);
    EXPECT_EQ(c.exact_zone_share(), 1.0) << "seed " << seed;
    for (int64_t r = 0; r < a.rows; ++r) {
      for (int64_t n = 0; n < b.rows; ++n) {
        ASSERT_EQ(c.f32()(r, n), static_cast<float>(oracle(r, n)))
            << "seed " << seed << " at " << r << "," << n;
        ASSERT_EQ(c.values()(r, n), round_to_bf16(oracle(r, n)))
            << "seed " << seed << " at " << r << "," << n;
      }
    }
  }
}

TEST(Gemm, EveryPairOfScales) {
  // One block, one pair of codes: 6 * 6 * 2^(sA + sB - 254), for all 256 * 256 pairs of bytes.
  Mxfp4Matrix a(256, 32);
  Mxfp4Matrix b(256, 32);
  for (int64_t byte = 0; byte < 256; ++byte) {
    a.code_row(byte)[5] = 0x70;
    b.code_row(byte)[5] = 0xf0;
    a.scale_row(byte)[0] = b.scale_row(byte)[0] = static_cast<uint8_t>(byte);
  }
  const GemmReference c = gemm(a, b).value();
  for (int64_t i = 0; i < 256; ++i) {
    for (int64_t j = 0; j < 256; ++j) {
      const float got = c.f32()(i, j);
      if (i == 255 || j == 255) {
        ASSERT_TRUE(std::isnan(got));
        ASSERT_TRUE(c.values()(i, j).is_nan());
        continue;
      }
      const double exact = std::ldexp(-36.0, static_cast<int>(i + j - 254));
      ASSERT_EQ(got, static_cast<float>(exact)) << i << " " << j;
      ASSERT_EQ(std::signbit(got), true);
      ASSERT_EQ(c.values()(i, j), round_to_bf16(static_cast<double>(static_cast<float>(exact))));
    }
  }
  EXPECT_EQ(c.facts(0, 0).value_class, ValueClass::subnormal);
  EXPECT_EQ(c.facts(254, 254).value_class, ValueClass::overflow);
  EXPECT_EQ(c.facts(127, 127).value_class, ValueClass::normal);
  EXPECT_EQ(c.facts(255, 3).value_class, ValueClass::nan);
}

TEST(Gemm, RandomCodesAtRandomScalesOverTheWholeRange) {
  constexpr uint64_t kSeed = 0x5eed0006;
  Mxfp4Matrix a(24, 512);
  Mxfp4Matrix b(40, 512);
  fill_bytes(a.codes, kSeed, TensorId::a);
  fill_bytes(b.codes, kSeed, TensorId::b);
  fill_bytes(a.scales, kSeed + 1, TensorId::a);
  fill_bytes(b.scales, kSeed + 1, TensorId::b);
  for (uint8_t& s : a.scales) s = s == 255 ? 254 : s;
  for (uint8_t& s : b.scales) s = s == 255 ? 254 : s;
  const GemmReference c = gemm(a, b).value();
  // long double has 64 bits: enough for one output's terms only by luck, so the oracle adds from the smallest
  // term up in a second exact way: pairs of integers by exponent, carried upward.
  const Matrix<double> da = dequantize_f64(a);
  const Matrix<double> db = dequantize_f64(b);
  for (int64_t r = 0; r < a.rows; ++r) {
    for (int64_t n = 0; n < b.rows; ++n) {
      std::vector<int64_t> digit(600, 0);  // digit[i] * 2^(i - 270)
      for (int64_t k = 0; k < 512; ++k) {
        const double product = da(r, k) * db(n, k);
        if (product == 0) continue;
        int exponent = 0;
        const double fraction = std::frexp(product, &exponent);
        digit[static_cast<size_t>(exponent - 10 + 270)] += static_cast<int64_t>(std::ldexp(fraction, 10));
      }
      for (size_t i = 0; i + 1 < digit.size(); ++i) {
        const int64_t carry = digit[i] >> 1;
        digit[i] -= 2 * carry;
        digit[i + 1] += carry;
      }
      // Now all digits but the last are 0 or 1: a two's complement number whose top is the sign.
      double value = 0;
      bool exact = true;
      const bool negative = digit.back() < 0;
      if (negative) {
        int64_t carry = 1;
        for (size_t i = 0; i + 1 < digit.size(); ++i) {
          digit[i] = 1 - digit[i] + carry;
          carry = digit[i] >> 1;
          digit[i] &= 1;
        }
      }
      int kept = 0;
      for (int i = static_cast<int>(digit.size()) - 2; i >= 0; --i) {
        if (digit[static_cast<size_t>(i)] == 0 && kept == 0) continue;
        if (kept < 50) {
          value += std::ldexp(static_cast<double>(digit[static_cast<size_t>(i)]), i - 270);
          ++kept;
        } else if (digit[static_cast<size_t>(i)] != 0) {
          exact = false;
        }
      }
      if (!exact) value *= 1 + 0x1p-51;  // anything between the cut and the next digit rounds alike
      if (negative) value = -value;
      ASSERT_EQ(c.f32()(r, n), static_cast<float>(value)) << "seed " << kSeed << " at " << r << "," << n;
    }
  }
}

TEST(Gemm, OneNanByteTakesItsWholeRowOnly) {
  Mxfp4Matrix a = random_quantized(4, 128, 21, TensorId::a);
  const Mxfp4Matrix b = random_quantized(6, 128, 21, TensorId::b);
  a.scale_row(2)[3] = 255;
  std::fill_n(a.code_row(2) + 48, 16, uint8_t{0});  // even against an all-zero block
  const GemmReference c = gemm(a, b).value();
  for (int64_t r = 0; r < 4; ++r) {
    for (int64_t n = 0; n < 6; ++n) EXPECT_EQ(std::isnan(c.f32()(r, n)), r == 2);
  }
}

TEST(Gemm, ExactZeroIsPositive) {
  Mxfp4Matrix a = constant(1, 64, 2, 127);
  const Mxfp4Matrix b = constant(1, 64, 2, 127);
  std::fill_n(a.code_row(0) + 16, 16, uint8_t{0xaa});  // -1 in the second block
  const GemmReference c = gemm(a, b).value();
  EXPECT_EQ(c.values()(0, 0).bits, 0x0000);
  EXPECT_EQ(c.facts(0, 0).value_class, ValueClass::zero);
}

TEST(Gemm, SaysWhereRoundingTwiceDiffers) {
  // 2^-8 + 2^-40 above one: on bf16's tie as f32, above it exactly.
  Mxfp4Matrix a(1, 96);
  Mxfp4Matrix b(1, 96);
  const int exponents[3] = {0, -8, -40};
  for (int i = 0; i < 3; ++i) {
    a.code_row(0)[i * 16] = b.code_row(0)[i * 16] = 2;
    a.scale_row(0)[i] = static_cast<uint8_t>(127 + exponents[i]);
    b.scale_row(0)[i] = 127;
  }
  const GemmReference c = gemm(a, b).value();
  EXPECT_EQ(c.values()(0, 0).bits, 0x3f80);
  EXPECT_EQ(c.facts(0, 0).bf16_single.bits, 0x3f81);
  EXPECT_EQ(c.double_roundings(), 1);
  EXPECT_FALSE(c.in_exact_zone(0, 0));
}

TEST(Gemm, RefusesShapesThatDoNotFit) {
  EXPECT_EQ(gemm(Mxfp4Matrix(1, 32), Mxfp4Matrix(1, 64)).status().code(), StatusCode::bad_input);
  EXPECT_EQ(gemm(Mxfp4Matrix(0, 32), Mxfp4Matrix(1, 32)).status().code(), StatusCode::bad_input);
  EXPECT_EQ(gemm(Mxfp4Matrix(1, 0), Mxfp4Matrix(1, 0)).status().code(), StatusCode::bad_input);
  EXPECT_EQ(gemm(Mxfp4Matrix(1, 32), Mxfp4Matrix(1, 32), {.split_k = 0}).status().code(),
            StatusCode::bad_input);
}

}  // namespace
}  // namespace mxproof::reference
