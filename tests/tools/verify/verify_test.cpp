// `mxproof verify` from end to end on the emulator, or on the GPU of a build that has none: small shapes,
// every path, files, JSON, a terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/array/file.hpp"
#include "common/random/fill.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/tools/run_program.hpp"

namespace mxproof {
namespace {

constexpr std::string_view kDevice = MXPROOF_TEST_DEVICE;
constexpr std::string_view kEmulatedName = "gfx950 (emulated)";

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Verify : public testing::Test {
 protected:
  static ProgramResult verify(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"verify", "--device", std::string(kDevice)});
    return run_mxproof(arguments);
  }
  std::string file(const std::string& name) const { return folder_.file(name); }
  json report() const {
    std::ifstream stream(file("report.json"));
    return json::parse(stream, nullptr, false);
  }

 private:
  TempFolder folder_;
};

TEST_F(Verify, EveryPathOfSmallShapesIsBitEqual) {
  const ProgramResult result =
      verify({"--shapes", "1x16x64,5x48x128,33x32x192", "--path", "all", "--json", file("report.json")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b"))) << "no colour in a file";
  const json report = this->report();
  const std::string device = report["build"]["device"];
  EXPECT_EQ(device == kEmulatedName, kDevice == "emulator") << device;
  EXPECT_THAT(result.out, HasSubstr("12 of 12 pass (12 bit-equal) on " + device + "\n"));
  ASSERT_EQ(report["results"].size(), 12u);
  for (const json& row : report["results"]) {
    EXPECT_EQ(row["verdict"], "bit-equal");
    EXPECT_EQ(row["outputs"], row["m"].get<int64_t>() * row["n"].get<int64_t>());
    EXPECT_EQ(row["bit_equal"], row["outputs"]);
  }
}

// The fields that others may rely on, with their types.
TEST_F(Verify, JsonHasItsFields) {
  ASSERT_EQ(verify({"--shapes", "2x16x64,2x16x33", "--seed", "3", "--json", file("report.json")}).exit_code,
            1);
  const json report = this->report();
  ASSERT_EQ(report["results"].size(), 2u);
  for (const json& row : report["results"]) {
    for (const char* key :
         {"m", "n", "k", "outputs", "bit_equal", "mismatches", "accepted", "non_finite", "max_ulp"})
      EXPECT_TRUE(row[key].is_number_integer()) << key;
    for (const char* key : {"path", "plan", "device", "policy", "accept", "verdict", "message"})
      EXPECT_TRUE(row[key].is_string()) << key;
    EXPECT_TRUE(row["exact_zone_share"].is_number_float());
    EXPECT_TRUE(row["all_zero"].is_boolean());
    EXPECT_TRUE(row["examples"].is_array());
    for (const char* key : {"unwritten", "nan", "inf", "sign-of-zero", "value"})
      EXPECT_TRUE(row["differences"][key].is_number_integer()) << key;
  }
  for (const char* key : {"version", "commit", "compiler", "flags", "build_type", "platform", "device",
                          "architecture", "driver"})
    EXPECT_TRUE(report["build"][key].is_string()) << key;
  EXPECT_EQ(report["inputs"]["seed"], 3);
}

TEST_F(Verify, NothingRanIsNoPass) {
  const ProgramResult result = verify({"--shapes", "2x17x33,2x16x33"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("2x17x33 auto: refused: "), HasSubstr("K = 33 is no multiple of 32"),
                    HasSubstr("0 of 2 pass (2 refused)"), HasSubstr("nothing ran, which is no pass")));
}

TEST_F(Verify, ASeedGivesTheSameReportAgain) {
  std::vector<json> reports;
  for (int run = 0; run < 2; ++run) {
    ASSERT_EQ(verify({"--shapes", "3x32x128", "--seed", "0x2a", "--json", file("report.json")}).exit_code, 0);
    reports.push_back(report());
  }
  EXPECT_EQ(reports[0], reports[1]);
  EXPECT_EQ(reports[0]["inputs"]["seed"], 42);
}

// A wrong rule for the reference must show: the kernels quantise by `even`, `nvidia` rounds more scales up.
TEST_F(Verify, AnotherQuantisationPolicyIsAMismatch) {
  const ProgramResult result =
      verify({"--shapes", "16x64x512", "--policy", "nvidia", "--seed", "5", "--json", file("report.json")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("mismatch"), HasSubstr("C[0]["), HasSubstr("expected 0x"),
                                HasSubstr("the reference quantised by 'nvidia'"),
                                HasSubstr("explained: A was quantised with scale rule even instead of rceil"),
                                HasSubstr("--seed 5 --policy nvidia")));
  EXPECT_GT(report()["results"][0]["mismatches"], 0);
}

TEST_F(Verify, TensorsFromFiles) {
  const Matrix<Bf16> a = normal_matrix(7, 128, 1, TensorId::test);
  Matrix<float> b(48, 128);
  for (size_t i = 0; i < b.data.size(); ++i) b.data[i] = static_cast<float>(i % 37) * 0.123f - 2;
  ASSERT_TRUE(write_array(file("a.npy"), to_array(a)).ok());
  ASSERT_TRUE(
      write_safetensors(file("b.safetensors"), {{"other", to_array(a)}, {"up.weight", to_array(b)}}).ok());
  const ProgramResult result = verify({"--a", file("a.npy"), "--b", file("b.safetensors:up.weight"), "--path",
                                       "all", "--json", file("report.json")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("inputs: A from " + file("a.npy")), HasSubstr("7x48x128"),
                                HasSubstr("4 of 4 pass (4 bit-equal)")));
  EXPECT_EQ(report()["inputs"]["b"], file("b.safetensors:up.weight"));
}

// Equal NaN is what a kernel that computes nothing gives, too.
TEST_F(Verify, NanThatIsExpectedVerifiesNothing) {
  Matrix<Bf16> a = normal_matrix(4, 128, 1, TensorId::a);
  ASSERT_TRUE(write_array(file("b.npy"), to_array(normal_matrix(48, 128, 1, TensorId::b))).ok());
  const auto of = [&](const char* name) {
    EXPECT_TRUE(write_array(file(name), to_array(a)).ok());
    return verify(
        {"--a", file(name), "--b", file("b.npy"), "--path", "one_kernel", "--json", file("report.json")});
  };
  a(1, 7) = Bf16{0x7fc0};
  const ProgramResult some = of("some.npy");
  EXPECT_EQ(some.exit_code, 0) << some.out << some.err;
  EXPECT_THAT(some.out,
              HasSubstr("4x48x128 one_kernel: 48 of 192 expected outputs are NaN or Inf; the exact zone"));
  EXPECT_EQ(report()["results"][0]["non_finite"], 48);
  for (Bf16& value : a.data) value = Bf16{0x7fc0};
  const ProgramResult all = of("all.npy");
  EXPECT_EQ(all.exit_code, 1) << all.out << all.err;
  EXPECT_THAT(all.out, AllOf(HasSubstr("error: all 192 expected outputs are NaN or Inf"),
                             HasSubstr("0 of 1 pass"), Not(HasSubstr("100.00 %"))));
}

TEST_F(Verify, OnATerminalThereIsAProgressBarAndColour) {
  const std::vector<std::string> arguments = {"verify", "--device", std::string(kDevice), "--shapes",
                                              "2x16x64"};
  const ProgramResult plain = run_mxproof_on_terminal(arguments, {"NO_COLOR="});
  EXPECT_EQ(plain.exit_code, 0) << plain.out;
  EXPECT_THAT(plain.out, AllOf(HasSubstr("[####"), HasSubstr("1 of 1  2x16x64: reference"),
                               HasSubstr("\x1b[32mbit-equal\x1b[0m")));
  const ProgramResult colourless = run_mxproof_on_terminal(arguments, {"NO_COLOR=1"});
  EXPECT_THAT(colourless.out, AllOf(HasSubstr("[####"), HasSubstr("bit-equal"), Not(HasSubstr("\x1b[32m"))));
}

}  // namespace
}  // namespace mxproof
