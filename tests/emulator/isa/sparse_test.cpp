// v_smfmac_*, against a dense product of small integers laid out here by the ISA's rule for the indices.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

struct Sparse {
  const char* name;
  int m;
  int k;
  int bits;
  uint32_t (*encode)(int);
  bool integer;
};
void PrintTo(const Sparse& sparse, std::ostream* out) {
  *out << sparse.name;
}

uint32_t as_f16(int x) {
  return std::bit_cast<uint16_t>(static_cast<_Float16>(x));
}
uint32_t as_bf16(int x) {
  return std::bit_cast<uint32_t>(static_cast<float>(x)) >> 16;
}
uint32_t as_i8(int x) {
  return static_cast<uint8_t>(x);
}
/// -4..4 in e5m2: an f16 cut short. In e4m3: the same with another bias.
uint32_t as_bf8(int x) {
  return as_f16(x) >> 8;
}
uint32_t as_fp8(int x) {
  constexpr uint32_t kCodes[] = {0, 0x38, 0x40, 0x44, 0x48};
  return kCodes[std::abs(x)] | (x < 0 ? 0x80U : 0U);
}

const Sparse kSparse[] = {
    {"v_smfmac_f32_16x16x32_f16", 16, 32, 16, as_f16, false},
    {"v_smfmac_f32_32x32x16_f16", 32, 16, 16, as_f16, false},
    {"v_smfmac_f32_16x16x64_f16", 16, 64, 16, as_f16, false},
    {"v_smfmac_f32_32x32x32_f16", 32, 32, 16, as_f16, false},
    {"v_smfmac_f32_16x16x32_bf16", 16, 32, 16, as_bf16, false},
    {"v_smfmac_f32_32x32x16_bf16", 32, 16, 16, as_bf16, false},
    {"v_smfmac_f32_16x16x64_bf16", 16, 64, 16, as_bf16, false},
    {"v_smfmac_f32_32x32x32_bf16", 32, 32, 16, as_bf16, false},
    {"v_smfmac_i32_16x16x64_i8", 16, 64, 8, as_i8, true},
    {"v_smfmac_i32_32x32x32_i8", 32, 32, 8, as_i8, true},
    {"v_smfmac_i32_16x16x128_i8", 16, 128, 8, as_i8, true},
    {"v_smfmac_i32_32x32x64_i8", 32, 64, 8, as_i8, true},
    {"v_smfmac_f32_16x16x64_bf8_bf8", 16, 64, 8, as_bf8, false},
    {"v_smfmac_f32_32x32x64_bf8_bf8", 32, 64, 8, as_bf8, false},
    {"v_smfmac_f32_16x16x128_fp8_fp8", 16, 128, 8, as_fp8, false},
    {"v_smfmac_f32_32x32x32_fp8_fp8", 32, 32, 8, as_fp8, false},
};
class SparseTest : public ::testing::TestWithParam<Sparse> {};
INSTANTIATE_TEST_SUITE_P(Shapes, SparseTest, ::testing::ValuesIn(kSparse),
                         [](const auto& param) { return std::string(param.param.name); });

std::string range(char file, int first, int count) {
  return std::string(1, file) + "[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

TEST_P(SparseTest, EqualsADenseProductWithTwoOfFourLeftOut) {
  const Sparse t = GetParam();
  const int elements = t.m * t.k / 64;
  const int b_words = elements * t.bits / 32;
  const int sets = 32 / elements;
  std::mt19937 random(11);
  for (int round = 0; round < 4 * sets; ++round) {
    // Set `abid` counts while cbsz is 0, else the first.
    const int abid = round % sets;
    const int cbsz = round / sets % 2;
    const int chosen = cbsz == 0 ? abid : 0;
    TestWave wave;
    std::vector<int> a(static_cast<size_t>(t.m * t.k));  // dense, [row][k]
    std::vector<int> b(a.size());
    std::vector<int> c(static_cast<size_t>(t.m * t.m));
    const auto put = [&](int reg, int lane, int element, int value) {
      wave.v(reg + element * t.bits / 32, lane) |= t.encode(value) << (element * t.bits % 32);
    };
    for (int lane = 0; lane < 64; ++lane) {
      const int row = lane % t.m;
      const int first = lane / t.m * elements;
      for (int group = 0; group < elements / 4; ++group) {
        const int low = static_cast<int>(random() % 3);
        const int high = low + 1 + static_cast<int>(random() % static_cast<uint32_t>(3 - low));
        for (const int kept : {0, 1}) {
          const int index = kept == 0 ? low : high;
          const int value = static_cast<int>(random() % 9) - 4;
          const int e = 2 * group + kept;
          put(0, lane, e, value);
          a[static_cast<size_t>(row * t.k + first + 4 * group + index)] = value;
          wave.v(40, lane) |= static_cast<uint32_t>(index) << (2 * e + chosen * elements);
        }
      }
      // Other sets hold anything.
      for (int set = 0; set < sets; ++set) {
        const uint32_t mask = elements == 32 ? ~0U : ((1U << elements) - 1U) << (set * elements);
        if (set != chosen) wave.v(40, lane) |= static_cast<uint32_t>(random()) & mask;
      }
      for (int e = 0; e < elements; ++e) {
        const int value = static_cast<int>(random() % 9) - 4;
        put(16, lane, e, value);
        b[static_cast<size_t>(row * t.k + first + e)] = value;
      }
    }
    const auto place = [&](int i, int j) {
      return t.m == 32 ? std::pair(4 * (i / 8) + i % 4, j + 32 * (i / 4 % 2))
                       : std::pair(i % 4, j + 16 * (i / 4));
    };
    for (int i = 0; i < t.m; ++i) {
      for (int j = 0; j < t.m; ++j) {
        const int value = static_cast<int>(random() % 100) - 50;
        c[static_cast<size_t>(i * t.m + j)] = value;
        const auto [reg, lane] = place(i, j);
        wave.v(48 + reg, lane) =
            t.integer ? static_cast<uint32_t>(value) : std::bit_cast<uint32_t>(static_cast<float>(value));
      }
    }
    wave->set_exec(1);  // matrix instructions do not look at EXEC
    ASSERT_EQ(wave.run(std::string(t.name) + " " + range('v', 48, t.m * t.m / 64) + ", " +
                       range('v', 0, b_words / 2) + ", " + range('v', 16, b_words) +
                       ", v40 cbsz:" + std::to_string(cbsz) + " abid:" + std::to_string(abid)),
              "");
    for (int i = 0; i < t.m; ++i) {
      for (int j = 0; j < t.m; ++j) {
        int expected = c[static_cast<size_t>(i * t.m + j)];
        for (int k = 0; k < t.k; ++k)
          expected += a[static_cast<size_t>(i * t.k + k)] * b[static_cast<size_t>(j * t.k + k)];
        const auto [reg, lane] = place(i, j);
        const uint32_t bits = wave.v(48 + reg, lane);
        const int got = t.integer ? static_cast<int>(bits) : static_cast<int>(std::bit_cast<float>(bits));
        ASSERT_EQ(got, expected) << i << " " << j << " round " << round;
      }
    }
  }
}

/// What A leaves out takes no part, whatever B holds there.
TEST(Sparse, AnInfinityThatIsLeftOutMakesNoNan) {
  TestWave wave;
  for (int lane = 0; lane < 64; ++lane) {
    wave.v(0, lane) = wave.v(1, lane) = 0x3c003c00;  // 1.0
    wave.v(40, lane) = 0x44;                         // elements 0 and 1 of every four
    for (int reg = 16; reg < 20; ++reg) wave.v(reg, lane) = reg % 2 == 0 ? 0x3c003c00 : 0x7c007c00;
  }
  ASSERT_EQ(wave.run("v_smfmac_f32_16x16x32_f16 v[48:51], v[0:1], v[16:19], v40"), "");
  EXPECT_EQ(std::bit_cast<float>(wave.v(48, 0)), 16.0F);
}

}  // namespace
}  // namespace mxproof::emulator
