#include "tools/explain/engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>

#include "tools/explain/corpus/lab.hpp"
#include "tools/explain/matcher.hpp"
#include "tools/explain/report.hpp"

namespace mxproof::explain {
namespace {

using testing::HasSubstr;

Mxfp4Matrix swapped_nibbles(Mxfp4Matrix m) {
  for (uint8_t& byte : m.codes) byte = static_cast<uint8_t>(byte << 4 | byte >> 4);
  return m;
}

TEST(Engine, AnswersRightForARightOutput) {
  const Lab lab({16, 32, 256}, 1);
  const Expected<Explanation> e = explain(lab.output(lab.right));
  ASSERT_TRUE(e);
  EXPECT_EQ(e->answer, Answer::right);
  EXPECT_EQ(e->wrong, 0);
  EXPECT_THAT(e->headline(), HasSubstr("all 512 outputs are as expected"));
}

TEST(Engine, SameAnswerOnAnyNumberOfThreads) {
  const Lab lab({32, 64, 512}, 2);
  const Evidence evidence = lab.output(Lab::product(lab.a, swapped_nibbles(lab.b)));
  const Expected<Explanation> one = explain(evidence, {.threads = 1, .pairs = true, .progress = {}});
  const Expected<Explanation> four = explain(evidence, {.threads = 4, .pairs = true, .progress = {}});
  ASSERT_TRUE(one && four);
  EXPECT_EQ(one->headline(), four->headline());
  EXPECT_EQ(one->alternatives.size(), four->alternatives.size());
}

// Swapping the nibbles of A or of B permutes K alike: no output can tell which it was, and the answer says
// so.
TEST(Engine, NamesBothCausesWhenTheDataCannotTellThemApart) {
  const Lab lab({16, 32, 256}, 3);
  const Expected<Explanation> e = explain(lab.output(Lab::product(lab.a, swapped_nibbles(lab.b))));
  ASSERT_TRUE(e);
  ASSERT_EQ(e->answer, Answer::explained);
  std::string named = e->best->text;
  for (const Finding& f : e->alternatives) named += "|" + f.text;
  EXPECT_THAT(named, HasSubstr("A's nibbles"));
  EXPECT_THAT(named, HasSubstr("B's nibbles"));
}

// With a constant output every cause that multiplies by two is as good as another; a single one would be a
// guess.
TEST(Engine, OnesTestTimesTwoNamesEveryReading) {
  Mxfp4Matrix a(16, 128);
  Mxfp4Matrix b(32, 128);
  for (Mxfp4Matrix* m : {&a, &b}) {
    std::fill(m->codes.begin(), m->codes.end(), uint8_t{0x22});
    std::fill(m->scales.begin(), m->scales.end(), uint8_t{127});
  }
  Matrix<Bf16> twice(16, 32, to_bf16(256));
  const Expected<Explanation> e = explain(*output_evidence(a, b, twice));
  ASSERT_TRUE(e);
  ASSERT_TRUE(e->best);
  EXPECT_GT(e->alternatives.size(), 3u) << to_text(*e);
}

TEST(Engine, TooFewWrongCellsAreNotExplained) {
  const Lab lab({16, 32, 256}, 4);
  Matrix<Bf16> out = lab.right;
  out(3, 5) = to_bf16(out(3, 5).to_float() * 2);
  const Expected<Explanation> e = explain(lab.output(out));
  ASSERT_TRUE(e);
  EXPECT_NE(e->answer, Answer::explained) << to_text(*e);
  ASSERT_EQ(e->first.size(), 1u);
  EXPECT_EQ(e->first[0].at, (Coord{3, 5}));
  EXPECT_THAT(e->first[0].place,
              HasSubstr("byte 202; 16x16x128: lane 5 register 3; 32x32x64: lane 5 register 3"));
}

// Ten cells a step off could be a dozen things: what is explained must say more than the choice of the cause.
TEST(Engine, SmallDifferencesInAFewCellsAreNotExplained) {
  const Lab lab({16, 32, 256}, 41);
  Matrix<Bf16> out = lab.right;
  for (int64_t c = 0; c < 10; ++c) out(7, c).bits = static_cast<uint16_t>(out(7, c).bits - 1);
  const Expected<Explanation> e = explain(lab.output(out));
  ASSERT_TRUE(e);
  EXPECT_NE(e->answer, Answer::explained) << to_text(*e);
}

TEST(Engine, TwoCausesInDifferentPlacesAreBothNamed) {
  const Lab lab({32, 64, 256}, 42);
  Matrix<Bf16> out = Lab::product(lab.a, swapped_nibbles(lab.b));
  for (int64_t r = 0; r < 32; ++r) {
    for (int64_t c = 48; c < 64; ++c) out(r, c) = kPoisonBf16;
  }
  const Expected<Explanation> e = explain(lab.output(out));
  ASSERT_TRUE(e);
  ASSERT_EQ(e->answer, Answer::explained) << to_text(*e);
  EXPECT_THAT(e->best->causes, testing::UnorderedElementsAre("unwritten", "nibble-order")) << to_text(*e);
  EXPECT_THAT(e->headline(), HasSubstr("columns from 48 on"));
}

// "Unknown" comes with its pattern: here the codes of two blocks of K are shuffled.
TEST(Engine, UnknownShowsWhereAlongKItIs) {
  Lab lab({32, 64, 256}, 43);
  Mxfp4Matrix b = lab.b;
  for (int64_t r = 0; r < 64; ++r) {
    for (int64_t k = 0; k < 256; ++k) {
      if (k / 32 == 2 || k / 32 == 5) set_code(b, r, k, get_code(lab.b, r, k / 32 * 32 + (k * 11 + 5) % 32));
    }
  }
  const Expected<Explanation> e = explain(lab.output(Lab::product(lab.a, b)));
  ASSERT_TRUE(e);
  ASSERT_EQ(e->answer, Answer::unknown) << to_text(*e);
  const auto weights =
      std::ranges::find_if(e->patterns, [](const Pattern& p) { return p.name.starts_with("weights of K"); });
  ASSERT_NE(weights, e->patterns.end()) << to_text(*e);
  ASSERT_EQ(weights->values.size(), 8u);
  for (size_t i = 0; i < 8; ++i) EXPECT_NEAR(weights->values[i], i == 2 || i == 5 ? 0 : 1, 0.2) << i;
  EXPECT_THAT(to_text(*e), AllOf(HasSubstr("tiles of 16x16"), HasSubstr("lanes of a 16x16x128 result"),
                                 HasSubstr("a race looks like this too")));
}

TEST(Engine, NanForANumberIsWrong) {
  const Lab lab({16, 32, 256}, 5);
  Matrix<Bf16> out = lab.right;
  for (int64_t r = 0; r < 16; ++r) out(r, 7) = Bf16{0x7fc0};
  const Expected<Explanation> e = explain(lab.output(out));
  ASSERT_TRUE(e);
  EXPECT_EQ(e->wrong, 16);
  ASSERT_TRUE(e->best);
  EXPECT_EQ(e->best->causes.front(), "nan") << to_text(*e);
}

TEST(Engine, PartsThatDisagreeAreBadInput) {
  const Lab lab({16, 32, 256}, 6);
  Evidence evidence = lab.output(lab.right);
  evidence.runs.push_back(Matrix<Bf16>(16, 31));
  const Expected<Explanation> e = explain(evidence);
  ASSERT_FALSE(e);
  EXPECT_EQ(e.status().code(), StatusCode::bad_input);
  EXPECT_THAT(e.status().message(), HasSubstr("the output is [16, 31]"));
  EXPECT_EQ(explain(Evidence{}).status().code(), StatusCode::bad_input);
}

// Only expected and actual are known: what does not need the operands still works.
TEST(Engine, WorksWithoutOperands) {
  const Lab lab({16, 48, 256}, 7);
  Evidence evidence;
  evidence.expected = lab.right;
  Matrix<Bf16> transposed(16, 48);
  for (int64_t r = 0; r < 16; ++r) {
    for (int64_t c = 0; c < 48; ++c) transposed.data[static_cast<size_t>(c * 16 + r)] = lab.right(r, c);
  }
  evidence.runs.push_back(transposed);
  const Expected<Explanation> e = explain(evidence);
  ASSERT_TRUE(e);
  ASSERT_EQ(e->answer, Answer::explained) << to_text(*e);
  EXPECT_EQ(e->best->causes.front(), "transposed");
}

TEST(Engine, LargestBenchmarkShapeStaysWithinAGigabyte) {
  const Lab lab({256, 3072, 1536}, 8);
  const Evidence evidence = lab.output(Lab::product(lab.a, swapped_nibbles(lab.b)));
  double last = 0;
  const Expected<Explanation> e =
      explain(evidence, {.threads = 2, .pairs = true, .progress = [&](double done, std::string_view) {
                           EXPECT_GE(done, 0);
                           EXPECT_LE(done, 1);
                           last = done;
                         }});
  ASSERT_TRUE(e);
  EXPECT_EQ(e->answer, Answer::explained) << to_text(*e);
  EXPECT_EQ(last, 1);
  // Memory is part of the promise; a sanitizer's own shadow is not. Time is measured in bench/, not asserted
  // here.
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define MXPROOF_ADDRESS_SANITIZER
#endif
#endif
#if !defined(MXPROOF_ADDRESS_SANITIZER) && !defined(__SANITIZE_ADDRESS__)
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 1024 * 1024) << "kilobytes";
#endif
}

TEST(Matcher, SaysWhyATestIsRed) {
  const Lab lab({16, 32, 256}, 9);
  EXPECT_THAT(lab.right, IsProductOf(lab.a, lab.b));
  testing::StringMatchResultListener listener;
  EXPECT_FALSE(testing::ExplainMatchResult(IsProductOf(lab.a, lab.b),
                                           Lab::product(lab.a, swapped_nibbles(lab.b)), &listener));
  EXPECT_THAT(listener.str(), HasSubstr("explained: A's nibbles are swapped in every byte"));
  EXPECT_THAT(lab.a, IsQuantised(widen(lab.a_values), QuantPolicy{}));
}

TEST(Report, JsonCarriesTheAnswer) {
  const Lab lab({16, 32, 256}, 10);
  const Expected<Explanation> e = explain(lab.output(Lab::product(swapped_nibbles(lab.a), lab.b)));
  ASSERT_TRUE(e);
  const nlohmann::json json = to_json(*e);
  EXPECT_EQ(json["answer"], "explained");
  EXPECT_EQ(json["best"]["causes"][0], "nibble-order");
  EXPECT_EQ(json["wrong"], e->wrong);
  EXPECT_FALSE(json["first"].empty());
}

}  // namespace
}  // namespace mxproof::explain
