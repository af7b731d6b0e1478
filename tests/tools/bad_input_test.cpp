// Every wrong flag or file: exit code 2, nothing on standard output, one line that names the culprit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "common/array/file.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/tools/run_program.hpp"

namespace mxproof {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct BadInput {
  std::vector<std::string> arguments;
  const char* says;
};

class BadInputTest : public testing::TestWithParam<BadInput> {};

void expect_refused(const std::vector<std::string>& arguments, const std::string& says) {
  const ProgramResult result = run_mxproof(arguments);
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("mxproof: "));
  EXPECT_THAT(result.err, HasSubstr(says));
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  EXPECT_TRUE(result.err.ends_with('\n'));
}

TEST_P(BadInputTest, IsOneLineAndExitCodeTwo) {
  expect_refused(GetParam().arguments, GetParam().says);
}

const BadInput kCases[] = {
    {{}, "A subcommand is required"},
    {{"vrify"}, "'vrify' is no command or flag"},
    {{"--colour"}, "'--colour' is no command or flag"},
    {{"verify", "--colour"}, "not expected: --colour (mxproof verify --help explains)"},
    {{"verify", "extra"}, "not expected: extra"},
    {{"verify", "--seed"}, "--seed"},
    {{"verify", "--seed", "1", "--seed", "2"}, "--seed"},
    {{"verify", "--shapes", "32x2880"}, "--shapes: '32x2880' is no shape: need MxNxK"},
    {{"verify", "--shapes", "0x16x64"}, "--shapes: '0x16x64' is no shape"},
    {{"verify", "--shapes", "1x16x64,,1x16x64"}, "--shapes: an empty item"},
    {{"verify", "--shapes", "99999999999999999999x1x64"}, "is no shape"},
    {{"verify", "--shapes", "no/such/file.csv"}, "no/such/file.csv: No such file or directory"},
    {{"verify", "--shapes", "/dev/null"}, "/dev/null: not a regular file"},
    {{"verify", "--shapes", "/"}, "/: not a regular file"},
    {{"verify", "--path", "stagd"},
     "--path: 'stagd' is no path; there are one_kernel, fused, staged, direct"},
    {{"verify", "--path", "staged,"}, "--path: '' is no path"},
    {{"verify", "--seed", "-1"}, "--seed: '-1' is no seed"},
    {{"verify", "--seed", "0x"}, "--seed: '0x' is no seed"},
    {{"verify", "--seed", "12abc"}, "--seed: '12abc' is no seed"},
    {{"verify", "--seed", "18446744073709551616"}, "is no seed"},
    {{"verify", "--policy", "odd"}, "--policy: unknown quantisation policy 'odd'; there are: even"},
    {{"verify", "--accept", "anything"},
     "--accept: unknown acceptance policy 'anything'; there are: bit-equal"},
    {{"verify", "--device", "tpu"}, "--device: tpu not in {auto,emulator,gpu}"},
    {{"verify", "--a", "a.npy"}, "--a needs --b too"},
    {{"verify", "--b", "b.npy"}, "--b needs --a too"},
    {{"verify", "--a", "a.npy", "--b", "b.npy", "--shapes", "1x16x64"}, "--shapes: the files of --a and --b"},
    {{"verify", "--json", "/no/such/directory/report.json"}, "--json: /no/such/directory/report.json"},
    {{"verify", "--a", "a.npy", "--b", "b.npy", "--seed", "1"}, "--seed: the files of --a and --b"},
    {{"verify", "--json", ""}, "--json: the value is empty, need FILE"},
    {{"verify", "--json="}, "--json"},
    {{"verify", "--seed", ""}, "--seed: the value is empty, need N"},
    {{"explain", "--json", ""}, "--json: the value is empty, need FILE"},
    {{"gemm", "--a", "", "--b", "b.npy"}, "--a: the value is empty"},
    {{"gemm", "--a", "a.npy", "--b", "b.npy", "--split-k", "99999999999999999999"},
     "--split-k: '99999999999999999999' is no integer from -2^63 to 2^63-1"},
    {{"layout", "scale_32x8", "--rows", "010"}, "--rows: '010' is no integer"},
    {{"verify", "--settings", "/"}, "--settings: /: cannot be read: Is a directory"},
    {{"report", "--check", "/", "/"}, "/: cannot be read: Is a directory"},
    {{"report", "data/runs", "-o", "page", "--chart-js", "/"}, "/: cannot be read: Is a directory"},
    {{"layout", "scale_32x8", "--rows", "9223372036854775807", "--k", "64"},
     "scale_32x8 of 9223372036854775807 x 2 bytes is larger than any buffer"},
    {{"layout", "scale_32x8", "--rows", "1", "--k", "9223372036854775776"}, "is larger than any buffer"},
    {{"layout", "codes_row_major", "--rows", "4294967296", "--k", "4294967296"}, "is larger than any buffer"},
    {{"report", "data/runs", "--check", "a.json", "b.json"}, "--check compares two runs"},
    {{"report", "-o", "page", "--check", "a.json", "b.json"}, "--check compares two runs"},
    {{"verify", "--json", "/"}, "--json: /: is a directory"},
    {{"verify", "--shapes", "bad\nname.csv"}, "'bad?name.csv'"},
    {{"explain"}, "nothing to explain: give --out FILE, or --codes and --scales"},
    {{"explain", "--out", "no/such.npy", "--expected", "no/such.npy"},
     "no/such.npy: No such file or directory"},
    {{"explain", "--out", "c.bin@bf16"},
     "raw files are written FILE@DTYPE:ROWSxCOLS, such as out.bin@bf16:16x2880"},
    {{"explain", "--out", "c.bin@bf17:4x4"}, "raw files are written FILE@DTYPE:ROWSxCOLS"},
    {{"explain", "--out", "c.bin@bf16:4x0"}, "raw files are written FILE@DTYPE:ROWSxCOLS"},
    {{"explain", "--policy", "odd"}, "--policy: unknown quantisation policy 'odd'"},
    {{"explain", "--packing", "middle-first"}, "--packing: "},
    {{"explain", "--scales", "s.npy"}, "quantised data needs --codes, --scales and --a"},
    {{"explain", "--k", "-1"}, "--k: -1 is too small, need at least 0 ("},
    {{"explain", "--k", "many"}, "--k: 'many' is no integer"},
    {{"explain", "--tile", "16"}, "--tile"},
    {{"explain", "--tile", "0", "16"}, "--tile: 0 is too small, need at least 1 ("},
    {{"explain", "--self-test", "--seed", "x"}, "--seed: 'x' is no seed: need an integer from 0"},
    {{"explain", "--self-test", "--seed", "18446744073709551616"}, "is no seed"},
    {{"explain", "--seed", "1"}, "--seed requires --self-test"},
    {{"explain", "--self-test", "--json", "report.json"}, "--json excludes --self-test"},
    {{"explain", "--a", "a.npy", "--codes", "c.npy", "--scales", "s.npy", "--out", "o.npy"},
     "--out: --codes and --scales are held against --a alone"},
    {{"explain", "--a", "a.npy", "--codes", "c.npy", "--scales", "s.npy", "--b", "b.npy"},
     "--b: --codes and"},
    {{"explain", "--out", "o.npy", "--codes-layout", "codes_16x16"}, "--codes-layout requires --codes"},
    {{"explain", "--out", "o.npy", "--b-scales", "s.npy"}, "--b-scales requires --b"},
    {{"explain", "--out", "o.npy", "--tile", "4", "4"}, "--tile requires --html"},
    {{"explain", "extra"}, "not expected: extra"},
    {{"identify"}, "FILE is required"},
    {{"identify", "s.npy", "--rows", "4"}, "--k"},
    {{"identify", "no/such.npy", "--rows", "4", "--k", "64"}, "no/such.npy: No such file or directory"},
    {{"identify", "s.npy", "--rows", "0", "--k", "64"},
     "--rows and --k must be positive and K a multiple of 32"},
    {{"identify", "s.npy", "--rows", "4", "--k", "33"}, "a multiple of 32, not 4 and 33"},
    {{"identify", "s.npy", "--rows", "4", "--k", "64", "--kind", "bytes"},
     "--kind: bytes not in {scales,codes}"},
    {{"probe-data"}, "probe-data needs -o FOLDER to write inputs, or --read FILE... to read outputs"},
    {{"probe-data", "--k", "48", "-o", "probe"}, "K a multiple of 32 up to 8192, not N = 64, K = 48"},
    {{"probe-data", "--n", "1000000000", "--k", "32", "-o", "probe"},
     "at most 67108864 elements, which is N = 2097152 for K = 32, not N = 1000000000"},
    {{"probe-data", "-o", "/proc/no"}, "/proc/no: cannot be made"},
    {{"probe-data", "--n", "20", "--k", "64", "-o", "/tmp", "--codes-layout", "codes_16x16"},
     "--codes-layout"},
    {{"probe-data", "-o", "/tmp", "--scales-layout", "codes_row_major"}, "is no layout of these bytes"},
    {{"probe-data", "--read", "no/such.npy"}, "no/such.npy: No such file or directory"},
    {{"probe-data", "--read", "c.npy", "--scales-layout", "codes_row_major"},
     "--scales-layout: codes_row_major is no layout of these bytes"},
    {{"probe-data", "-o", "probe", "--read", "c.npy"}, "excludes"},
    {{"layout", "scale_31x8"}, "scale_31x8"},
    {{"layout", "scale_32x8", "--k", "48"}, "K a multiple of 32, not 64 and 48"},
    {{"layout", "scale_32x8", "--at", "3"}, "--at: '3' is no coordinate; write ROW,K, such as 33,160"},
    {{"layout", "scale_32x8", "--at", "3,99999"}, "--at: 3,99999 is outside of 256 rows and 512 elements"},
    {{"layout", "scale_32x8", "--byte", "4096"}, "--byte: 4096 is outside of the buffer's 4096 bytes"},
    {{"layout", "codes_16x16", "--rows", "20"}, "codes_16x16"},
    {{"layout", "mfma"}, "layout mfma needs --html FILE"},
    {{"layout", "scale_32x8", "--html", "/no/such/page.html"}, "/no/such/page.html: "},
    {{"layout", "scale_32x8", "--convert", "s.npy"}, "--convert FILE needs --to LAYOUT and -o FILE"},
    {{"layout", "scale_32x8", "--convert", "s.npy", "--to", "codes_16x16", "-o", "t.npy"},
     "--to: scale_32x8 and codes_16x16 do not hold the same kind of bytes"},
    {{"layout", "scale_32x8", "--convert", "no/such.npy", "--to", "scale_128x4", "-o", "t.npy"},
     "no/such.npy: No such file or directory"},
    {{"layout", "scale_32x8", "--fill", "256"}, "--fill"},
    // Types that only kernels take.
    {{"quantize", MXPROOF_SOURCE_DIR "/data/golden/arrays/f64.npy", "-o", "q.safetensors"}, "f64 [2, 3]"},
    {{"gemm", "--a", MXPROOF_SOURCE_DIR "/data/golden/arrays/f64.npy", "--b",
      MXPROOF_SOURCE_DIR "/data/golden/arrays/f32.npy", "-o", "c.npy"},
     "f64"},
    {{"verify", "--a", MXPROOF_SOURCE_DIR "/data/golden/arrays/all.safetensors:i64", "--b",
      MXPROOF_SOURCE_DIR "/data/golden/arrays/f32.npy"},
     "found i64 [2, 3], need a two-dimensional bf16, f16 or f32 array"},
    {{"identify", MXPROOF_SOURCE_DIR "/data/golden/arrays/u8.npy@i8:2x67", "--rows", "4", "--k", "64"},
     "got i8 [2, 67], need scales or packed codes as u8"},
    {{"layout", "--convert", "s.npy", "--to", "scale_32x8", "-o", "o.npy"},
     "--convert needs a layout: mxproof layout NAME --convert ...; the name is missing"},
    {{"layout", "--at", "3,4"}, "--at needs a layout"},
    {{"layout", "--byte", "3"}, "--byte needs a layout"},
    {{"layout", "--html", "page.html"}, "--html needs a layout"},
    {{"layout", "--rows", "3"}, "--rows needs a layout"},
    {{"layout", "scale_32x8", "--to", "scale_128x4", "-o", "o.npy"}, "--to needs --convert FILE"},
    {{"layout", "scale_32x8", "--fill", "3"}, "--fill needs --convert FILE"},
    {{"layout", "scale_32x8", "--html", "page.html", "--at", "3,4"}, "--html writes a page and --at shows"},
    {{"layout", "scale_32x8", "--convert", "s.npy", "--to", "scale_128x4", "-o", "o.npy", "--at", "3,4"},
     "--convert writes a file and --at shows"},
    {{"layout", "mfma", "--rows", "3", "--html", "page.html"}, "--rows: layout mfma takes --html FILE alone"},
};

#ifndef MXPROOF_HAS_EMULATOR
TEST(BadInputs, AnEmulatorThatTheBuildDoesNotHave) {
  expect_refused({"verify", "--device", "emulator"}, "--device: this build has no emulator");
}
#endif

INSTANTIATE_TEST_SUITE_P(Flags, BadInputTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return "case" + std::to_string(test.index); });

class BadFiles : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.file(name); }
  std::string write(const std::string& name, const Matrix<Bf16>& matrix) const {
    const Status status = write_array(file(name), to_array(matrix));
    EXPECT_TRUE(status.ok()) << status.message();
    return file(name);
  }
  static void expect(const std::string& a, const std::string& b, const std::string& says) {
    expect_refused({"verify", "--a", a, "--b", b}, says);
  }

 private:
  TempFolder folder_;
};

TEST_F(BadFiles, AreNamed) {
  const std::string good = write("good.npy", Matrix<Bf16>(2, 64));
  expect(file("absent.npy"), good, file("absent.npy") + ": No such file");
  expect(good, file("absent.safetensors:w"), file("absent.safetensors") + ": No such file");
  expect(good, "weights.bin", "weights.bin: need a file named *.npy or *.safetensors[:TENSOR]");
  const std::string text = file("text.npy");
  std::ofstream(text) << "not an array";
  expect(text, good, text + ": not a .npy file");
  expect(good, write("narrow.npy", Matrix<Bf16>(16, 32)), "[16, 32] does not fit A [2, 64]");
  expect(good, write("transposed.npy", Matrix<Bf16>(64, 16)), "this one looks transposed");
  expect(write("empty.npy", Matrix<Bf16>(0, 64)), good, "holds no element");
  const std::string odd_a = write("odd_a.npy", Matrix<Bf16>(2, 33));
  expect(odd_a, write("odd_b.npy", Matrix<Bf16>(16, 33)), odd_a + ": K = 33 is no multiple of 32");
}

/// Files for explain, identify, layout and probe-data: C is [4, 16], A [4, 64], B [16, 64].
class BadExplainFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const Array& array) const {
    const Status status = write_array(folder_.file(name), array);
    EXPECT_TRUE(status.ok()) << status.message();
    return folder_.file(name);
  }
  std::string bf16(const std::string& name, int64_t rows, int64_t cols, Bf16 value = Bf16{0x3f80}) const {
    return write(name, to_array(Matrix<Bf16>(rows, cols, value)));
  }
  std::string bytes(const std::string& name, int64_t rows, int64_t cols) const {
    return write(name, to_array(Matrix<uint8_t>(rows, cols)));
  }
  /// The first `size` bytes of a good file.
  std::string cut(const std::string& name, const std::string& from, std::streamsize size) const {
    std::vector<char> start(static_cast<size_t>(size));
    std::ifstream(from, std::ios::binary).read(start.data(), size);
    std::ofstream(folder_.file(name), std::ios::binary).write(start.data(), size);
    return folder_.file(name);
  }
  std::string path(const std::string& name) const { return folder_.file(name); }

 private:
  TempFolder folder_;
};

TEST_F(BadExplainFiles, OutputsAndExpectedOnes) {
  const std::string good = bf16("good.npy", 4, 16);
  const auto refused = [&](const std::string& out, const std::string& expected, const std::string& says) {
    expect_refused({"explain", "--out", out, "--expected", expected}, says);
  };
  refused(path("absent.npy"), good, path("absent.npy") + ": No such file");
  refused(good, path("absent.npy"), path("absent.npy") + ": No such file");
  refused(bytes("bytes.npy", 4, 16), good, path("bytes.npy") + ": ");
  refused(bf16("narrow.npy", 4, 15), good, "the output is [4, 15], but the other parts make it [4, 16]");
  refused(bf16("empty.npy", 0, 16), good, path("empty.npy") + ": bf16 [0, 16] holds no element");
  refused(good, bf16("empty.npy", 0, 16), path("empty.npy") + ": bf16 [0, 16] holds no element");
  refused(cut("cut.npy", good, 200), good, path("cut.npy") + ": ");
  refused(cut("header.npy", good, 20), good, path("header.npy") + ": ");
  refused(cut("nothing.npy", good, 0), good, path("nothing.npy") + ": ");
  refused(good + "@bf16:4x16", good, "bytes, but bf16:4x16 takes 128");
  expect_refused({"explain", "--out", good}, "what is right? give --a and --b, or --expected");
  expect_refused({"explain", "--out", good, "--expected", good, "--previous", bf16("previous.npy", 3, 16)},
                 "the earlier output is [3, 16]");
  expect_refused({"explain", "--out", good, "--expected", good, "--html", "/no/such/map.html"},
                 "/no/such/map.html: ");
}

TEST_F(BadExplainFiles, NanInExpectedIsRefused) {
  const std::string good = bf16("good.npy", 4, 16);
  const std::string nan = bf16("nan.npy", 4, 16, Bf16{0x7fc0});
  expect_refused(
      {"explain", "--out", good, "--expected", nan},
      "--expected: " + nan + " holds 64 NaN, the first at (0,0), and no output can be held against that");
  const ProgramResult meant = run_mxproof({"explain", "--out", nan, "--expected", nan, "--nan-expected"});
  EXPECT_EQ(meant.exit_code, 0) << meant.err;
  EXPECT_THAT(meant.out, StartsWith("right: all 64 outputs are as expected"));
}

TEST_F(BadExplainFiles, Operands) {
  const std::string out = bf16("c.npy", 4, 16);
  const std::string a = bf16("a.npy", 4, 64);
  const std::string b = bf16("b.npy", 16, 64);
  const auto refused = [&](const std::string& with_a, const std::string& with_b, const std::string& says) {
    expect_refused({"explain", "--out", out, "--a", with_a, "--b", with_b}, says);
  };
  refused(path("absent.npy"), b, path("absent.npy") + ": No such file");
  refused(a, bf16("short.npy", 16, 32), "32");
  expect_refused({"explain", "--out", out, "--a", a, "--b", b, "--k", "128"}, "--k: 128, but A has K = 64");
  expect_refused({"explain", "--out", out, "--expected", out, "--b", b, "--k", "32"}, "but B has K = 64");
  refused(bf16("odd.npy", 4, 33), b, path("odd.npy") + ": ");
  refused(bytes("codes.npy", 4, 32), b, path("codes.npy") + ": got u8 [4, 32]; need numbers to quantise");
  refused(bf16("tall.npy", 5, 64), b, "[4, 16]");
  expect_refused({"explain", "--out", out, "--expected", out, "--a", bf16("tall.npy", 5, 64)},
                 "A is [5, 64]");
  expect_refused({"explain", "--out", out, "--expected", out, "--b", a}, "B is [4, 64]");
}

TEST_F(BadExplainFiles, QuantisedData) {
  const std::string a = bf16("a.npy", 4, 64);
  const std::string codes = bytes("codes.npy", 4, 32);
  const std::string scales = bytes("scales.npy", 4, 2);
  const auto refused = [&](const std::string& with_codes, const std::string& with_scales,
                           const std::string& says) {
    expect_refused({"explain", "--a", a, "--codes", with_codes, "--scales", with_scales}, says);
  };
  refused(path("absent.npy"), scales, path("absent.npy") + ": No such file");
  refused(scales, scales,
          path("scales.npy") + ": 8 bytes, but codes_row_major of 4 rows and K = 64 takes 128");
  refused(codes, codes, path("codes.npy") + ": 128 bytes, but scale_row_major of 4 rows and K = 64 takes 8");
  refused(bf16("floats.npy", 4, 16), scales,
          path("floats.npy") + ": got bf16 [4, 16], need scales or packed codes");
  expect_refused(
      {"explain", "--a", a, "--codes", codes, "--scales", scales, "--scales-layout", "codes_16x16"},
      "--scales-layout: ");
  expect_refused({"explain", "--a", a, "--codes", codes, "--scales", scales, "--codes-layout", "cods"},
                 "--codes-layout: ");
}

TEST_F(BadExplainFiles, BuffersToIdentifyAndConvert) {
  const std::string scales = bytes("scales.npy", 4, 2);
  const std::string floats = bf16("floats.npy", 4, 2);
  const std::vector<std::string> identify = {"identify", "", "--rows", "4", "--k", "64"};
  const auto refused = [&](const std::string& file, const std::string& says) {
    std::vector<std::string> arguments = identify;
    arguments[1] = file;
    expect_refused(arguments, says);
  };
  refused(floats,
          path("floats.npy") + ": got bf16 [4, 2], need scales or packed codes as u8, e8m0 or an FP4 type");
  refused(bytes("long.npy", 5, 2),
          "10 bytes fit no layout of 4 rows and K = 64; sizes would be: scale_row_major 8");
  refused(bytes("empty.npy", 0, 2), path("empty.npy") + ": u8 [0, 2] holds no element");
  refused(cut("cut.npy", scales, 130), path("cut.npy") + ": ");
  expect_refused({"identify", scales, "--rows", "4", "--k", "64", "--original", floats}, "--original: ");
  expect_refused({"identify", scales, "--rows", "4", "--k", "64", "--original", bytes("other.npy", 4, 3)},
                 "the original has 12 bytes");
  expect_refused({"layout", "scale_row_major", "--rows", "4", "--k", "64", "--convert", floats, "--to",
                  "scale_32x8", "-o", path("to.npy")},
                 "got bf16 [4, 2]");
  expect_refused({"layout", "scale_row_major", "--rows", "5", "--k", "64", "--convert", scales, "--to",
                  "scale_32x8", "-o", path("to.npy")},
                 "8 bytes, but scale_row_major of 5 rows and K = 64 takes 10");
  expect_refused({"probe-data", "--n", "16", "--k", "64", "--read", scales}, path("scales.npy") + ": ");
  expect_refused({"probe-data", "--n", "16", "--k", "64", "--read", bf16("c.npy", 64, 16)},
                 "N = 16, K = 64 takes 3 code runs and 1 scale runs, not 1 and 0");
}

}  // namespace
}  // namespace mxproof
