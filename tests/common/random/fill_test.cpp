#include "common/random/fill.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace mxproof {
namespace {

struct Golden {
  uint64_t seed;
  TensorId tensor;
  uint64_t first;
  std::array<uint16_t, 8> bits;
};

// Made by another implementation: Philox in Python integers, statistics.NormalDist().inv_cdf, and rounding to
// bf16 in exact fractions. A machine, compiler or flag that changes one of these bits changes every input.
constexpr Golden kGolden[] = {
    {0, TensorId::a, 0, {0xbe83, 0x3f97, 0x3f21, 0x3e89, 0x3ff5, 0xbeb5, 0x3f02, 0xbfe5}},
    {1, TensorId::b, 0, {0xbff6, 0xbf25, 0xbf43, 0xbe39, 0xbf3c, 0x3fc6, 0x3f69, 0xbec2}},
    {0x123456789abcdef0, TensorId::a, 0, {0xbfe7, 0xbd9c, 0x3f4e, 0xbf75, 0xbf45, 0xbea0, 0xc002, 0x3e82}},
};

TEST(NormalFill, GoldenValues) {
  for (const Golden& golden : kGolden) {
    std::array<Bf16, 8> values;
    fill_normal(values, golden.seed, golden.tensor, golden.first);
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(values[i].bits, golden.bits[i]) << "seed " << golden.seed << " element " << i;
  }
}

TEST(NormalFill, GoldenValuesFarIntoATensor) {
  std::array<Bf16, 1> value;
  fill_normal(value, 7, TensorId::b, (uint64_t{1} << 34) + 5);
  EXPECT_EQ(value[0].bits, 0xbf4e);
  fill_normal(value, 7, TensorId::b, 7168 * 2112 - 1);
  EXPECT_EQ(value[0].bits, 0xbe98);
}

TEST(NormalFill, AnElementDoesNotDependOnWhereTheFillBegan) {
  std::vector<Bf16> whole(1000);
  fill_normal(whole, 3, TensorId::c);
  for (const size_t first : {1u, 2u, 3u, 4u, 5u, 997u}) {
    std::vector<Bf16> part(whole.size() - first);
    fill_normal(part, 3, TensorId::c, first);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + static_cast<long>(first))) << first;
  }
}

TEST(NormalMatrix, IsTheSameOnAnyNumberOfThreads) {
  const Matrix<Bf16> one = normal_matrix(300, 1023, 5, TensorId::a, 1);
  for (const unsigned threads : {0u, 2u, 3u, 7u})
    EXPECT_EQ(normal_matrix(300, 1023, 5, TensorId::a, threads).data, one.data) << threads << " threads";
  std::vector<Bf16> flat(one.data.size());
  fill_normal(flat, 5, TensorId::a);
  EXPECT_EQ(flat, one.data);
}

TEST(NormalMatrix, SeedsAndTensorsDiffer) {
  const auto base = normal_matrix(1, 64, 5, TensorId::a).data;
  EXPECT_NE(normal_matrix(1, 64, 6, TensorId::a).data, base);
  EXPECT_NE(normal_matrix(1, 64, 5 + (uint64_t{1} << 32), TensorId::a).data, base);
  EXPECT_NE(normal_matrix(1, 64, 5, TensorId::b).data, base);
}

TEST(FillBytes, SplitsWordsLowByteFirst) {
  std::array<uint8_t, 11> bytes{};
  fill_bytes(bytes, 9, TensorId::test);
  for (size_t i = 0; i < bytes.size(); ++i)
    EXPECT_EQ(bytes[i], random_word(9, TensorId::test, i / 4) >> 8 * (i % 4) & 0xff) << i;
}

}  // namespace
}  // namespace mxproof
