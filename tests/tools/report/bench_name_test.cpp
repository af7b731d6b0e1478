#include "tools/report/bench_name.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mxproof::report {
namespace {

TEST(BenchName, NamesItsParts) {
  const auto name = parse_bench_name("staged/64x7168x2048/cold/graph");
  ASSERT_TRUE(name.ok()) << name.status().message();
  EXPECT_EQ(*name, (BenchName{"staged", {64, 7168, 2048}, "cold", "graph"}));
  EXPECT_EQ(name->shape_text(), "64x7168x2048");
}

TEST(BenchName, SuffixesOfTheLibraryAreIgnored) {
  const auto name = parse_bench_name("fused/4x2880x512/hot/eager/iterations:10/repeats:9/manual_time");
  ASSERT_TRUE(name.ok()) << name.status().message();
  EXPECT_EQ(name->launch, "eager");
}

TEST(BenchName, WorkWithoutAShapeIsAny) {
  const auto name = parse_bench_name("empty_launch/any/hot/graph");
  ASSERT_TRUE(name.ok());
  EXPECT_EQ(name->shape_text(), "any");
}

TEST(BenchName, AnythingElseIsBadInput) {
  for (const char* text :
       {"", "BM_Sort", "BM_Sort/1024", "a/b/c/d", "staged/4x2880/cold/graph", "staged/4x2880x0/cold/graph",
        "staged/4x2880x512x1/cold/graph", "staged/4x2880x512/warm/graph", "staged/4x2880x512/cold/stream",
        "/4x2880x512/cold/graph", "staged/-4x2880x512/cold/graph",
        "staged/4x2880x99999999999999999999/cold/graph"}) {
    const auto name = parse_bench_name(text);
    ASSERT_FALSE(name.ok()) << text;
    EXPECT_EQ(name.status().code(), StatusCode::bad_input);
    EXPECT_THAT(name.status().message(), testing::HasSubstr("path/MxNxK/cold|hot/graph|eager|host"));
  }
}

}  // namespace
}  // namespace mxproof::report
