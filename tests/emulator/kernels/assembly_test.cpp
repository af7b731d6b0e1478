// Kernels of gemm.s, made by LLVM's assembler.
#include <bit>
#include <limits>
#include <random>

#include "tests/emulator/kernels/module.hpp"

namespace mxproof::emulator {
namespace {

TEST(Assembly, GemmWithPreloadedArguments) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  const Module module(MXPROOF_KERNELS "/gemm.co");
  // One pass over the loop, and several.
  for (const int k : {64, 320}) {
    constexpr int kM = 48;
    constexpr int kN = 80;
    const auto draw = [&](int count) {
      std::vector<_Float16> values;
      for (int i = 0; i < count; ++i)
        values.push_back(static_cast<_Float16>(static_cast<int>(random() % 9) - 4));
      return values;
    };
    const std::vector<_Float16> a = draw(kM * k);
    const std::vector<_Float16> b = draw(kN * k);
    std::vector<float> expected;
    for (int i = 0; i < kM; ++i) {
      for (int j = 0; j < kN; ++j) {
        float sum = 0;
        for (int at = 0; at < k; ++at)
          sum += static_cast<float>(a[static_cast<size_t>(i * k + at)]) *
                 static_cast<float>(b[static_cast<size_t>(j * k + at)]);
        expected.push_back(sum);
      }
    }
    const Buffer<_Float16> from_a(a);
    const Buffer<_Float16> from_b(b);
    const Buffer<float> to(std::vector<float>(expected.size(), std::numeric_limits<float>::quiet_NaN()));
    module.run("gemm_f16", dim3(kN / 16, kM / 16), 64, 0, to.get(), from_a.get(), from_b.get(), k, kN);
    EXPECT_EQ(to.read(), expected) << "K = " << k;
  }
}

TEST(Assembly, Saxpy) {
  constexpr int kCount = 150;
  const Module module(MXPROOF_KERNELS "/gemm.co");
  std::vector<float> x;
  std::vector<float> y;
  std::vector<float> expected;
  for (int i = 0; i < kCount; ++i) {
    x.push_back(static_cast<float>(i));
    y.push_back(static_cast<float>(1000 - i));
    expected.push_back(1.5F * x.back() + y.back());
  }
  const Buffer<float> from(x);
  const Buffer<float> to(y);
  module.run("saxpy", dim3(3), 64, 0, to.get(), from.get(), 1.5F, kCount);
  EXPECT_EQ(to.read(), expected);
}

}  // namespace
}  // namespace mxproof::emulator
