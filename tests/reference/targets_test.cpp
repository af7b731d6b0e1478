// The same bits on every instruction set, and those of the scalar definitions.
#include "reference/simd/targets.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "common/random/fill.hpp"
#include "reference/block_terms.hpp"
#include "reference/exact_product.hpp"
#include "reference/exact_sum.hpp"
#include "reference/quantize.hpp"
#include "reference/round.hpp"
#include "reference/simd/quantize_blocks.hpp"

namespace mxproof::reference {
namespace {

template <class T>
float widen(T x) {
  if constexpr (std::is_same_v<T, float>) {
    return x;
  } else {
    return x.to_float();
  }
}

/// Blocks over all of the type's bit patterns, NaN, Inf and zero blocks among them.
template <class T>
Matrix<T> any_bits(int64_t rows, int64_t cols, uint64_t seed) {
  Matrix<T> values(rows, cols);
  fill_bytes({reinterpret_cast<uint8_t*>(values.data.data()), values.data.size() * sizeof(T)}, seed,
             TensorId::test);
  // Random patterns spread over all exponents; make most blocks finite and of one size, some zero.
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) {
      const int64_t kind = (r * cols + c) / 32 % 8;
      if (kind == 0) continue;
      if (kind == 1) {
        values(r, c) = T{};
        continue;
      }
      const auto exponent = static_cast<int>(seed % 7) - 3 + static_cast<int>(kind) - 4;
      const double x = std::ldexp(
          static_cast<double>(random_word(seed, TensorId::test, static_cast<uint64_t>(r * cols + c))) -
              0x1p31,
          exponent - 31);
      if constexpr (std::is_same_v<T, float>) {
        values(r, c) = round_to_f32(x);
      } else if constexpr (std::is_same_v<T, Bf16>) {
        values(r, c) = round_to_bf16(x);
      } else {
        values(r, c) = round_to_f16(x);
      }
    }
  }
  return values;
}

template <class T>
void expect_scalar_quantisation(const std::string& target) {
  constexpr uint64_t kSeed = 0x5eed0010;
  const Matrix<T> values = any_bits<T>(16, 1024, kSeed);
  for (QuantPolicy policy : quant_presets()) {
    for (const TieRule tie : all_tie_rules()) {
      policy.tie = tie;
      ASSERT_TRUE(simd::has_fast_path<T>(policy));
      const Mxfp4Matrix fast = quantize(values.view(), policy).value();
      for (int64_t r = 0; r < values.rows; ++r) {
        for (int64_t b = 0; b < values.cols / 32; ++b) {
          float block[32];
          for (int i = 0; i < 32; ++i) block[i] = widen(values(r, b * 32 + i));
          uint8_t codes[16];
          const uint8_t byte = quantize_block(block, policy, codes);
          ASSERT_EQ(fast.scale_row(r)[b], byte)
              << target << " " << policy.name << " row " << r << " block " << b;
          ASSERT_EQ(std::memcmp(fast.code_row(r) + b * 16, codes, 16), 0)
              << target << " " << policy.name << " " << name_of(tie) << " seed " << kSeed << " row " << r
              << " block " << b;
        }
      }
    }
  }
}

class EveryTarget : public testing::TestWithParam<simd::Target> {};

TEST_P(EveryTarget, QuantisesAsTheScalarDefinition) {
  const simd::ScopedTarget scope(GetParam());
  expect_scalar_quantisation<Bf16>(GetParam().name);
  expect_scalar_quantisation<Half>(GetParam().name);
  expect_scalar_quantisation<float>(GetParam().name);
}

/// Random codes; scales around 127 within `spread`, from one row to the next wider.
Mxfp4Matrix random_codes(int64_t rows, int64_t cols, uint64_t seed, TensorId id, int spread) {
  Mxfp4Matrix m(rows, cols);
  fill_bytes(m.codes, seed, id);
  fill_bytes(m.scales, seed + 1, id);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t b = 0; b < cols / 32; ++b) {
      uint8_t& s = m.scale_row(r)[b];
      s = static_cast<uint8_t>(127 + s % (1 + r % (spread + 1)) - r % 5);
    }
  }
  return m;
}

TEST_P(EveryTarget, MultipliesAsTheExactSum) {
  const simd::ScopedTarget scope(GetParam());
  int64_t outputs = 0;
  for (const auto& [rows, cols, k, spread] : std::vector<std::array<int64_t, 4>>{{1, 1, 32, 0},
                                                                                 {3, 7, 64, 3},
                                                                                 {17, 13, 96, 8},
                                                                                 {33, 31, 512, 11},
                                                                                 {70, 19, 1056, 14},
                                                                                 {130, 6, 2048, 20},
                                                                                 {5, 64, 7168, 4}}) {
    const uint64_t seed = 0x5eed0020 + static_cast<uint64_t>(k);
    Mxfp4Matrix a = random_codes(rows, k, seed, TensorId::a, static_cast<int>(spread));
    Mxfp4Matrix b = random_codes(cols, k, seed, TensorId::b, static_cast<int>(spread));
    if (rows > 16) {
      a.scale_row(5)[0] = 255;
      b.scale_row(4)[k / 32 - 1] = 255;
      std::fill_n(a.code_row(6), k / 2, uint8_t{0x80});  // all zeros of either sign
      a.scale_row(7)[1] = 0;                             // far below the others
      a.scale_row(8)[1] = 254;
    }
    for (const unsigned threads : {1u, 3u}) {
      const Product product = exact_product(a, b, threads);
      int64_t double_roundings = 0;
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < cols; ++c) {
          const OutputTerms terms = output_terms(a, r, b, c);
          ++outputs;
          if (terms.nan) {
            ASSERT_TRUE(std::isnan(product.f32(r, c)));
            ASSERT_TRUE(product.bf16(r, c).is_nan());
            continue;
          }
          ExactSum sum;
          for (const BlockTerm& t : terms.blocks) sum.add(t.quarters, t.exponent - 2);
          const float expected = sum.to_f32();
          ASSERT_EQ(std::bit_cast<uint32_t>(product.f32(r, c)), std::bit_cast<uint32_t>(expected))
              << GetParam().name << " seed " << seed << " output " << r << "," << c << " of " << rows << "x"
              << cols << "x" << k;
          ASSERT_EQ(product.bf16(r, c), round_to_bf16(static_cast<double>(expected)));
          double_roundings += product.bf16(r, c) == sum.to_bf16() ? 0 : 1;
        }
      }
      EXPECT_EQ(product.double_roundings, double_roundings);
    }
  }
  EXPECT_GT(outputs, 5000);
}

TEST_P(EveryTarget, LargeSumsDoNotWrap) {
  // Every element 6, every scale 2^11 but the first block's: the widest rows that count as narrow. The sum of
  // 30 blocks at 2^22 is a multiple of 2^32 quarters, so that a wrapped int32 would hold the first block
  // alone.
  const simd::ScopedTarget scope(GetParam());
  Mxfp4Matrix m(3, 31 * 32);
  std::fill(m.codes.begin(), m.codes.end(), uint8_t{0x77});
  std::fill(m.scales.begin(), m.scales.end(), uint8_t{138});
  for (int64_t r = 0; r < m.rows; ++r) m.scale_row(r)[0] = 127;
  const Product product = exact_product(m, m, 1);
  for (const float sum : product.f32.data) {
    EXPECT_EQ(sum, static_cast<float>(30.0 * 1152 * 0x1p22 + 1152)) << GetParam().name;
  }
}

INSTANTIATE_TEST_SUITE_P(Simd, EveryTarget, testing::ValuesIn(simd::supported_targets()),
                         [](const testing::TestParamInfo<simd::Target>& test) { return test.param.name; });

TEST(Targets, ThereIsMoreThanOneOnThisMachine) {
#if defined(__x86_64__)
  EXPECT_GE(simd::supported_targets().size(), 2u);
#endif
  EXPECT_FALSE(simd::supported_targets().empty());
}

}  // namespace
}  // namespace mxproof::reference
