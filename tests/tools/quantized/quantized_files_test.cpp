// quantize, dequantize and gemm on files, as their users run them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

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

// A file says how it is packed: without the flag it is read right, and a flag that says otherwise is refused.
TEST_F(QuantizedFiles, TheFileKnowsItsPacking) {
  const Matrix<Bf16> values = write_normal("a.npy", 4, 64, TensorId::a);
  const Matrix<float> decoded = reference::dequantize_f32(reference::quantize(values.view()).value());
  ASSERT_EQ(run_mxproof({"gemm", "--a", file("a.npy"), "--b", file("a.npy"), "-o", file("c.npy")}).exit_code,
            0);
  for (const std::string packing : {"low-first", "high-first", "ggml"}) {
    const std::string quantised = file(packing + ".safetensors");
    ASSERT_EQ(run_mxproof({"quantize", file("a.npy"), "-o", quantised, "--packing", packing}).exit_code, 0);
    const SafetensorsMetadata metadata = read_metadata(quantised).value();
    EXPECT_EQ(metadata.at("mxproof.packing"), packing);
    EXPECT_EQ(metadata.at("mxproof.policy"), "even");

    const ProgramResult back = run_mxproof({"dequantize", quantised, "-o", file("back.npy")});
    ASSERT_EQ(back.exit_code, 0) << back.err;
    const Array array = read_array(file("back.npy")).value();
    EXPECT_EQ(std::memcmp(array.bytes.data(), decoded.data.data(), array.bytes.size()), 0) << packing;
    const ProgramResult product =
        run_mxproof({"gemm", "--a", quantised, "--b", file("a.npy"), "-o", file("d.npy")});
    ASSERT_EQ(product.exit_code, 0) << product.err;
    EXPECT_EQ(read_array(file("d.npy"))->bytes, read_array(file("c.npy"))->bytes) << packing;
    const ProgramResult right =
        run_mxproof({"explain", "--a", quantised, "--b", file("a.npy"), "--out", file("c.npy")});
    EXPECT_EQ(right.exit_code, 0) << right.out << right.err;

    const std::string other = packing == "low-first" ? "high-first" : "low-first";
    const std::string says =
        "--packing: " + quantised + " says that it is packed " + packing + ", not " + other;
    expect_bad_input(run_mxproof({"dequantize", quantised, "--packing", other, "-o", file("e.npy")}), says);
    expect_bad_input(run_mxproof({"gemm", "--a", file("a.npy"), "--b", quantised, "--packing", other}), says);
    expect_bad_input(run_mxproof({"explain", "--a", quantised, "--b", file("a.npy"), "--out", file("c.npy"),
                                  "--packing", other}),
                     says);
  }
  const std::string high = file("high-first.safetensors");
  const ProgramResult codes = run_mxproof(
      {"explain", "--a", file("a.npy"), "--codes", high + ":codes", "--scales", high + ":scales"});
  EXPECT_EQ(codes.exit_code, 0) << codes.out << codes.err;
}

// The first thing that is wrong is said, not what was tried after it.
TEST_F(QuantizedFiles, WhatCannotBeReadIsNamedAsItIs) {
  write_normal("a.npy", 4, 64, TensorId::a);
  const auto text = [&](const std::string& name, const std::string& content) {
    std::ofstream(file(name), std::ios::binary) << content;
    return file(name);
  };
  const std::string header = "{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1)}";
  const std::string npy =
      std::string("\x93NUMPY\x01") + '\0' + static_cast<char>(header.size()) + '\0' + header;
  const std::string json = R"({"c64":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}})";
  const std::string safetensors = static_cast<char>(json.size()) + std::string(7, '\0') + json + "12345678";
  std::string big_endian = npy;
  big_endian.replace(big_endian.find("<c8"), 3, ">f4");
  text("c64.safetensors", safetensors);
  const std::pair<std::string, std::string> cases[] = {
      {file("missing.npy"), "missing.npy: No such file or directory"},
      {text("cut.npy", npy.substr(0, 20)), "cut.npy: the file ends inside the npy header"},
      {text("c64.npy", npy + "12345678"), "c64.npy: dtype '<c8' is not read"},
      {text("big.npy", big_endian + "1234"), "big.npy: dtype '>f4' is big-endian"},
      {file("c64.safetensors:c64"), "c64.safetensors: tensor 'c64' has dtype C64, which is not read"},
      {file("c64.safetensors:other"), "c64.safetensors: no tensor 'other'"},
      {file("missing.safetensors"), "missing.safetensors: No such file or directory"},
  };
  for (const auto& [name, says] : cases) {
    for (const char* flag : {"--a", "--b"}) {
      const char* other = std::string(flag) == "--a" ? "--b" : "--a";
      expect_bad_input(run_mxproof({"gemm", flag, name, other, file("a.npy")}), says);
      expect_bad_input(run_mxproof({"explain", "--out", file("a.npy"), flag, name, other, file("a.npy")}),
                       says);
    }
    expect_bad_input(run_mxproof({"dequantize", name, "-o", file("b.npy")}), says);
  }
  expect_bad_input(run_mxproof({"dequantize", file("a.npy"), "-o", file("b.npy")}), "need the scales too");
  expect_bad_input(run_mxproof({"gemm", "--a", file("a.npy"), "--b", file("a.npy"), "--split-k", "3"}),
                   "--split-k: 3 parts, but K = 64 has 2 blocks of 32");
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
