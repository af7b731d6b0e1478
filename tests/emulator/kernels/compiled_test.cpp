// Each kernel of kernels.hip at -O0, -O1 and -O3 against plain code here. Results are compared bit for bit
// but for the softmax, whose bound is derived where it is used.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <span>

#include "tests/emulator/kernels/module.hpp"

namespace mxproof::emulator {
namespace {

class Compiled : public ::testing::TestWithParam<int> {
 protected:
  Compiled() {
    const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
    RecordProperty("seed", std::to_string(seed_));
    trace_.emplace(__FILE__, __LINE__, std::string(info->name()) + " seed " + std::to_string(seed_));
  }
  uint32_t random() { return static_cast<uint32_t>(engine_()); }
  /// -4..4, so that products and sums are exact.
  int small() { return static_cast<int>(random() % 9) - 4; }

  Module module_{MXPROOF_KERNELS "/kernels_o" + std::to_string(GetParam()) + ".co"};

 private:
  uint64_t seed_ = std::random_device()();
  std::mt19937_64 engine_{seed_};
  std::optional<testing::ScopedTrace> trace_;
};
INSTANTIATE_TEST_SUITE_P(Levels, Compiled, ::testing::Values(0, 1, 3),
                         [](const auto& param) { return "O" + std::to_string(param.param); });

TEST_P(Compiled, ReduceSum) {
  constexpr int kCount = 1000;
  std::vector<float> in(kCount);
  for (float& x : in) x = static_cast<float>(small());
  const Buffer<float> from(in);
  const Buffer<float> to(4);
  module_.run("reduce_sum", dim3(4), 256, 0, from.get(), to.get(), kCount);
  const std::vector<float> sums = to.read();
  for (int group = 0; group < 4; ++group) {
    const auto begin = in.begin() + 256 * group;
    EXPECT_EQ(sums[group], std::accumulate(begin, std::min(begin + 256, in.end()), 0.0F)) << group;
  }
}

TEST_P(Compiled, Transpose) {
  constexpr int kRows = 70;
  constexpr int kColumns = 45;
  std::vector<float> in(kRows * kColumns);
  for (float& x : in) x = static_cast<float>(random() % 100000);
  const Buffer<float> from(in);
  const Buffer<float> to(in.size());
  module_.run("transpose", dim3(2, 3), 256, 0, from.get(), to.get(), kRows, kColumns);
  const std::vector<float> out = to.read();
  for (int r = 0; r < kRows; ++r)
    for (int c = 0; c < kColumns; ++c) ASSERT_EQ(out[c * kRows + r], in[r * kColumns + c]) << r << " " << c;
}

TEST_P(Compiled, Softmax) {
  constexpr int kRows = 3;
  constexpr int kColumns = 200;
  std::vector<float> in(kRows * kColumns);
  for (float& x : in) x = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 100.0F;
  const Buffer<float> from(in);
  const Buffer<float> to(in.size());
  module_.run("softmax", dim3(kRows), 64, 0, from.get(), to.get(), kColumns);
  const std::vector<float> out = to.read();
  for (int r = 0; r < kRows; ++r) {
    const auto row = std::span(in).subspan(static_cast<size_t>(r) * kColumns, kColumns);
    const double largest = *std::ranges::max_element(row);
    double sum = 0;
    for (const float x : row) sum += std::exp(x - largest);
    for (int c = 0; c < kColumns; ++c) {
      const double expected = std::exp(row[c] - largest) / sum;
      // With u = 2^-24: the difference is exact or rounded once (u), the product with log2 e rounded and its
      // factor too (2 u): 3 u relative on an exponent of at most 20 * log2 e = 28.9, which is 3 * 28.9 * ln 2
      // u on the power; v_exp within an ulp (2 u), twice over as the sum's terms err alike; at most ceil(200
      // / 64) + 6 roundings of the sum; the division 2.5 ulp at most (5 u).
      constexpr double kUnit = 0x1p-24;
      constexpr double kBound = (2 * (3 * 28.9 * 0.6931472 + 2) + 10 + 5) * kUnit * 1.001;
      ASSERT_LE(std::fabs(out[static_cast<size_t>(r * kColumns + c)] - expected), kBound * expected)
          << r << " " << c;
    }
  }
}

TEST_P(Compiled, Histogram) {
  constexpr int kCount = 900;
  std::vector<uint8_t> in(kCount);
  std::vector<uint32_t> expected(64);
  for (uint8_t& x : in) {
    x = static_cast<uint8_t>(random());
    ++expected[x % 64];
  }
  const Buffer<uint8_t> from(in);
  const Buffer<uint32_t> bins(std::vector<uint32_t>(64));
  const Buffer<uint32_t> seen(std::vector<uint32_t>(1));
  const Buffer<int> last(std::vector<int>(1, -1));
  module_.run("histogram", dim3(4), 256, 0, from.get(), bins.get(), seen.get(), last.get(), kCount);
  EXPECT_EQ(bins.read(), expected);
  EXPECT_EQ(seen.read()[0], static_cast<uint32_t>(kCount));
  EXPECT_EQ(last.read()[0], kCount - 1);
}

TEST_P(Compiled, Scan) {
  std::vector<uint32_t> in(3 * 256);
  for (uint32_t& x : in) x = random();
  const Buffer<uint32_t> from(in);
  const Buffer<uint32_t> to(in.size());
  module_.run("scan", dim3(3), 256, 0, from.get(), to.get());
  std::vector<uint32_t> expected = in;
  for (auto at = expected.begin(); at != expected.end(); at += 256) std::partial_sum(at, at + 256, at);
  EXPECT_EQ(to.read(), expected);
}

/// C = A * B^T of small integers, exactly.
std::vector<float> product(const std::vector<int>& a, const std::vector<int>& b, int m, int n, int k) {
  std::vector<float> c;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      int sum = 0;
      for (int at = 0; at < k; ++at) sum += a[i * k + at] * b[j * k + at];
      c.push_back(static_cast<float>(sum));
    }
  }
  return c;
}
uint16_t as_bf16(int x) {
  return static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(x)) >> 16);
}
uint16_t as_f16(int x) {
  return std::bit_cast<uint16_t>(static_cast<_Float16>(x));
}
uint8_t as_e4m3(int x) {
  constexpr uint8_t kCodes[] = {0x00, 0x38, 0x40, 0x44, 0x48};
  return static_cast<uint8_t>(kCodes[std::abs(x)] | (x < 0 ? 0x80 : 0));
}

class CompiledGemm : public Compiled {
 protected:
  template <class T>
  void check(const char* kernel, T (*encode)(int), int tile_m, unsigned block) {
    constexpr int kM = 64;
    constexpr int kN = 48;
    constexpr int kK = 192;
    std::vector<int> a(kM * kK);
    std::vector<int> b(kN * kK);
    for (int& x : a) x = small();
    for (int& x : b) x = small();
    const auto encoded = [&](const std::vector<int>& values) {
      std::vector<T> codes(values.size());
      std::ranges::transform(values, codes.begin(), encode);
      return codes;
    };
    const Buffer<T> from_a(encoded(a));
    const Buffer<T> from_b(encoded(b));
    const Buffer<float> to(std::vector<float>(kM * kN, std::numeric_limits<float>::quiet_NaN()));
    module_.run(kernel, dim3(kN / 16, static_cast<uint32_t>(kM / tile_m)), block, 0, from_a.get(),
                from_b.get(), to.get(), kN, kK);
    EXPECT_EQ(to.read(), product(a, b, kM, kN, kK));
  }
};
INSTANTIATE_TEST_SUITE_P(Levels, CompiledGemm, ::testing::Values(0, 1, 3),
                         [](const auto& param) { return "O" + std::to_string(param.param); });

TEST_P(CompiledGemm, Bf16) {
  check<uint16_t>("gemm_bf16", &as_bf16, 16, 64);
}
TEST_P(CompiledGemm, Fp8) {
  check<uint8_t>("gemm_fp8", &as_e4m3, 16, 64);
}
TEST_P(CompiledGemm, DoubleBufferedThroughLds) {
  check<uint16_t>("gemm_double_buffered", &as_f16, 32, 128);
}

TEST_P(Compiled, DynamicIndex) {
  constexpr int kPicks = 20;
  std::vector<uint32_t> in(2 * 64 * 8);
  for (uint32_t& x : in) x = random() % 50;
  const Buffer<uint32_t> from(in);
  const Buffer<uint32_t> to(128);
  module_.run("dynamic_index", dim3(2), 64, 0, from.get(), to.get(), kPicks);
  const std::vector<uint32_t> out = to.read();
  for (size_t i = 0; i < out.size(); ++i) {
    std::vector<uint32_t> sorted(in.begin() + static_cast<ptrdiff_t>(8 * i),
                                 in.begin() + static_cast<ptrdiff_t>(8 * i + 8));
    uint32_t at = sorted[0] % 8;
    std::ranges::sort(sorted);
    uint32_t sum = 0;
    for (int k = 0; k < kPicks; ++k) {
      sum = sum * 31 + sorted[at];
      at = (sorted[at] + at + 1) % 8;
    }
    ASSERT_EQ(out[i], sum) << i;
  }
}

TEST_P(Compiled, Shuffles) {
  std::vector<int> in(64);
  for (int& x : in) x = static_cast<int>(random());
  const Buffer<int> from(in);
  const Buffer<int> to(7 * 64);
  module_.run("shuffles", dim3(1), 64, 0, from.get(), to.get());
  const std::vector<int> out = to.read();
  for (int lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(out[lane], in[lane ^ 15]) << lane;
    EXPECT_EQ(out[64 + lane], in[(lane + 7) % 64]) << lane;
    EXPECT_EQ(out[128 + lane], in[lane ^ 1]) << lane;
    EXPECT_EQ(out[192 + lane], in[63 - lane]) << lane;
    EXPECT_EQ(out[256 + lane], lane % 16 == 0 ? -1 : in[lane - 1]) << lane;
    EXPECT_EQ(out[320 + lane], in[lane % 32]) << lane;
    EXPECT_EQ(out[384 + lane], in[32 + lane % 32]) << lane;
  }
}

TEST_P(Compiled, DynamicLds) {
  constexpr int kCount = 192;
  std::vector<uint64_t> in(2 * kCount);
  for (uint64_t& x : in) x = random() * uint64_t{0x100000001};
  const Buffer<uint64_t> from(in);
  const Buffer<uint64_t> to(in.size());
  module_.run("dynamic_lds", dim3(2), kCount, kCount * sizeof(uint64_t), from.get(), to.get(), kCount);
  std::vector<uint64_t> expected = in;
  std::reverse(expected.begin(), expected.begin() + kCount);
  std::reverse(expected.begin() + kCount, expected.end());
  EXPECT_EQ(to.read(), expected);
}

TEST_P(Compiled, ArithmeticAndCalls) {
  constexpr int kCount = 128;
  std::vector<uint64_t> a(kCount);
  std::vector<uint64_t> b(kCount);
  for (int i = 0; i < kCount; ++i) {
    a[i] = (uint64_t{random()} << 32 | random()) >> (random() % 64);
    b[i] = std::max<uint64_t>(1, (uint64_t{random()} << 32 | random()) >> (random() % 64));
  }
  const Buffer<uint64_t> from_a(a);
  const Buffer<uint64_t> from_b(b);
  const Buffer<uint64_t> quotients(kCount);
  const Buffer<int64_t> remainders(kCount);
  const Buffer<double> roots(kCount);
  const Buffer<uint32_t> steps(kCount);
  module_.run("arithmetic", dim3(2), 64, 0, from_a.get(), from_b.get(), quotients.get(), remainders.get(),
              roots.get(), steps.get());
  const auto q = quotients.read();
  const auto r = remainders.read();
  const auto s = roots.read();
  const auto n = steps.read();
  for (int i = 0; i < kCount; ++i) {
    ASSERT_EQ(q[i], a[i] / b[i]) << a[i] << " / " << b[i];
    ASSERT_EQ(r[i], static_cast<int64_t>(a[i]) % static_cast<int64_t>(b[i])) << a[i] << " % " << b[i];
    const auto x = static_cast<double>(b[i] % 1000 + 1);
    double root = 1;
    for (int step = 0; step < 20; ++step) root = (root + x / root) * 0.5;
    ASSERT_EQ(s[i], root) << x;
    uint32_t count = 0;
    for (uint64_t at = a[i] % 1000 + 1; at != 1; ++count) at = at % 2 == 0 ? at / 2 : 3 * at + 1;
    ASSERT_EQ(n[i], count) << a[i];
  }
}

TEST_P(Compiled, TransposeByLdsRead) {
  std::vector<uint64_t> in(64);
  for (uint64_t& x : in) x = uint64_t{random()} << 32 | random();
  const Buffer<uint64_t> from(in);
  const Buffer<uint64_t> to(64);
  module_.run("transpose_by_lds_read", dim3(1), 64, 0, from.get(), to.get());
  const std::vector<uint64_t> out = to.read();
  // Sixteen lanes hold four rows of 16 elements; lane c gets column c.
  const auto element = [](const std::vector<uint64_t>& words, int group, int index) {
    return static_cast<uint16_t>(words[static_cast<size_t>(16 * group + index / 4)] >> (16 * (index % 4)));
  };
  for (int group = 0; group < 4; ++group)
    for (int c = 0; c < 16; ++c)
      for (int r = 0; r < 4; ++r)
        ASSERT_EQ(element(out, group, 4 * c + r), element(in, group, 16 * r + c))
            << group << " " << r << " " << c;
}

}  // namespace
}  // namespace mxproof::emulator
