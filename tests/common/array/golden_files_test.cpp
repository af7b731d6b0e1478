// Files that other people's libraries wrote (data/golden/arrays/make.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "common/array/file.hpp"

namespace mxproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string golden(const std::string& name) {
  return std::string(MXPROOF_SOURCE_DIR "/data/golden/arrays/") + name;
}

class GoldenValues : public testing::TestWithParam<std::pair<const char*, Dtype>> {};

TEST_P(GoldenValues, AreRead) {
  const auto& [name, dtype] = GetParam();
  const auto array = read_array(golden(name));
  ASSERT_TRUE(array) << array.status().message();
  EXPECT_EQ(array->dtype, dtype);
  EXPECT_THAT(array->shape, ElementsAre(2, 3));
  const auto values = to_bf16_matrix(*array, name);
  ASSERT_TRUE(values) << values.status().message();
  std::vector<float> floats;
  for (const Bf16 value : values->data) floats.push_back(value.to_float());
  EXPECT_THAT(floats, ElementsAre(0, -1.5f, 2, 0.5f, -6, 3));
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenValues,
                         testing::Values(std::pair("bf16.npy", Dtype::bf16), std::pair("f16.npy", Dtype::f16),
                                         std::pair("f32.npy", Dtype::f32),
                                         std::pair("f32_fortran.npy", Dtype::f32),
                                         std::pair("f32_v2.npy", Dtype::f32),
                                         std::pair("f32_v3.npy", Dtype::f32),
                                         std::pair("all.safetensors:bf16", Dtype::bf16),
                                         std::pair("all.safetensors:f16", Dtype::f16),
                                         std::pair("all.safetensors:f32", Dtype::f32),
                                         std::pair("one.safetensors:only", Dtype::bf16),
                                         std::pair("one.safetensors", Dtype::bf16)));

TEST(GoldenBytes, AreRead) {
  for (const auto& [name, dtype] :
       {std::pair("u8.npy", Dtype::u8), std::pair("all.safetensors:u8", Dtype::u8),
        std::pair("all.safetensors:scales", Dtype::e8m0)}) {
    const auto array = read_array(golden(name));
    ASSERT_TRUE(array) << array.status().message();
    EXPECT_EQ(array->dtype, dtype) << name;
    EXPECT_THAT(array->shape, ElementsAre(2, 3)) << name;
    for (size_t i = 0; i < 6; ++i) EXPECT_EQ(std::to_integer<size_t>(array->bytes[i]), i) << name;
  }
}

TEST(GoldenNumbers, OfTypesForKernelsAloneAreRead) {
  const auto wide = read_array(golden("f64.npy"));
  ASSERT_TRUE(wide) << wide.status().message();
  EXPECT_EQ(wide->dtype, Dtype::f64);
  EXPECT_THAT(wide->shape, ElementsAre(2, 3));
  double value = 0;
  std::memcpy(&value, wide->bytes.data() + sizeof(value), sizeof(value));
  EXPECT_EQ(value, -1.5);
  EXPECT_THAT(to_bf16_matrix(*wide, "f64.npy").status().message(),
              HasSubstr("found f64 [2, 3], need a two-dimensional bf16, f16 or f32 array"));

  const auto integers = read_array(golden("all.safetensors:i64"));
  ASSERT_TRUE(integers) << integers.status().message();
  EXPECT_EQ(integers->dtype, Dtype::i64);
  EXPECT_EQ(integers->bytes.size(), 48U);
  EXPECT_EQ(std::to_integer<int>(integers->bytes[40]), 5);
}

TEST(GoldenCodes, CountElementsInTheirShape) {
  const auto array = read_array(golden("all.safetensors:codes"));
  ASSERT_TRUE(array) << array.status().message();
  EXPECT_EQ(array->dtype, Dtype::e2m1);
  EXPECT_THAT(array->shape, ElementsAre(2, 4));
  EXPECT_THAT(array->bytes, ElementsAre(std::byte{0xb0}, std::byte{0x14}, std::byte{0x5f}, std::byte{0x82}));
}

class GoldenRefusals : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(GoldenRefusals, NameTheFileAndTheReason) {
  const auto& [name, reason] = GetParam();
  const auto array = read_array(golden(name));
  ASSERT_FALSE(array);
  EXPECT_EQ(array.status().code(), StatusCode::bad_input);
  EXPECT_THAT(array.status().message(), HasSubstr(reason));
  const std::string file = std::string(name).substr(0, std::string(name).find(':'));
  EXPECT_TRUE(array.status().message().starts_with(golden(file) + ": ")) << array.status().message();
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenRefusals,
                         testing::Values(std::pair("refused_big_endian.npy", "big-endian"),
                                         std::pair("refused_v1_bytes.npy", "save codes and scales as uint8"),
                                         std::pair("refused_structured.npy", "structured"),
                                         std::pair("refused_object.npy", "dtype '|O' is not read"),
                                         std::pair("all.safetensors", "7 tensors in the file; choose one"),
                                         std::pair("all.safetensors:absent",
                                                   "no tensor 'absent'; the file has"),
                                         std::pair("absent.npy", "No such file")));

TEST(ReadArray, RefusesNamesThatSayNoFormat) {
  for (const char* name : {"", "weights", "weights.bin", "weights.npz", ".safetensors.gz"}) {
    const auto array = read_array(name);
    ASSERT_FALSE(array) << name;
    EXPECT_THAT(array.status().message(), HasSubstr("need a file named")) << name;
  }
}

TEST(ReadArray, RefusesADirectory) {
  EXPECT_THAT(read_array("/tmp/../tmp/.npy").status().message(), HasSubstr("/tmp/.npy: "));
}

}  // namespace
}  // namespace mxproof
