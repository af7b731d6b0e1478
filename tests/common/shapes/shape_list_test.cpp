#include "common/shapes/shape_list.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace mxproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(DefaultShapes, AreTheSixOfTheBenchmarkAndTheFourOfCorrectness) {
  EXPECT_THAT(default_shapes(),
              ElementsAre(GemmShape{4, 2880, 512}, GemmShape{16, 2112, 7168}, GemmShape{32, 4096, 512},
                          GemmShape{32, 2880, 512}, GemmShape{64, 7168, 2048}, GemmShape{256, 3072, 1536},
                          GemmShape{8, 2112, 7168}, GemmShape{16, 3072, 1536}, GemmShape{64, 3072, 1536},
                          GemmShape{256, 2880, 512}));
}

TEST(ParseShapes, ListsSetsAndFiles) {
  const TempFolder folder;
  const std::string path = folder.file("shapes.txt");
  std::ofstream(path) << "# two shapes\n\n 1x16x64\n2x32x128 # the last\n";
  const auto shapes = parse_shapes("32x2880x512, correctness," + path);
  ASSERT_TRUE(shapes) << shapes.status().message();
  ASSERT_EQ(shapes->size(), 1u + 4 + 2);
  EXPECT_EQ(shapes->front(), (GemmShape{32, 2880, 512}));
  EXPECT_EQ(shapes->back(), (GemmShape{2, 32, 128}));
}

TEST(ParseShapeFile, CsvColumnsGoByName) {
  const auto shapes = parse_shape_file("k, name, N ,m\r\n64,tiny,16,1\r\n128,less tiny,32,2\n", "f");
  ASSERT_TRUE(shapes) << shapes.status().message();
  EXPECT_THAT(*shapes, ElementsAre(GemmShape{1, 16, 64}, GemmShape{2, 32, 128}));
}

TEST(ParseShapeFile, SaysWhichLineIsWrong) {
  EXPECT_THAT(parse_shape_file("m,n,k\n1,16,64\n1,16\n", "f.csv").status().message(), HasSubstr("f.csv:3:"));
  EXPECT_THAT(parse_shape_file("1x16x64\n1x16x\n", "f.txt").status().message(), HasSubstr("f.txt:2:"));
  EXPECT_THAT(parse_shape_file("# nothing\n", "f.txt").status().message(), HasSubstr("holds no shape"));
  EXPECT_THAT(parse_shape_file("m,n,k\n", "f.csv").status().message(), HasSubstr("holds no shape"));
}

TEST(ParseShapes, RefusesWhatIsNoShape) {
  for (const char* text :
       {"", ",", "1x2", "1x2x3x4", "0x16x64", "-1x16x64", "1.5x16x64", "1x16x64,", "1x16x2147483648",
        "99999999999999999999x1x1", "2000000000x16x2000000000", "+1x16x64", "no_such_file"}) {
    const auto shapes = parse_shapes(text);
    ASSERT_FALSE(shapes) << text;
    EXPECT_EQ(shapes.status().code(), StatusCode::bad_input) << text;
    EXPECT_FALSE(shapes.status().message().empty()) << text;
  }
}

}  // namespace
}  // namespace mxproof
