#include "tools/verify/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mxproof {
namespace {

using testing::ElementsAre;
using testing::Optional;

TEST(ParseFlags, DefaultsAreTheTenShapesAndTheRouter) {
  const auto options = parse_flags({});
  ASSERT_TRUE(options) << options.status().message();
  EXPECT_EQ(options->shapes.size(), 10u);
  EXPECT_THAT(options->paths, ElementsAre(std::nullopt));
  EXPECT_EQ(options->policy.name, QuantPolicy{}.name);
  EXPECT_EQ(options->acceptance, Acceptance::exact_zone());
}

TEST(ParseFlags, DrawsAnotherSeedEachTime) {
  // Two draws of 64 bits are equal once in 2^64 runs.
  EXPECT_NE(parse_flags({})->seed, parse_flags({})->seed);
}

TEST(ParseFlags, ReadsSeeds) {
  VerifyFlags flags;
  for (const auto& [text, seed] :
       {std::pair("0", uint64_t{0}), std::pair("18446744073709551615", UINT64_MAX),
        std::pair("0xfFfFfFfFfFfFfFfF", UINT64_MAX), std::pair("0X10", uint64_t{16})}) {
    flags.seed = text;
    const auto options = parse_flags(flags);
    ASSERT_TRUE(options) << text;
    EXPECT_EQ(options->seed, seed) << text;
  }
}

TEST(ParseFlags, ReadsPaths) {
  VerifyFlags flags;
  flags.path = "staged,auto,one_kernel";
  EXPECT_THAT(parse_flags(flags)->paths,
              ElementsAre(Optional(Route::staged), std::nullopt, Optional(Route::one_kernel)));
  flags.path = "all";
  EXPECT_THAT(parse_flags(flags)->paths, ElementsAre(Optional(Route::one_kernel), Optional(Route::fused),
                                                     Optional(Route::staged), Optional(Route::direct)));
}

TEST(ParseFlags, FilesReplaceShapes) {
  VerifyFlags flags;
  flags.a = "a.npy";
  flags.b = "b.npy";
  const auto options = parse_flags(flags);
  ASSERT_TRUE(options) << options.status().message();
  EXPECT_TRUE(options->shapes.empty());
}

}  // namespace
}  // namespace mxproof
