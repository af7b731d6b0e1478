// `mxproof explain` as its users run it: on files of every kind, with its exit codes and what it writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/array/file.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/tools/run_program.hpp"
#include "tools/explain/corpus/lab.hpp"

namespace mxproof {
namespace {

using explain::Lab;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class ExplainCommand : public testing::Test {
 protected:
  ExplainCommand() {
    a_ = write("a.npy", to_array(lab_.a_values));
    right_ = write("right.npy", to_array(lab_.right));
    Mxfp4Matrix swapped = lab_.b;
    for (uint8_t& byte : swapped.codes) byte = static_cast<uint8_t>(byte << 4 | byte >> 4);
    wrong_ = write("wrong.npy", to_array(Lab::product(lab_.a, swapped)));
    codes_ = write("codes.npy", bytes(lab_.b.codes, 128));
    scales_ = write("scales.npy", bytes(lab_.b.scales, 8));
  }
  std::string path(const std::string& name) const { return folder_.file(name); }
  std::string write(const std::string& name, const Array& array) const {
    const Status status = write_array(path(name), array);
    EXPECT_TRUE(status.ok()) << status.message();
    return path(name);
  }
  /// The bytes alone, without a header.
  std::string write_raw(const std::string& name, std::span<const uint8_t> raw) const {
    std::ofstream(path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(raw.data()), static_cast<std::streamsize>(raw.size()));
    return path(name);
  }
  static Array bytes(const std::vector<uint8_t>& data, int64_t cols) {
    Matrix<uint8_t> m(static_cast<int64_t>(data.size()) / cols, cols);
    m.data = data;
    return to_array(m);
  }

  Lab lab_{{16, 48, 256}, 77};
  std::string a_, right_, wrong_, codes_, scales_;

 private:
  TempFolder folder_;
};

TEST_F(ExplainCommand, NamesTheCauseFromFilesOfEveryKind) {
  const std::string raw_codes = write_raw("b.bin", lab_.b.codes) + "@u8:48x128";
  const std::string raw_scales = write_raw("s.bin", lab_.b.scales) + "@u8:48x8";
  ASSERT_TRUE(write_safetensors(path("b.safetensors"),
                                {{"codes", bytes(lab_.b.codes, 128)}, {"scales", bytes(lab_.b.scales, 8)}})
                  .ok());
  const std::vector<std::string> operands[] = {{"--b", codes_, "--b-scales", scales_},
                                               {"--b", raw_codes, "--b-scales", raw_scales},
                                               {"--b", path("b.safetensors")}};
  for (const std::vector<std::string>& b : operands) {
    std::vector<std::string> arguments = {"explain", "--a", a_, "--out", right_};
    arguments.insert(arguments.end(), b.begin(), b.end());
    const ProgramResult right = run_mxproof(arguments);
    EXPECT_EQ(right.exit_code, 0) << right.err;
    EXPECT_EQ(right.out, "right: all 768 outputs are as expected\n");
    arguments[4] = wrong_;
    const ProgramResult wrong = run_mxproof(arguments);
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_EQ(wrong.err, "");
    EXPECT_THAT(wrong.out, StartsWith("explained: A's nibbles are swapped in every byte"));
    EXPECT_THAT(wrong.out, HasSubstr("this data cannot tell it from: B's nibbles are swapped in every byte"));
  }
}

TEST_F(ExplainCommand, WritesJsonAndAPageThatNeedsNoNetwork) {
  const ProgramResult result =
      run_mxproof({"explain", "--a", a_, "--b", codes_, "--b-scales", scales_, "--out", wrong_, "--json",
                   path("why.json"), "--html", path("why.html"), "--tile", "16", "32"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const nlohmann::json json = nlohmann::json::parse(text_of(path("why.json")));
  EXPECT_EQ(json["answer"], "explained");
  EXPECT_EQ(json["best"]["causes"], nlohmann::json({"nibble-order"}));
  const std::string page = text_of(path("why.html"));
  EXPECT_THAT(page,
              AllOf(HasSubstr("nibbles are swapped"), HasSubstr("tiles of 16 x 32"), HasSubstr("<svg")));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("src=")), Not(HasSubstr("<link")), Not(HasSubstr("@import"))));
}

TEST_F(ExplainCommand, SeveralRunsThatDifferAreUnstable) {
  const ProgramResult result =
      run_mxproof({"explain", "--expected", right_, "--out", right_, "--out", wrong_});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, StartsWith("unstable: 2 distinct outputs in 2 runs of the same call"));
  EXPECT_EQ(run_mxproof({"explain", "--expected", right_, "--out", right_, "--out", right_}).exit_code, 0);
}

TEST_F(ExplainCommand, SaysWhenTheExpectationIsNotTheProduct) {
  const ProgramResult result = run_mxproof(
      {"explain", "--a", a_, "--b", codes_, "--b-scales", scales_, "--out", right_, "--expected", wrong_});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("--expected differs from the exact product of A and B in "));
}

TEST_F(ExplainCommand, ReportsQuantisedDataBlockByBlock) {
  std::vector<uint8_t> low = lab_.a.scales;
  for (uint8_t& byte : low) byte = static_cast<uint8_t>(byte - 2);
  const std::string codes = write("a_codes.npy", bytes(lab_.a.codes, 128));
  const std::string right = write("a_scales.npy", bytes(lab_.a.scales, 8));
  EXPECT_EQ(run_mxproof({"explain", "--a", a_, "--codes", codes, "--scales", right}).exit_code, 0);
  const ProgramResult result =
      run_mxproof({"explain", "--a", a_, "--codes", codes, "--scales", write("low.npy", bytes(low, 8))});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("factor 0.25"), HasSubstr("scale byte, got minus wanted: -2: 128")));
}

// bf16 that is kept as f32 is taken as it is; f32 that had to be rounded is said to be.
TEST_F(ExplainCommand, SaysWhenItRoundedTheOutput) {
  Matrix<float> kept = explain::widen(lab_.right);
  EXPECT_EQ(
      run_mxproof({"explain", "--expected", right_, "--out", write("kept.npy", to_array(kept))}).exit_code,
      0);
  for (int64_t r = 0; r < lab_.shape.m; ++r) {
    for (int64_t c = 0; c < lab_.shape.n; ++c) kept(r, c) = lab_.sums(r, c) * (1 + 2e-6f);
  }
  const std::string b = write("b.npy", to_array(lab_.b_values));
  const std::string finer = write("finer.npy", to_array(kept));
  const ProgramResult result = run_mxproof({"explain", "--a", a_, "--b", b, "--out", finer});
  EXPECT_THAT(result.out, AllOf(HasSubstr("rounded to bf16"), HasSubstr("smaller errors are not seen"),
                                Not(HasSubstr("ties away"))));
}

TEST_F(ExplainCommand, ListsItsCauses) {
  const ProgramResult result = run_mxproof({"explain", "--causes"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* cause : {"nibble-order", "scale-layout", "index-overflow", "k-blocks", "output-format"})
    EXPECT_THAT(result.out, HasSubstr(cause));
}

}  // namespace
}  // namespace mxproof
