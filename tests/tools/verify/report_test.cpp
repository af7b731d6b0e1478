#include "tools/verify/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mxproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kDevice = "a device";

VerifyRow make_row(Verdict verdict) {
  VerifyRow row{{32, 2880, 512}, "staged", "staged: tile 64x128", {}};
  Comparison& c = row.comparison;
  c.verdict = verdict;
  c.outputs = 32 * 2880;
  c.bit_equal = c.outputs;
  c.exact_zone_share = 0.99995;
  return row;
}

VerifyRow make_mismatch() {
  VerifyRow row = make_row(Verdict::mismatch);
  Comparison& c = row.comparison;
  c.mismatches = 5;
  c.max_ulp = 2;
  c.by_difference[static_cast<int>(Difference::value)] = 4;
  c.by_difference[static_cast<int>(Difference::unwritten)] = 1;
  for (int i = 0; i < 5; ++i)
    c.examples.push_back(
        {i, 17, {0x3f80}, {static_cast<uint16_t>(0x3f81 + i)}, Difference::value, i != 0, false, ""});
  c.first = c.examples.front();
  return row;
}

VerifyOptions with_seed(uint64_t seed) {
  VerifyOptions options;
  options.seed = seed;
  return options;
}

std::string line_of(const VerifyRow& row) {
  return make_verify_table({row.shape}, kDevice, false).row(verify_cells(row, kDevice));
}

TEST(VerifyTable, RowsHoldEveryColumn) {
  EXPECT_EQ(make_verify_table({{32, 2880, 512}}, kDevice, false).head(),
            "MxNxK        path        device    verdict       mismatches  max ulp  exact zone\n"
            "-----------  ----------  --------  ------------  ----------  -------  ----------\n");
  EXPECT_EQ(line_of(make_row(Verdict::bit_equal)),
            "32x2880x512  staged      a device  bit-equal              0        0     99.99 %\n");
  EXPECT_EQ(line_of(make_mismatch()),
            "32x2880x512  staged      a device  mismatch               5        2     99.99 %\n");
  EXPECT_EQ(line_of(make_row(Verdict::refused)),
            "32x2880x512  staged      a device  refused                -        -           -\n");
}

TEST(VerifyNotes, SayNothingAboutBitEqualRows) {
  EXPECT_EQ(verify_notes({make_row(Verdict::bit_equal)}, with_seed(7)), "");
}

TEST(VerifyNotes, ShowTheFirstMismatchesWithTheirBits) {
  const std::string notes = verify_notes({make_mismatch()}, with_seed(7));
  EXPECT_THAT(
      notes,
      AllOf(HasSubstr("32x2880x512 staged: mismatch: 5 of 92160 outputs differ (1 unwritten, 4 value)"),
            HasSubstr(
                "C[0][17]  expected 0x3f80 (1)  actual 0x3f81 (1.0078125)  value, outside the exact zone"),
            HasSubstr("C[1][17]  expected 0x3f80 (1)  actual 0x3f82 (1.015625)  value, in the exact zone"),
            HasSubstr("C[2][17]"), Not(HasSubstr("C[3][17]")), Not(HasSubstr("every output is zero")),
            HasSubstr("repeat: mxproof verify --shapes 32x2880x512 --path staged --seed 7\n")));
}

TEST(VerifyNotes, SayThatEveryOutputIsZero) {
  VerifyRow row = make_mismatch();
  row.comparison.all_zero = true;
  EXPECT_THAT(verify_notes({row}, with_seed(7)), HasSubstr("; every output is zero\n"));
}

TEST(VerifyNotes, RepeatWithTheSameRules) {
  VerifyOptions options = with_seed(7);
  options.acceptance = Acceptance::ulp(2);
  options.policy = *quant_preset("nvidia");
  EXPECT_THAT(verify_notes({make_mismatch()}, options),
              AllOf(HasSubstr("--seed 7 --policy nvidia --accept 'ulp 2'\n"),
                    HasSubstr("the reference quantised by 'nvidia'; the kernels quantise A by 'even'")));
  options.a_file = "a.npy";
  options.b_file = "b.safetensors:w";
  EXPECT_THAT(
      verify_notes({make_mismatch()}, options),
      HasSubstr("repeat: mxproof verify --a a.npy --b b.safetensors:w --path staged --policy nvidia"));
}

TEST(VerifyNotes, GiveTheReasonOfRefusalsAndErrorsInOneLine) {
  VerifyRow row =
      row_without_run({1, 17, 64}, Route::staged, {}, Status::refused("N = 17\nis no multiple of 16"));
  EXPECT_EQ(row.comparison.verdict, Verdict::refused);
  EXPECT_EQ(verify_notes({row}, with_seed(7)), "1x17x64 staged: refused: N = 17?is no multiple of 16\n");
  row = row_without_run({1, 17, 64}, std::nullopt, {}, Status::device("it broke"));
  EXPECT_EQ(row.comparison.verdict, Verdict::error);
  EXPECT_THAT(verify_notes({row}, with_seed(7)), HasSubstr("1x17x64 auto: error: it broke\n    repeat: "));
}

TEST(VerifySummary, CountsVerdicts) {
  EXPECT_EQ(verify_summary({make_row(Verdict::bit_equal), make_row(Verdict::within_bound), make_mismatch()},
                           kDevice),
            "2 of 3 pass (1 bit-equal, 1 within-bound, 1 mismatch) on a device");
  EXPECT_THAT(verify_summary({make_row(Verdict::refused)}, kDevice),
              HasSubstr("nothing ran, which is no pass"));
}

TEST(AllPass, NeedsARunAndNothingElse) {
  EXPECT_FALSE(all_pass({}));
  EXPECT_TRUE(all_pass({make_row(Verdict::bit_equal), make_row(Verdict::within_bound)}));
  for (const Verdict verdict : {Verdict::mismatch, Verdict::refused, Verdict::error})
    EXPECT_FALSE(all_pass({make_row(Verdict::bit_equal), make_row(verdict)})) << name_of(verdict);
}

TEST(VerifyJson, HoldsWhatTheTableAndTheNotesHold) {
  const DeviceInfo device{.name = kDevice, .arch = "gfx950", .runtime = "HIP 7"};
  const nlohmann::json json = verify_json({make_mismatch()}, device, with_seed(7));
  const nlohmann::json& row = json["results"][0];
  EXPECT_EQ(row["m"], 32);
  EXPECT_EQ(row["n"], 2880);
  EXPECT_EQ(row["k"], 512);
  EXPECT_EQ(row["path"], "staged");
  EXPECT_EQ(row["device"], kDevice);
  EXPECT_EQ(row["policy"], "even");
  EXPECT_EQ(row["accept"], "exact-zone");
  EXPECT_EQ(row["verdict"], "mismatch");
  EXPECT_EQ(row["mismatches"], 5);
  EXPECT_EQ(row["max_ulp"], 2);
  EXPECT_EQ(row["differences"]["unwritten"], 1);
  EXPECT_EQ(row["examples"].size(), 5u);
  EXPECT_EQ(row["examples"][0]["expected_bits"], "0x3f80");
  EXPECT_EQ(json["build"]["device"], kDevice);
  EXPECT_EQ(json["build"]["driver"], "HIP 7");
  EXPECT_EQ(json["inputs"]["seed"], 7);
}

}  // namespace
}  // namespace mxproof
