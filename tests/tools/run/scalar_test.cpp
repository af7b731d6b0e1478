#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <ostream>

#include "tools/run/argument.hpp"

namespace mxproof {
namespace {

struct Good {
  const char* text;
  const char* type;
  size_t size;
  uint64_t bits;
};

void PrintTo(const Good& c, std::ostream* out) {
  *out << c.type << ':' << c.text << " of " << c.size << " bytes";
}

class GoodScalars : public ::testing::TestWithParam<Good> {};

TEST_P(GoodScalars, HaveTheseBits) {
  const Good& c = GetParam();
  const auto bytes = parse_scalar(c.text, c.type, c.size);
  ASSERT_TRUE(bytes.ok()) << bytes.status().message();
  ASSERT_EQ(bytes->size(), c.size);
  uint64_t bits = 0;
  std::memcpy(&bits, bytes->data(), c.size);
  EXPECT_EQ(bits, c.bits);
}

INSTANTIATE_TEST_SUITE_P(
    Run, GoodScalars,
    ::testing::Values(Good{"7", "", 4, 7}, Good{"-1", "", 1, 0xff}, Good{"-128", "", 1, 0x80},
                      Good{"255", "", 1, 0xff}, Good{"0xdeadbeef", "", 4, 0xdeadbeef},
                      Good{"18446744073709551615", "", 8, UINT64_MAX},
                      Good{"-9223372036854775808", "", 8, uint64_t{1} << 63}, Good{"1.5", "", 4, 0x3fc00000},
                      Good{"-2e3", "", 8, 0xc09f400000000000}, Good{"inf", "", 4, 0x7f800000},
                      Good{"2", "f32", 4, 0x40000000}, Good{"0.5", "bf16", 2, 0x3f00},
                      Good{"1.00390625", "bf16", 2, 0x3f80}, Good{"0.5", "f16", 2, 0x3800},
                      Good{"65504", "f16", 2, 0x7bff}, Good{"1", "f64", 8, 0x3ff0000000000000},
                      Good{"-5", "i16", 2, 0xfffb}, Good{"65535", "u16", 2, 0xffff}));

struct Bad {
  const char* text;
  const char* type;
  size_t size;
  const char* message;
};

void PrintTo(const Bad& c, std::ostream* out) {
  *out << c.type << ':' << c.text << " of " << c.size << " bytes";
}

class BadScalars : public ::testing::TestWithParam<Bad> {};

TEST_P(BadScalars, AreNamed) {
  const Bad& c = GetParam();
  const auto bytes = parse_scalar(c.text, c.type, c.size);
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.status().code(), StatusCode::bad_input);
  EXPECT_THAT(bytes.status().message(), ::testing::HasSubstr(c.message));
}

INSTANTIATE_TEST_SUITE_P(
    Run, BadScalars,
    ::testing::Values(Bad{"", "", 4, "not an integer"}, Bad{"12x", "", 4, "not an integer"},
                      Bad{"256", "", 1, "8 bits"}, Bad{"-129", "", 1, "8 bits"},
                      Bad{"128", "i8", 1, "8 bits"}, Bad{"-1", "u8", 1, "8 bits"},
                      Bad{"18446744073709551616", "", 8, "not an integer"},
                      Bad{"1.5", "", 2, "say f16: or bf16:"}, Bad{"1.5", "i32", 4, "not an integer"},
                      Bad{"1", "f32", 8, "f32 has 4 bytes, the argument 8"},
                      Bad{"1", "q7", 4, "no type of number"}, Bad{"1.5.2", "f32", 4, "not a number"},
                      Bad{"1", "", 24, "use hex:"}));

}  // namespace
}  // namespace mxproof
