// Writing and reading back, and every kind of malformed file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "common/array/file.hpp"
#include "common/array/npy.hpp"
#include "common/array/safetensors.hpp"
#include "common/random/fill.hpp"
#include "tests/support/temp_folder.hpp"

namespace mxproof {
namespace {

using testing::HasSubstr;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}
Expected<Array> parse_npy(const std::string& file) {
  return read_npy(MemorySource(bytes_of(file)));
}
Expected<Array> parse_safetensors(const std::string& file, const std::string& name = "") {
  return read_safetensors(MemorySource(bytes_of(file)), name);
}

Array sample(Dtype dtype, std::vector<int64_t> shape) {
  Array array{dtype, std::move(shape), {}};
  array.bytes.resize(static_cast<size_t>(*array_bytes(array.dtype, array.shape)));
  std::vector<uint8_t> bytes(array.bytes.size());
  fill_bytes(bytes, 11, TensorId::test);
  if (!bytes.empty()) std::memcpy(array.bytes.data(), bytes.data(), bytes.size());
  return array;
}

std::string data_of(const Array& array) {
  return {reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size()};
}
std::string npy_file(const Array& array) {
  return npy_header(array) + data_of(array);
}
std::string safetensors_file(const std::vector<std::pair<std::string, Array>>& tensors) {
  std::string file = safetensors_header(tensors);
  for (const auto& [name, array] : tensors) file += data_of(array);
  return file;
}

std::string npy_with(const std::string& dict, const std::string& data, char version = 1) {
  std::string file = std::string("\x93NUMPY") + version + '\0' + static_cast<char>(dict.size() & 0xff) +
                     static_cast<char>(dict.size() >> 8);
  if (version > 1) file += std::string(2, '\0');
  return file + dict + data;
}
std::string safetensors_with(const std::string& json, const std::string& data) {
  std::string length(8, '\0');
  for (size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(json.size() >> 8 * i & 0xff);
  return length + json + data;
}

constexpr Dtype kDtypes[] = {Dtype::f32,  Dtype::f16, Dtype::bf16, Dtype::u8,  Dtype::e8m0,
                             Dtype::e2m1, Dtype::i8,  Dtype::u16,  Dtype::i16, Dtype::u32,
                             Dtype::i32,  Dtype::u64, Dtype::i64,  Dtype::f64};

TEST(Safetensors, ReadsBackWhatItWrote) {
  for (const Dtype dtype : kDtypes) {
    for (const auto& shape : std::vector<std::vector<int64_t>>{{3, 4}, {2}, {0, 5}, {2, 1, 6}}) {
      const Array array = sample(dtype, shape);
      const auto back =
          parse_safetensors(safetensors_file({{"other", sample(Dtype::u8, {3})}, {"x", array}}), "x");
      ASSERT_TRUE(back) << dtype_name(dtype) << ": " << back.status().message();
      EXPECT_EQ(back->dtype, dtype);
      EXPECT_EQ(back->shape, shape);
      EXPECT_EQ(back->bytes, array.bytes);
    }
  }
}

TEST(Safetensors, MetadataIsReadBackAndIsNoTensor) {
  const SafetensorsMetadata metadata = {{"format", "pt"}, {"mxproof.packing", "high-first"}};
  const Array array = sample(Dtype::u8, {3});
  const std::string file = safetensors_header({{"x", array}}, metadata) + data_of(array);
  EXPECT_EQ(safetensors_metadata(MemorySource(bytes_of(file))).value(), metadata);
  EXPECT_EQ(parse_safetensors(file)->bytes, array.bytes);
  const std::string odd = safetensors_with(R"({"__metadata__":{"a":1,"b":"two"}})", "");
  EXPECT_EQ(safetensors_metadata(MemorySource(bytes_of(odd))).value(), (SafetensorsMetadata{{"b", "two"}}));
  const std::string list = safetensors_with(R"({"__metadata__":[]})", "");
  EXPECT_TRUE(safetensors_metadata(MemorySource(bytes_of(list)))->empty());
  EXPECT_FALSE(safetensors_metadata(MemorySource(bytes_of(std::string("no file")))));
}

TEST(Npy, ReadsBackWhatItWroteAndWritesCodesAndScalesAsBytes) {
  for (const Dtype dtype : kDtypes) {
    for (const auto& shape : std::vector<std::vector<int64_t>>{{3, 4}, {2}, {0, 4}, {2, 1, 6}}) {
      const Array array = sample(dtype, shape);
      const auto back = parse_npy(npy_file(array));
      ASSERT_TRUE(back) << dtype_name(dtype) << ": " << back.status().message();
      EXPECT_EQ(back->bytes, array.bytes);
      const bool has_code = dtype != Dtype::e8m0 && dtype != Dtype::e2m1;
      EXPECT_EQ(back->dtype, has_code ? dtype : Dtype::u8);
      if (dtype != Dtype::e2m1) {
        EXPECT_EQ(back->shape, shape);
      }
    }
  }
  EXPECT_EQ(npy_header(sample(Dtype::f32, {5, 7})).size() % 64, 0u);
}

TEST(Npy, FortranOrderOfThreeDimensions) {
  // Element (i,j,k) of shape (2,3,4) holds 100i + 10j + k; the first index runs fastest in the file.
  std::string data;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i) data += static_cast<char>(100 * i + 10 * j + k);
  const auto array = parse_npy(npy_with("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4)}", data));
  ASSERT_TRUE(array) << array.status().message();
  size_t at = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) EXPECT_EQ(std::to_integer<int>(array->bytes[at++]), 100 * i + 10 * j + k);
}

TEST(Npy, AcceptsWhatThePythonLiteralAllows) {
  for (const char* dict : {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
                           "{\"shape\":(2L,),\"fortran_order\":False,\"descr\":\"<f4\"}   \n",
                           "{'descr': 'float32', 'fortran_order': True, 'shape': (2)}",
                           "{ 'descr' : '=f4' , 'fortran_order' : False , 'shape' : ( 2 , 1 ) }"}) {
    const auto array = parse_npy(npy_with(dict, std::string(8, 'x')));
    EXPECT_TRUE(array) << dict << ": " << array.status().message();
  }
  const auto paired =
      parse_npy(npy_with("{'descr': 'float4_e2m1fn_x2', 'fortran_order': False, 'shape': (2, 3)}", "123456"));
  ASSERT_TRUE(paired) << paired.status().message();
  EXPECT_THAT(paired->shape, testing::ElementsAre(2, 6));
}

struct Malformed {
  std::string file;
  const char* says;
};

TEST(Npy, SaysWhatIsWrong) {
  const auto dict = [](const std::string& shape, const std::string& descr = "<f4",
                       const std::string& order = "False") {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + "}";
  };
  const std::string eight(8, 'x');
  const Malformed cases[] = {
      {"", "does not begin with"},
      {"PK\x03\x04 a zip", "does not begin with"},
      {npy_with(dict("(2,)"), eight, 4), "version 4.0"},
      {npy_with(dict("(2,)"), eight, 0), "version 0.0"},
      {npy_with(dict("(2,)"), "1234567"), "needs 8 bytes of data, the file has 7"},
      {npy_with(dict("(2,)"), eight + "9"), "needs 8 bytes of data, the file has 9"},
      {npy_with(dict("(-2,)"), eight), "expected a dimension"},
      {npy_with(dict("(2.0,)"), eight), "expected ')'"},
      {npy_with(dict("(99999999999999999999,)"), eight), "expected a dimension"},
      {npy_with(dict("(4294967296, 4294967296)"), eight), "more than 2^63 elements"},
      {npy_with(dict("(4611686018427387904,)"), eight), "larger than any file"},
      {npy_with(dict("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"), eight), "more than 16 dimensions"},
      {npy_with(dict("[2]"), eight), "expected '('"},
      {npy_with(dict("(2,)", ">f4"), eight), "big-endian"},
      {npy_with(dict("(2,)", ""), eight), "dtype '' is not read"},
      {npy_with(dict("(2,)", "<f\n4"), eight), "dtype '<f?4' is not read"},
      {npy_with(dict("(2,)", "<f4", "Maybe"), eight), "expected True or False"},
      {npy_with("{'descr': '<f4', 'shape': (2,)}", eight), "no 'fortran_order'"},
      {npy_with("{'fortran_order': False, 'shape': (2,)}", eight), "no 'descr'"},
      {npy_with("{'descr': '<f4', 'fortran_order': False}", eight), "no 'shape'"},
      {npy_with("{'descr': '<f4', 'descr': '<f2', ", eight), "'descr' twice"},
      {npy_with("{'colour': 'red'}", eight), "unknown key 'colour'"},
      {npy_with("{'descr': '<f4", eight), "a string without an end"},
      {npy_with(dict("(2,)") + "}", eight), "after the closing brace"},
      {npy_with("", eight), "expected '{'"},
      {npy_with(dict("(2, 2)", "float4_e2m1", "True"), "12"), "Fortran order"},
      {npy_with(dict("(3,)", "float4_e2m1"), "12"), "must be even"},
      {npy_with(dict("()", "float4_e2m1fn_x2"), "1"), "last dimension"},
      {std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12) + eight, "at most 65536 are read"},
      {std::string("\x93NUMPY\x01\x00\xff\x00", 10) + eight, "ends inside the npy header (8 of 255 bytes)"},
  };
  for (const Malformed& c : cases) {
    const auto array = parse_npy(c.file);
    ASSERT_FALSE(array) << c.says;
    EXPECT_EQ(array.status().code(), StatusCode::bad_input);
    EXPECT_THAT(array.status().message(), HasSubstr(c.says));
  }
}

TEST(Safetensors, SaysWhatIsWrong) {
  const auto tensor = [](const std::string& name, const std::string& dtype, const std::string& shape,
                         const std::string& offsets) {
    return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
           ",\"data_offsets\":" + offsets + "}";
  };
  const auto one = [&](const std::string& shape, const std::string& offsets, const std::string& data) {
    return safetensors_with("{" + tensor("x", "F32", shape, offsets) + "}", data);
  };
  const std::string eight(8, 'x');
  const Malformed cases[] = {
      {"1234567", "ends inside the safetensors header length"},
      {std::string(8, '\xff'), "exceeds"},
      {std::string("\x10\0\0\0\0\0\0\0{}", 10), "ends inside the safetensors header (2 of 16 bytes)"},
      {safetensors_with("", ""), "not JSON"},
      {safetensors_with("{\"x\":", ""), "not JSON"},
      {safetensors_with("[1, 2]", ""), "not a JSON object"},
      {safetensors_with("{}", ""), "holds no tensor"},
      {safetensors_with("{\"__metadata__\":{\"a\":\"b\"}}", ""), "holds no tensor"},
      {safetensors_with("{}", "12"), "2 bytes after the last tensor"},
      {safetensors_with("{\"x\":7}", ""), "needs dtype, shape and data_offsets"},
      {safetensors_with("{\"x\":{\"dtype\":4,\"shape\":[],\"data_offsets\":[0,0]}}", ""),
       "dtype is not a string"},
      {safetensors_with(
           "{" + tensor("x", "F32", "[2]", "[0,8]") + "," + tensor("x", "F32", "[2]", "[0,8]") + "}", eight),
       "'x' occurs twice"},
      {safetensors_with("{\"x\":" + std::string(1000, '[') + std::string(1000, ']') + "}", ""),
       "nested too deeply"},
      {one("[3]", "[0,8]", eight), "F32 [3] needs 12 bytes, data_offsets hold 8"},
      {one("[2]", "[8,0]", eight), "do not lie in the 8 bytes"},
      {one("[2]", "[0,9]", eight), "do not lie in the 8 bytes"},
      {one("[2]", "[-8,0]", eight), "not a pair of non-negative integers"},
      {one("[2]", "[0]", eight), "not a pair"},
      {one("[2]", "[0,8.0]", eight), "not a pair"},
      {one("[2]", "[0,18446744073709551615]", eight), "not a pair"},
      {one("[-2]", "[0,8]", eight), "not a non-negative integer"},
      {one("[\"2\"]", "[0,8]", eight), "not a non-negative integer"},
      {one("2", "[0,8]", eight), "shape is not a list"},
      {one("[4294967296,4294967296]", "[0,8]", eight), "more than 2^63 elements"},
      {one("[4611686018427387904]", "[0,8]", eight), "larger than any file"},
      {one("[1]", "[4,8]", eight), "begins at byte 4 of the data, expected 0: there is a hole"},
      {safetensors_with(
           "{" + tensor("x", "F32", "[2]", "[0,8]") + "," + tensor("y", "F32", "[1]", "[4,8]") + "}", eight),
       "tensors overlap"},
      {safetensors_with("{" + tensor("x", "F4", "[3]", "[0,1]") + "}", "1"), "must be even"},
      {safetensors_with("{" + tensor("x", "F12", "[8]", "[0,8]") + "}", eight),
       "dtype F12, which is not read"},
  };
  for (const Malformed& c : cases) {
    const auto array = parse_safetensors(c.file);
    ASSERT_FALSE(array) << c.says;
    EXPECT_EQ(array.status().code(), StatusCode::bad_input);
    EXPECT_THAT(array.status().message(), HasSubstr(c.says));
  }
}

// Calls use(file) with the file cut at every byte and with every byte replaced in eight ways.
void for_each_damage(const std::string& file, const std::function<void(const std::string&, bool cut)>& use) {
  for (size_t length = 0; length < file.size(); ++length) use(file.substr(0, length), true);
  for (size_t i = 0; i < file.size(); ++i) {
    std::string damaged = file;
    for (const int flip : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff}) {
      damaged[i] = static_cast<char>(file[i] ^ flip);
      use(damaged, false);
    }
  }
}

// A cut file is always refused; any other damage is refused or gives an array that is sound in itself.
void expect_sound(const Expected<Array>& array, bool cut) {
  if (array) {
    ASSERT_FALSE(cut) << "a cut file was accepted";
    const auto bytes = array_bytes(array->dtype, array->shape);
    ASSERT_TRUE(bytes);
    ASSERT_EQ(static_cast<size_t>(*bytes), array->bytes.size());
  } else {
    ASSERT_FALSE(array.status().message().empty());
  }
}

TEST(Npy, SurvivesDamage) {
  for (const std::string& file :
       {npy_file(sample(Dtype::f32, {2, 3})), npy_file(sample(Dtype::bf16, {5})),
        npy_with("{'descr': '<f2', 'fortran_order': True, 'shape': (2, 2)}", "12345678", 3)})
    for_each_damage(file,
                    [](const std::string& damaged, bool cut) { expect_sound(parse_npy(damaged), cut); });
}

TEST(Safetensors, SurvivesDamage) {
  const std::string file =
      safetensors_file({{"a", sample(Dtype::bf16, {2, 3})}, {"b", sample(Dtype::e2m1, {4, 2})}});
  for_each_damage(file, [](const std::string& damaged, bool cut) {
    expect_sound(parse_safetensors(damaged, "a"), cut);
    expect_sound(parse_safetensors(damaged, "b"), cut);
  });
}

TEST(WriteArray, GoesThroughFiles) {
  const TempFolder folder;
  const Matrix<Bf16> matrix = normal_matrix(5, 7, 2, TensorId::test);
  for (const std::string name : {"mxproof_w.npy", "mxproof_w.safetensors", "mxproof_w.safetensors:a:b"}) {
    ASSERT_TRUE(write_array(folder.file(name), to_array(matrix)).ok());
    const auto back = read_array(folder.file(name));
    ASSERT_TRUE(back) << back.status().message();
    EXPECT_EQ(to_bf16_matrix(*back, name)->data, matrix.data);
  }
  const Status status = write_array("/nonexistent/x.npy", to_array(matrix));
  EXPECT_THAT(status.message(), HasSubstr("/nonexistent/x.npy: cannot write: No such file"));
}

TEST(ToBf16Matrix, NeedsTwoDimensionsOfFloats) {
  EXPECT_THAT(to_bf16_matrix(sample(Dtype::f32, {2, 2, 2}), "A").status().message(),
              HasSubstr("A: found f32 [2, 2, 2], need a two-dimensional"));
  EXPECT_FALSE(to_bf16_matrix(sample(Dtype::u8, {2, 2}), "A"));
  EXPECT_FALSE(to_bf16_matrix(sample(Dtype::e2m1, {2, 2}), "A"));
}

}  // namespace
}  // namespace mxproof
