// quantize, dequantize and gemm on files, as their users run them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "common/array/file.hpp"
#include "common/random/fill.hpp"
#include "reference/dequantize.hpp"
#include "reference/gemm.hpp"
#include "reference/quantize.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/tools/run_program.hpp"
#include "tools/quantized/operand.hpp"

namespace mxproof {
namespace {

using testing::HasSubstr;

class QuantizedFiles : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.file(name); }

  Matrix<Bf16> write_normal(const std::string& name, int64_t rows, int64_t cols, TensorId id) const {
    const Matrix<Bf16> values = normal_matrix(rows, cols, 0x5eed0080, id);
    EXPECT_TRUE(write_array(file(name), to_array(values)).ok());
    return values;
  }

  TempFolder folder_;
};

void expect_bad_input(const ProgramResult& result, const std::string& says) {
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr(says));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST_F(QuantizedFiles, EveryPackingGivesTheSameMatrixBack) {
  const Matrix<Bf16> values = write_normal("a.npy", 6, 96, TensorId::a);
  const Mxfp4Matrix expected = reference::quantize(values.view()).value();
  for (const char* packing : {"low-first", "high-first", "ggml"}) {
    const std::string quantised = file(std::string(packing) + ".safetensors");
    const ProgramResult run = run_mxproof({"quantize", file("a.npy"), "-o", quantised, "--packing", packing});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("6 x 96 elements"));
    EXPECT_THAT(run.out, HasSubstr("policy even: scale=even tie=nearest-even"));
    const Mxfp4Matrix got = read_quantized({quantised, "", parse_packing(packing).value()}).value();
    EXPECT_EQ(got.codes, expected.codes) << packing;
    EXPECT_EQ(got.scales, expected.scales) << packing;

    const std::string back = file(std::string(packing) + ".npy");
    ASSERT_EQ(run_mxproof({"dequantize", quantised, "--packing", packing, "-o", back}).exit_code, 0);
    const Array array = read_array(back).value();
    EXPECT_EQ(describe(array), "f32 [6, 96]");
    const Matrix<float> decoded = reference::dequantize_f32(expected);
    EXPECT_EQ(std::memcmp(array.bytes.data(), decoded.data.data(), array.bytes.size()), 0) << packing;
  }
}

TEST_F(QuantizedFiles, CodesAndScalesMayLieApartAndCarryTypes) {
  const Matrix<Bf16> values = write_normal("a.npy", 4, 64, TensorId::a);
  const Mxfp4Matrix m = reference::quantize(values.view()).value();
  Array codes{Dtype::e2m1, {4, 64}, std::vector<std::byte>(m.codes.size())};
  std::memcpy(codes.bytes.data(), m.codes.data(), m.codes.size());
  Array scales{Dtype::e8m0, {4, 2}, std::vector<std::byte>(m.scales.size())};
  std::memcpy(scales.bytes.data(), m.scales.data(), m.scales.size());
  ASSERT_TRUE(write_safetensors(file("q.safetensors"), {{"weight", codes}, {"weight_scale", scales}}).ok());
  const ProgramResult run =
      run_mxproof({"dequantize", file("q.safetensors:weight"), "--scales", file("q.safetensors:weight_scale"),
                   "--type", "bf16", "-o", file("back.safetensors")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Array back = read_array(file("back.safetensors")).value();
  const Matrix<Bf16> decoded = reference::dequantize_bf16(m);
  ASSERT_EQ(describe(back), "bf16 [4, 64]");
  EXPECT_EQ(std::memcmp(back.bytes.data(), decoded.data.data(), back.bytes.size()), 0);
}

TEST_F(QuantizedFiles, GemmIsTheExactProduct) {
  const Matrix<Bf16> a = write_normal("a.npy", 3, 128, TensorId::a);
  const Matrix<Bf16> b = write_normal("b.npy", 5, 128, TensorId::b);
  ASSERT_EQ(run_mxproof({"quantize", file("b.npy"), "-o", file("b.safetensors")}).exit_code, 0);
  const reference::GemmReference product =
      reference::gemm(reference::quantize(a.view()).value(), reference::quantize(b.view()).value()).value();
  // B as numbers and B already quantised give the same bits.
  for (const char* right : {"b.npy", "b.safetensors"}) {
    const ProgramResult run =
        run_mxproof({"gemm", "--a", file("a.npy"), "--b", file(right), "-o", file("c.npy")});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("3 x 5 outputs, K = 128"));
    EXPECT_THAT(run.out, HasSubstr("100.0000 %"));
    const Array c = read_array(file("c.npy")).value();
    ASSERT_EQ(describe(c), "bf16 [3, 5]");
    EXPECT_EQ(std::memcmp(c.bytes.data(), product.values().data, c.bytes.size()), 0);
  }
  ASSERT_EQ(
      run_mxproof({"gemm", "--a", file("a.npy"), "--b", file("b.npy"), "--type", "f16", "-o", file("h.npy")})
          .exit_code,
      0);
  const Array half = read_array(file("h.npy")).value();
  ASSERT_EQ(describe(half), "f16 [3, 5]");
  for (int64_t i = 0; i < 15; ++i) {
    Half value;
    std::memcpy(&value, half.bytes.data() + 2 * i, 2);
    EXPECT_EQ(value, product.facts(i / 5, i % 5).f16);
  }
}

TEST_F(QuantizedFiles, PoliciesAreListedWithTheirSources) {
  const ProgramResult run = run_mxproof({"quantize", "--list-policies"});
  EXPECT_EQ(run.exit_code, 0);
  for (const QuantPolicy& policy : quant_presets())
    EXPECT_THAT(run.out, HasSubstr(std::string(policy.source)));
}

TEST_F(QuantizedFiles, WrongInputIsOneLine) {
  write_normal("a.npy", 2, 48, TensorId::a);
  expect_bad_input(run_mxproof({"quantize", file("a.npy"), "-o", file("q.safetensors")}), "multiple of 32");
  expect_bad_input(run_mxproof({"quantize", file("a.npy"), "-o", file("q.npy")}), "--output");
  expect_bad_input(run_mxproof({"quantize", "-o", file("q.safetensors")}), "name the array");
  expect_bad_input(run_mxproof({"quantize", file("none.npy"), "-o", file("q.safetensors")}), "none.npy");
  expect_bad_input(run_mxproof({"quantize", file("a.npy"), "-o", file("q.safetensors"), "--packing", "x"}),
                   "--packing");
  expect_bad_input(run_mxproof({"dequantize", file("a.npy"), "--packing", "ggml", "-o", file("b.npy")}),
                   "GGML blocks");
  expect_bad_input(run_mxproof({"dequantize", file("a.npy"), "--scales", file("a.npy"), "-o", file("b.npy")}),
                   "codes as");
  expect_bad_input(run_mxproof({"dequantize", file("a.npy"), "-o", file("b.npy"), "--type", "u8"}), "--type");
  write_normal("k64.npy", 2, 64, TensorId::a);
  write_normal("k96.npy", 2, 96, TensorId::b);
  expect_bad_input(run_mxproof({"gemm", "--a", file("k64.npy"), "--b", file("k96.npy")}), "K equal");
  expect_bad_input(run_mxproof({"gemm", "--a", file("k64.npy"), "--b", file("k64.npy"), "--split-k", "0"}),
                   "split_k is 0");
}

}  // namespace
}  // namespace mxproof
