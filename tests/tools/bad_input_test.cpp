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
    {{"verify", "--json", "/"}, "--json: /: is a directory"},
    {{"verify", "--shapes", "bad\nname.csv"}, "'bad?name.csv'"},
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

}  // namespace
}  // namespace mxproof
