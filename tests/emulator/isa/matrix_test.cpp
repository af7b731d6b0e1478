// Matrix instructions. Operands are laid out here by the formulas of AMD's matrix instruction calculator, and
// sums are taken in long double on inputs inside the exact zone, so that no order of accumulation matters.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "emulator/isa/matrix_model.hpp"
#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

/// 32 random bits a call.
class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  uint32_t operator()() { return static_cast<uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

/// A dense instruction: shape, elements a lane, and how a small integer is encoded.
struct Dense {
  const char* name;
  int m;
  int k;
  int blocks;
  int element_bits;
  uint64_t (*encode)(int);
  enum { to_float, to_integer, to_double } result;
};

void PrintTo(const Dense& dense, std::ostream* out) {
  *out << dense.name;
}

uint64_t as_f32(int x) {
  return bits(static_cast<float>(x));
}
uint64_t as_f16(int x) {
  return std::bit_cast<uint16_t>(static_cast<_Float16>(x));
}
uint64_t as_bf16(int x) {
  return bits(static_cast<float>(x)) >> 16;
}
uint64_t as_i8(int x) {
  return static_cast<uint8_t>(x);
}
uint64_t as_f64(int x) {
  return std::bit_cast<uint64_t>(static_cast<double>(x));
}
/// -8..8 in e4m3 (bias 7) and e5m2 (bias 15): an f16 cut short.
uint64_t as_bf8(int x) {
  return as_f16(x) >> 8;
}
uint64_t as_fp8(int x) {
  if (x == 0) return 0;
  int e = 0;
  const float mantissa = std::frexp(static_cast<float>(std::abs(x)), &e);
  return (x < 0 ? 0x80U : 0U) | static_cast<uint64_t>(e - 1 + 7) << 3 |
         static_cast<uint64_t>(mantissa * 16 - 8);
}

const Dense kDense[] = {
    {"v_mfma_f32_32x32x1_2b_f32", 32, 1, 2, 32, as_f32, Dense::to_float},
    {"v_mfma_f32_16x16x1_4b_f32", 16, 1, 4, 32, as_f32, Dense::to_float},
    {"v_mfma_f32_4x4x1_16b_f32", 4, 1, 16, 32, as_f32, Dense::to_float},
    {"v_mfma_f32_32x32x2_f32", 32, 2, 1, 32, as_f32, Dense::to_float},
    {"v_mfma_f32_16x16x4_f32", 16, 4, 1, 32, as_f32, Dense::to_float},
    {"v_mfma_f32_32x32x8_f16", 32, 8, 1, 16, as_f16, Dense::to_float},
    {"v_mfma_f32_16x16x16_f16", 16, 16, 1, 16, as_f16, Dense::to_float},
    {"v_mfma_f32_16x16x32_f16", 16, 32, 1, 16, as_f16, Dense::to_float},
    {"v_mfma_f32_4x4x4_16b_f16", 4, 4, 16, 16, as_f16, Dense::to_float},
    {"v_mfma_f32_32x32x4_2b_bf16", 32, 4, 2, 16, as_bf16, Dense::to_float},
    {"v_mfma_f32_16x16x16_bf16", 16, 16, 1, 16, as_bf16, Dense::to_float},
    {"v_mfma_f32_16x16x32_bf16", 16, 32, 1, 16, as_bf16, Dense::to_float},
    {"v_mfma_f32_32x32x16_bf16", 32, 16, 1, 16, as_bf16, Dense::to_float},
    {"v_mfma_i32_32x32x16_i8", 32, 16, 1, 8, as_i8, Dense::to_integer},
    {"v_mfma_i32_16x16x32_i8", 16, 32, 1, 8, as_i8, Dense::to_integer},
    {"v_mfma_i32_16x16x64_i8", 16, 64, 1, 8, as_i8, Dense::to_integer},
    {"v_mfma_i32_32x32x32_i8", 32, 32, 1, 8, as_i8, Dense::to_integer},
    {"v_mfma_i32_4x4x4_16b_i8", 4, 4, 16, 8, as_i8, Dense::to_integer},
    {"v_mfma_f32_16x16x32_fp8_fp8", 16, 32, 1, 8, as_fp8, Dense::to_float},
    {"v_mfma_f32_32x32x16_bf8_bf8", 32, 16, 1, 8, as_bf8, Dense::to_float},
    {"v_mfma_f64_16x16x4_f64", 16, 4, 1, 64, as_f64, Dense::to_double},
    {"v_mfma_f64_4x4x4_4b_f64", 4, 4, 4, 64, as_f64, Dense::to_double},
};

class DenseTest : public ::testing::TestWithParam<Dense> {};
INSTANTIATE_TEST_SUITE_P(Shapes, DenseTest, ::testing::ValuesIn(kDense),
                         [](const auto& param) { return std::string(param.param.name); });

std::string range(char file, int first, int count) {
  if (count == 1) return file + std::to_string(first);
  return std::string(1, file) + "[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

TEST_P(DenseTest, EqualsPlainArithmetic) {
  const Dense& t = GetParam();
  Random random(12);
  const int per_lane = t.m * t.k * t.blocks / 64;
  const int words = std::max(1, per_lane * t.element_bits / 32);
  const int width = t.result == Dense::to_double ? 2 : 1;
  const int d_words = t.m * t.m * t.blocks / 64 * width;
  TestWave wave;
  std::vector<int> a(t.blocks * t.m * t.k);
  std::vector<int> b(t.blocks * t.m * t.k);
  std::vector<int> c(t.blocks * t.m * t.m);
  for (auto* values : {&a, &b, &c}) {
    for (int& value : *values) value = static_cast<int>(random() % 17) - 8;
  }
  const auto put = [&](int first, int block, int row, int k, int value) {
    const int lane = row + t.m * (block + t.blocks * (k / per_lane));
    const int at = k % per_lane * t.element_bits;
    const uint64_t code = t.encode(value);
    if (t.element_bits == 64) {
      wave.set_v64(first, lane, code);
    } else {
      wave.v(first + at / 32, lane) |= static_cast<uint32_t>(code << (at % 32));
    }
  };
  const auto place = [&](int block, int i, int j) -> std::pair<int, int> {
    if (width == 2)
      return t.m == 16 ? std::pair{2 * (i / 4), j + 16 * (i % 4)} : std::pair{0, j + 4 * block + 16 * i};
    if (t.m == 32) return {16 * block + 4 * (i / 8) + i % 4, j + 32 * (i / 4 % 2)};
    if (t.m == 16) return {4 * block + i % 4, j + 16 * (i / 4)};
    return {i, j + 4 * block};
  };
  for (int block = 0; block < t.blocks; ++block) {
    for (int row = 0; row < t.m; ++row) {
      for (int k = 0; k < t.k; ++k) {
        put(0, block, row, k, a[(block * t.m + row) * t.k + k]);
        put(16, block, row, k, b[(block * t.m + row) * t.k + k]);
      }
      for (int j = 0; j < t.m; ++j) {
        const auto [reg, lane] = place(block, row, j);
        const int value = c[(block * t.m + row) * t.m + j];
        if (width == 2) {
          wave.set_v64(256 + 32 + reg, lane, as_f64(value));
        } else {
          wave.a(32 + reg, lane) =
              t.result == Dense::to_integer ? static_cast<uint32_t>(value) : bits(static_cast<float>(value));
        }
      }
    }
  }
  wave->set_exec(1);  // matrix instructions do not look at EXEC
  ASSERT_EQ(wave.run(std::string(t.name) + " " + range('a', 0, d_words) + ", " + range('v', 0, words) + ", " +
                     range('v', 16, words) + ", " + range('a', 32, d_words)),
            "");
  for (int block = 0; block < t.blocks; ++block) {
    for (int i = 0; i < t.m; ++i) {
      for (int j = 0; j < t.m; ++j) {
        int expected = c[(block * t.m + i) * t.m + j];
        for (int k = 0; k < t.k; ++k)
          expected += a[(block * t.m + i) * t.k + k] * b[(block * t.m + j) * t.k + k];
        const auto [reg, lane] = place(block, i, j);
        if (width == 2) {
          ASSERT_EQ(std::bit_cast<double>(wave.v64(256 + reg, lane)), expected)
              << block << " " << i << " " << j;
        } else if (t.result == Dense::to_integer) {
          ASSERT_EQ(static_cast<int>(wave.a(reg, lane)), expected) << block << " " << i << " " << j;
        } else {
          ASSERT_EQ(std::bit_cast<float>(wave.a(reg, lane)), static_cast<float>(expected))
              << block << " " << i << " " << j;
        }
      }
    }
  }
}

/// C is vector registers or a constant; the encoding could name a scalar register.
TEST(Matrix, AScalarCIsRefused) {
  const auto code = assemble("v_mfma_f64_4x4x4_4b_f64 v[0:1], v[2:3], v[4:5], 0");
  ASSERT_TRUE(code.ok());
  std::array<uint32_t, 2> words;
  std::memcpy(words.data(), code->data(), sizeof words);
  constexpr uint32_t kSharedBaseCode = 235;
  words[1] = (words[1] & ~(0x1ffU << 18)) | kSharedBaseCode << 18;
  TestWave wave;
  const std::string why = wave.run(".long " + std::to_string(words[0]) + ", " + std::to_string(words[1]));
  EXPECT_NE(why.find("this form of the instruction is not modelled"), std::string::npos) << why;
}

// ---- The scaled instructions ----

constexpr float kFp4[8] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
float fp4(uint32_t code) {
  return (code & 8) != 0 ? -kFp4[code & 7] : kFp4[code & 7];
}
/// Value of an OCP element: sign, `e` exponent bits with `bias`, `f` fraction bits.
float small(uint32_t code, int e, int f, int bias) {
  const int exponent = static_cast<int>(code >> f & ((1U << e) - 1));
  const float fraction = static_cast<float>(code & ((1U << f) - 1)) / static_cast<float>(1 << f);
  const float value =
      exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  return (code >> (e + f) & 1) != 0 ? -value : value;
}
struct Format {
  const char* name;
  int bits;
  int registers;
  float (*value)(uint32_t);
};
const Format kFormats[] = {{"fp8", 8, 8, [](uint32_t c) { return small(c, 4, 3, 7); }},
                           {"bf8", 8, 8, [](uint32_t c) { return small(c, 5, 2, 15); }},
                           {"fp6", 6, 6, [](uint32_t c) { return small(c, 2, 3, 1); }},
                           {"bf6", 6, 6, [](uint32_t c) { return small(c, 3, 2, 3); }},
                           {"fp4", 4, 4, fp4}};

struct Scaled {
  int m;
  int format_a;
  int format_b;
};
class ScaledTest : public ::testing::TestWithParam<Scaled> {};
std::vector<Scaled> all_scaled() {
  std::vector<Scaled> all;
  for (const int m : {16, 32}) {
    for (int a = 0; a < 5; ++a) {
      for (int b = 0; b < 5; ++b) all.push_back({m, a, b});
    }
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Formats, ScaledTest, ::testing::ValuesIn(all_scaled()), [](const auto& param) {
  return std::to_string(param.param.m) + "_" + kFormats[param.param.format_a].name + "_" +
         kFormats[param.param.format_b].name;
});

/// Element e of a lane, from registers first...
uint32_t element(TestWave& wave, int first, int lane, int e, int width) {
  uint32_t code = 0;
  for (int bit = 0; bit < width; ++bit) {
    const int at = e * width + bit;
    code |= (wave.v(first + at / 32, lane) >> (at % 32) & 1) << bit;
  }
  return code;
}

/// A[row][k]: 8-bit elements come in chunks of 16 that alternate between the lane groups.
float value_at(TestWave& wave, int first, const Format& format, int m, int row, int k) {
  const int half = 64 / m * 16;  // half of all K
  const bool wide = format.bits == 8;
  const int group = wide ? k % half / 16 : k / 32;
  const int e = wide ? k / half * 16 + k % 16 : k % 32;
  return format.value(element(wave, first, row + m * group, e, format.bits));
}

std::string scaled_text(const Scaled& t, const std::string& scales) {
  const int d = t.m * t.m / 64;
  const Format& a = kFormats[t.format_a];
  const Format& b = kFormats[t.format_b];
  const std::string shape = t.m == 16 ? "16x16x128" : "32x32x64";
  return "v_mfma_scale_f32_" + shape + "_f8f6f4 " + range('v', 40, d) + ", " + range('v', 0, a.registers) +
         ", " + range('v', 8, b.registers) + ", " + range('v', 20, d) + ", " + scales +
         " cbsz:" + std::to_string(t.format_a) + " blgp:" + std::to_string(t.format_b);
}

TEST_P(ScaledTest, EqualsPlainArithmetic) {
  const Scaled t = GetParam();
  Random random(3);
  TestWave wave;
  const Format& fa = kFormats[t.format_a];
  const Format& fb = kFormats[t.format_b];
  for (int lane = 0; lane < 64; ++lane) {
    for (int reg = 0; reg < 16; ++reg) {
      // Keep 8-bit formats to small exponents: no NaN, and every sum exact in f32.
      const int format = reg < 8 ? t.format_a : t.format_b;
      const uint32_t any = random();
      const uint32_t tame = format == 0   ? (any & 0x87878787U) | 0x38383838U
                            : format == 1 ? (any & 0x83838383U) | 0x3c3c3c3cU
                                          : any;
      wave.v(reg, lane) = tame;
    }
    for (int reg = 20; reg < 36; ++reg)
      wave.v(reg, lane) = bits(static_cast<float>(static_cast<int>(random() % 64)) - 32);
    wave.v(36, lane) = (127U + random() % 3) << 8 | 0xff0000ffU;
    wave.v(37, lane) = (126U + random() % 3) << 24 | 0x00ffffffU;
  }
  ASSERT_EQ(wave.run(scaled_text(t, "v36, v37 op_sel:[1,1,0] op_sel_hi:[0,1,0]")), "");
  for (int i = 0; i < t.m; ++i) {
    for (int j = 0; j < t.m; ++j) {
      const int reg = t.m == 16 ? i % 4 : 4 * (i / 8) + i % 4;
      const int lane = j + (t.m == 16 ? 16 * (i / 4) : 32 * (i / 4 % 2));
      long double expected = std::bit_cast<float>(wave.v(20 + reg, lane));
      for (int block = 0; block < 64 / t.m; ++block) {
        long double dot = 0;
        for (int k = 32 * block; k < 32 * block + 32; ++k) {
          dot +=
              static_cast<long double>(value_at(wave, 0, fa, t.m, i, k)) * value_at(wave, 8, fb, t.m, j, k);
        }
        const int exponent = static_cast<int>((wave.v(36, i + t.m * block) >> 8 & 0xff) +
                                              (wave.v(37, j + t.m * block) >> 24)) -
                             254;
        expected += std::ldexp(dot, exponent);
      }
      ASSERT_EQ(static_cast<long double>(std::bit_cast<float>(wave.v(40 + reg, lane))), expected)
          << i << " " << j;
    }
  }
}

/// One element of A and of B in block `block` of row 0, column 0: the only non-zero product.
void put_product(TestWave& wave, int block, uint32_t code_a, uint32_t code_b, uint32_t scale_a,
                 uint32_t scale_b) {
  wave.v(0, 16 * block) = code_a;
  wave.v(8, 16 * block) = code_b;
  wave.v(36, 16 * block) = scale_a;
  wave.v(37, 16 * block) = scale_b;
}
void clear(TestWave& wave) {
  for (int lane = 0; lane < 64; ++lane) {
    for (int reg = 0; reg < 16; ++reg) wave.v(reg, lane) = 0;
    wave.v(36, lane) = wave.v(37, lane) = 127;
    for (int reg = 20; reg < 24; ++reg) wave.v(reg, lane) = 0;
  }
}
const Scaled kFp4Tile = {16, 4, 4};
const std::string kScales = "v36, v37 op_sel:[0,0,0] op_sel_hi:[0,0,0]";

TEST(ScaledModels, TellTheOrderOfRoundingApart) {
  // C = 1 and four blocks of 2^-24 each: kept one by one they all vanish; together they count.
  const struct {
    MfmaAccumulation model;
    float expected;
  } cases[] = {{MfmaAccumulation::sequential, 1.0F},
               {MfmaAccumulation::fused, 1.0F + 0x1p-22F},
               {MfmaAccumulation::truncating, 1.0F + 0x1p-22F},
               {MfmaAccumulation::tree, 1.0F + 0x1p-22F}};
  for (const auto& c : cases) {
    TestWave wave;
    clear(wave);
    for (int block = 0; block < 4; ++block) put_product(wave, block, 2, 2, 127 - 24, 127);
    wave.v(20, 0) = bits(1.0F);
    wave->settings.mfma_accumulation = c.model;
    ASSERT_EQ(wave.run(scaled_text(kFp4Tile, kScales)), "");
    EXPECT_EQ(std::bit_cast<float>(wave.v(40, 0)), c.expected) << static_cast<int>(c.model);
  }
}

TEST(ScaledModels, CancellationAcrossBlocks) {
  // T = 2^40, -2^40, 1, 0 with C = 0: exact whenever the large ones meet before the small one.
  for (const auto model : {MfmaAccumulation::sequential, MfmaAccumulation::fused, MfmaAccumulation::tree}) {
    TestWave wave;
    clear(wave);
    put_product(wave, 0, 2, 2, 127 + 40, 127);
    put_product(wave, 1, 10, 2, 127 + 40, 127);
    put_product(wave, 2, 2, 2, 127, 127);
    wave->settings.mfma_accumulation = model;
    ASSERT_EQ(wave.run(scaled_text(kFp4Tile, kScales)), "");
    EXPECT_EQ(std::bit_cast<float>(wave.v(40, 0)), 1.0F);
  }
  TestWave wave;
  clear(wave);
  put_product(wave, 0, 2, 2, 127 + 40, 127);
  put_product(wave, 1, 2, 2, 127, 127);
  put_product(wave, 2, 10, 2, 127 + 40, 127);
  ASSERT_EQ(wave.run(scaled_text(kFp4Tile, kScales)), "");
  EXPECT_EQ(std::bit_cast<float>(wave.v(40, 0)), 0.0F);
}

TEST(Scaled, SubnormalResultsAreRoundedOnce) {
  // 6 * 6 * 2^-254 is far below the smallest subnormal; 1.5 * 2^-149 lies midway between two of them.
  TestWave wave;
  clear(wave);
  put_product(wave, 0, 7, 7, 0, 0);
  put_product(wave, 1, 3, 2, 127 - 75, 127 - 74);
  ASSERT_EQ(wave.run(scaled_text(kFp4Tile, kScales)), "");
  EXPECT_EQ(wave.v(40, 0), 2U);  // 1.5 rounds to the even 2
}

TEST(Scaled, ByteOf255GivesNanEvenToZeros) {
  TestWave wave;
  clear(wave);
  wave.v(36, 3 + 16 * 2) = 255;
  ASSERT_EQ(wave.run(scaled_text(kFp4Tile, kScales)), "");
  for (int j = 0; j < 16; ++j) {
    EXPECT_EQ(wave.v(43, j), 0x7fc00000U) << j;
    EXPECT_EQ(wave.v(42, j), 0U) << j;
  }
}

TEST(Scaled, OverflowBecomesInfinity) {
  TestWave wave;
  clear(wave);
  put_product(wave, 0, 7, 7, 254, 254);
  ASSERT_EQ(wave.run(scaled_text(kFp4Tile, kScales)), "");
  EXPECT_EQ(wave.v(40, 0), 0x7f800000U);
}

/// Random tiles with wild scales: the fast path equals the exact model, term by term.
TEST(Scaled, FastPathEqualsTheSequentialModel) {
  Random random(2024);
  int compared = 0;
  for (int round = 0; round < 40; ++round) {
    TestWave wave;
    const uint32_t spread = round % 4 == 0 ? 255 : round % 4 == 1 ? 60 : 8;
    for (int lane = 0; lane < 64; ++lane) {
      for (int reg = 0; reg < 16; ++reg) wave.v(reg, lane) = random();
      for (int reg = 20; reg < 24; ++reg)
        wave.v(reg, lane) = round % 3 == 0 ? random() : bits(static_cast<float>(random() % 1000));
      wave.v(36, lane) = std::min<uint32_t>(254, 127 - spread / 2 + random() % spread);
      wave.v(37, lane) = std::min<uint32_t>(254, 127 - spread / 2 + random() % spread);
    }
    ASSERT_EQ(wave.run(scaled_text(kFp4Tile, kScales)), "");
    for (int i = 0; i < 16; ++i) {
      for (int j = 0; j < 16; ++j) {
        std::array<BlockSum, 4> sums;
        for (int block = 0; block < 4; ++block) {
          float dot = 0;
          for (int e = 0; e < 32; ++e)
            dot += fp4(element(wave, 0, i + 16 * block, e, 4)) * fp4(element(wave, 8, j + 16 * block, e, 4));
          sums[block].significand = static_cast<int>(dot * 4);
          sums[block].exponent =
              static_cast<int>(wave.v(36, i + 16 * block) + wave.v(37, j + 16 * block)) - 254 - 2;
        }
        const int lane = j + 16 * (i / 4);
        const float c = std::bit_cast<float>(wave.v(20 + i % 4, lane));
        ASSERT_EQ(wave.v(40 + i % 4, lane), bits(accumulate_blocks(MfmaAccumulation::sequential, c, sums)))
            << round << " " << i << " " << j;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 40 * 256);
}

}  // namespace
}  // namespace mxproof::emulator
