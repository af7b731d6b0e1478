#include "tools/probe_data/probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "common/layout/codes_16x16.hpp"
#include "common/layout/scale_32x8.hpp"
#include "reference/gemm.hpp"
#include "reference/quantize.hpp"

namespace mxproof::probe {
namespace {

using testing::HasSubstr;

using Spoil = std::function<void(Mxfp4Matrix&)>;

/// Runs all probes through the reference, with B as a faulty kernel would read it.
std::string probe(const Shape& s, const Spoil& spoil) {
  const Mxfp4Matrix a = *reference::quantize(identity(s.k).view());
  const auto run = [&](Mxfp4Matrix b) {
    spoil(b);
    const auto product = reference::gemm(a, std::move(b));
    Matrix<Bf16> out(s.k, s.n);
    for (int64_t r = 0; r < s.k; ++r) {
      for (int64_t c = 0; c < s.n; ++c) out(r, c) = product->values()(r, c);
    }
    return out;
  };
  std::vector<Matrix<Bf16>> codes;
  std::vector<Matrix<Bf16>> scales;
  for (int i = 0; i < code_runs(s); ++i) codes.push_back(run(code_run(s, i)));
  for (int i = 0; i < scale_runs(s); ++i) scales.push_back(run(scale_run(s, i)));
  const Expected<Reading> reading = read(s, codes, scales);
  if (reading) {
    EXPECT_EQ(all_in_place(*reading), describe(*reading).find("right: every code") != std::string::npos &&
                                          describe(*reading).find("right: every scale") != std::string::npos);
  }
  return reading ? describe(*reading) : reading.status().message();
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
  EXPECT_THAT(text, HasSubstr("codes:  right"));
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
  std::vector<Matrix<Bf16>> codes(static_cast<size_t>(code_runs(kShape)), Matrix<Bf16>(kShape.n, kShape.k));
  std::vector<Matrix<Bf16>> scales(static_cast<size_t>(scale_runs(kShape)), Matrix<Bf16>(kShape.n, kShape.k));
  EXPECT_THAT(read(kShape, codes, scales).status().message(), HasSubstr("must be [K, N] = [320, 48]"));
}

}  // namespace
}  // namespace mxproof::probe
