#include "tools/probe_data/probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "common/format/bf16_round.hpp"
#include "common/layout/codes_16x16.hpp"
#include "common/layout/scale_32x8.hpp"
#include "reference/gemm.hpp"
#include "reference/quantize.hpp"

namespace mxproof::probe {
namespace {

using testing::HasSubstr;

using Spoil = std::function<void(Mxfp4Matrix&)>;

using SpoilOutput = std::function<void(Matrix<Bf16>&)>;

/// Runs all probes through the reference, with B as a faulty kernel would read it and C as it would write it.
std::string probe(const Shape& s, const Spoil& spoil, const SpoilOutput& spoil_output = {},
                  const Written& written = {}) {
  const Mxfp4Matrix a = *reference::quantize(identity(s.k).view());
  const auto run = [&](Mxfp4Matrix b) {
    spoil(b);
    const auto product = reference::gemm(a, std::move(b));
    Matrix<Bf16> out(s.k, s.n);
    for (int64_t r = 0; r < s.k; ++r) {
      for (int64_t c = 0; c < s.n; ++c) out(r, c) = product->values()(r, c);
    }
    if (spoil_output) spoil_output(out);
    return out;
  };
  std::vector<Matrix<Bf16>> codes;
  std::vector<Matrix<Bf16>> scales;
  for (int i = 0; i < code_runs(s); ++i) codes.push_back(run(code_run(s, i)));
  for (int i = 0; i < scale_runs(s); ++i) scales.push_back(run(scale_run(s, i)));
  const Expected<Reading> reading = read(s, codes, scales);
  if (reading) {
    const std::string text = describe(*reading);
    EXPECT_EQ(all_in_place(*reading), text.starts_with("codes:  right: every code") &&
                                          text.find("scales: right: every scale") != std::string::npos);
  }
  return reading ? describe(*reading, written) : reading.status().message();
}

constexpr Shape kShape{48, 320};

TEST(Probe, EveryPlaceHasADigitStringOfItsOwn) {
  std::set<std::vector<int>> seen;
  std::vector<Mxfp4Matrix> runs;
  for (int i = 0; i < code_runs(kShape); ++i) runs.push_back(code_run(kShape, i));
  for (int64_t n = 0; n < kShape.n; ++n) {
    for (int64_t k = 0; k < kShape.k; ++k) {
      std::vector<int> digits;
      for (const Mxfp4Matrix& b : runs) digits.push_back(b.code_row(n)[k / 2] >> (k % 2 * 4) & 15);
      EXPECT_TRUE(seen.insert(digits).second) << n << "," << k;
    }
  }
}

TEST(Probe, ARightKernelReadsEverythingFromItsPlace) {
  const std::string text = probe(kShape, [](Mxfp4Matrix&) {});
  EXPECT_THAT(text, HasSubstr("codes:  right: every code is read from its place"));
  EXPECT_THAT(text, HasSubstr("scales: right: every scale is read from its place"));
}

TEST(Probe, NamesSwappedNibbles) {
  const std::string text = probe(kShape, [](Mxfp4Matrix& b) {
    for (uint8_t& byte : b.codes) byte = static_cast<uint8_t>(byte << 4 | byte >> 4);
  });
  EXPECT_THAT(text, HasSubstr("the nibbles of every byte are exchanged"));
  EXPECT_THAT(text, HasSubstr("scales: right"));
}

TEST(Probe, NamesPreshuffledCodesReadAsPlain) {
  const std::string text = probe(kShape, [](Mxfp4Matrix& b) {
    const Codes16x16 layout({b.rows, b.cols / 2});
    std::vector<uint8_t> buffer(b.codes.size());
    for (int64_t r = 0; r < b.rows; ++r) {
      for (int64_t c = 0; c < b.cols / 2; ++c)
        buffer[static_cast<size_t>(layout.offset({r, c}))] = b.code_row(r)[c];
    }
    b.codes = buffer;
  });
  EXPECT_THAT(text, HasSubstr("codes that lie in codes_16x16 are read as codes_row_major"));
}

TEST(Probe, NamesPlainScalesReadAsShuffled) {
  const std::string text = probe(kShape, [](Mxfp4Matrix& b) {
    const Scale32x8 layout({b.rows, b.cols / 32});
    std::vector<uint8_t> read;
    for (int64_t r = 0; r < b.rows; ++r) {
      for (int64_t c = 0; c < b.cols / 32; ++c) {
        const auto at = static_cast<size_t>(layout.offset({r, c}));
        read.push_back(at < b.scales.size() ? b.scales[at] : uint8_t{0});
      }
    }
    b.scales = read;
  });
  EXPECT_THAT(text, HasSubstr("scales that lie in scale_row_major are read as scale_32x8"));
  EXPECT_THAT(text, HasSubstr("codes:  where it can be read, every code")) << "scales from padding hide it";
}

// What shows no digit is not known to be right.
TEST(Probe, ListsWhatShowsNoDigit) {
  const auto nothing = [](Mxfp4Matrix&) {};
  const std::string row = probe(kShape, nothing, [](Matrix<Bf16>& c) {
    for (int64_t k = 0; k < c.rows; ++k) c(k, 47) = Bf16{0};
  });
  EXPECT_THAT(row, HasSubstr("codes:  where it can be read, every code is read from its place"));
  EXPECT_THAT(row, HasSubstr("no digit at 320 places, all of n = 47..47, k = 0..319; the first shows 0\n"));
  const std::string range = probe(kShape, nothing, [](Matrix<Bf16>& c) {
    for (int64_t k = 288; k < 320; ++k) {
      for (int64_t n = 0; n < c.cols; n += 47) c(k, n) = Bf16{0x7fc0};
    }
  });
  EXPECT_THAT(range, HasSubstr("scales: where it can be read, every scale is read from its place"));
  EXPECT_THAT(range,
              HasSubstr("no digit at 64 places, within n = 0..47, k = 288..319; the first shows nan\n"));
}

TEST(Probe, NamesAFactorInsteadOfInventingSources) {
  for (const float factor : {2.0f, 0.25f, -1.0f, -3.0f, 0.1f}) {
    const std::string text = probe(
        kShape, [](Mxfp4Matrix&) {},
        [&](Matrix<Bf16>& c) {
          for (Bf16& x : c.data) x = round_to_bf16(x.to_float() * factor);
        });
    EXPECT_THAT(text, testing::StartsWith("every output is ")) << factor;
    EXPECT_THAT(text, HasSubstr("times what its code and scale say\ncodes:  right: every code")) << text;
    EXPECT_THAT(text, HasSubstr("scales: right: every scale")) << text;
  }
}

TEST(Probe, SaysNothingOfLayoutsThatWereNotWritten) {
  const std::string plain = probe(kShape, [](Mxfp4Matrix&) {});
  EXPECT_THAT(plain, testing::Not(HasSubstr("lie in scale_32x8")));
  const std::string shuffled = probe(kShape, [](Mxfp4Matrix&) {}, {}, {"codes_row_major", "scale_32x8"});
  EXPECT_THAT(shuffled, testing::Not(HasSubstr("lie in scale_row_major")));
}

TEST(Probe, UnknownMapsAreListedPlaceByPlace) {
  const std::string text =
      probe(kShape, [](Mxfp4Matrix& b) { std::swap(b.code_row(5)[7], b.code_row(9)[3]); });
  EXPECT_THAT(text, HasSubstr("codes: no known rule"));
  EXPECT_THAT(text, HasSubstr("(n=5, k=14) is read from row 9, element 6"));
}

TEST(Probe, WrongCountsAndShapesAreRefused) {
  EXPECT_THAT(read(kShape, {}, {}).status().message(), HasSubstr("code runs"));
  EXPECT_FALSE(validate({16, 33}).ok());
  EXPECT_FALSE(validate({0, 32}).ok());
  EXPECT_TRUE(validate({8192, 8192}).ok());
  EXPECT_THAT(validate({8193, 8192}).message(), HasSubstr("at most 67108864 elements, which is N = 8192"));
  std::vector<Matrix<Bf16>> codes(static_cast<size_t>(code_runs(kShape)), Matrix<Bf16>(kShape.n, kShape.k));
  std::vector<Matrix<Bf16>> scales(static_cast<size_t>(scale_runs(kShape)), Matrix<Bf16>(kShape.n, kShape.k));
  EXPECT_THAT(read(kShape, codes, scales).status().message(), HasSubstr("must be [K, N] = [320, 48]"));
}

}  // namespace
}  // namespace mxproof::probe
