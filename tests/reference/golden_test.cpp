// The reference against answers of implementations that no one here wrote (data/golden/make_golden.py). Where
// one of them departs from its own rule, the departure is listed here with its reason, and must really be
// there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/packing/mxfp4_packing.hpp"
#include "reference/dequantize.hpp"
#include "reference/gemm.hpp"
#include "reference/quantize.hpp"
#include "reference/round.hpp"

namespace mxproof::reference {
namespace {

using Json = nlohmann::json;

Json load(const std::string& name) {
  std::ifstream file(std::string(MXPROOF_SOURCE_DIR) + "/data/golden/" + name);
  EXPECT_TRUE(file.good()) << name;
  return Json::parse(file);
}

std::vector<uint8_t> from_hex(const std::string& hex) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

TEST(Golden, ElementsOfMlDtypesAndGfloat) {
  int checked = 0;
  const Json file = load("elements.json");
  for (const Json& c : file["cases"]) {
    const float x = std::bit_cast<float>(c["f32"].get<uint32_t>());
    const int code = element_code(x, 0, TieRule::nearest_even);
    EXPECT_EQ(code, c["ml_dtypes"].get<int>()) << x;
    EXPECT_EQ(code, c["gfloat"].get<int>()) << x;
    ++checked;
  }
  EXPECT_GT(checked, 300);
}

TEST(Golden, ScalesOfMlDtypesAndTorch) {
  const Json file = load("e8m0.json");
  int checked = 0;
  for (const Json& c : file["decode"]) {
    const auto byte = c["byte"].get<uint8_t>();
    for (const char* who : {"ml_dtypes", "torch"}) {
      const float theirs = std::bit_cast<float>(c[who].get<uint32_t>());
      const double ours = dequantize_value(2, byte);
      if (byte == 255) {
        EXPECT_TRUE(std::isnan(theirs) && std::isnan(ours));
      } else {
        EXPECT_EQ(double{theirs}, ours) << who << " " << int{byte};
      }
      ++checked;
    }
  }
  EXPECT_EQ(checked, 512);
  // A plain cast rounds to nearest, and the two do not even agree on ties and on zero: no scale rule hides
  // there.
  int differing = 0;
  for (const Json& c : file["casts"]) differing += c["ml_dtypes"] == c["torch"] ? 0 : 1;
  EXPECT_GT(differing, 0);
}

/// One implementation, the policy that it follows, and where it does not.
struct Follower {
  const char* name;
  QuantPolicy policy;
  std::set<std::string> departures;
};

QuantPolicy with(ScaleRule rule, QuantPolicy policy) {
  policy.scale = rule;
  return policy;
}

QuantPolicy torchao(ScaleRule rule, LargeRule inf) {
  QuantPolicy policy = with(rule, quant_preset("torchao-floor").value());
  policy.inf = inf;
  return policy;
}

QuantPolicy mlx_policy() {
  QuantPolicy policy = with(ScaleRule::rceil, quant_preset("llama-cpp").value());
  policy.zero_block_byte = 127;
  return policy;
}

std::vector<Follower> followers() {
  // torchao multiplies by the f32 reciprocal of the scale and loses a factor of two, or everything, at byte
  // 0.
  const std::set<std::string> reciprocal = {"2^-126", "6 * 2^-127"};
  // gguf and mlx cast the exponent to a byte without clamping it, so that small maxima wrap around.
  const std::set<std::string> wrap = {"2^-126", "2^-130 everywhere", "smallest f32"};
  const std::set<std::string> not_finite = {"one NaN", "one Inf", "negative Inf"};
  const auto both = [](std::set<std::string> a, const std::set<std::string>& b) {
    a.insert(b.begin(), b.end());
    return a;
  };
  return {
      {"torchao-floor", torchao(ScaleRule::floor, LargeRule::exact), reciprocal},
      {"torchao-even", torchao(ScaleRule::even, LargeRule::exact), reciprocal},
      {"torchao-ceil",
       torchao(ScaleRule::ceil, LargeRule::exact),
       {"2^-126"}},  // 6 * 2^-127 takes byte 1 here
      {"torchao-rceil", torchao(ScaleRule::rceil, LargeRule::byte_254), reciprocal},
      // OCP leaves NaN and Inf open; gfloat refuses the one and gives the largest scale to the other.
      {"gfloat", quant_preset("ocp").value(), not_finite},
      // log2 in f32 rounds the largest f32 up to 2^128.
      {"gguf", quant_preset("llama-cpp").value(), both(both(wrap, not_finite), {"largest f32"})},
      {"mlx", mlx_policy(), both(wrap, not_finite)},
  };
}

TEST(Golden, BlocksOfEveryImplementation) {
  const Json file = load("blocks.json");
  for (const Follower& follower : followers()) {
    int equal = 0;
    std::set<std::string> departed;
    for (const Json& c : file["cases"]) {
      const auto name = c["name"].get<std::string>();
      const Json& result = c["results"][follower.name];
      float values[32];
      for (size_t i = 0; i < 32; ++i) values[i] = std::bit_cast<float>(c["f32"][i].get<uint32_t>());
      uint8_t codes[16];
      const uint8_t byte = quantize_block(values, follower.policy, codes);
      if (result.contains("error")) {
        departed.insert(name);
        continue;
      }
      Mxfp4Matrix theirs;
      if (result.contains("ggml")) {
        theirs = import_ggml(from_hex(result["ggml"]), 1, 32).value();
      } else {
        const std::vector<uint8_t> scale = {result["scale"].get<uint8_t>()};
        theirs = import_mxfp4(from_hex(result["codes"]), scale, 1, 32).value();
      }
      // Under a NaN scale the codes mean nothing.
      const bool same =
          byte == theirs.scales[0] && (byte == 255 || std::equal(codes, codes + 16, theirs.codes.begin()));
      if (same) {
        ++equal;
      } else {
        departed.insert(name);
        if (!follower.departures.contains(name)) {
          ADD_FAILURE() << follower.name << " differs on '" << name << "': byte " << int{byte} << " here, "
                        << int{theirs.scales[0]} << " there; first codes " << int{codes[0]} << " and "
                        << int{theirs.codes[0]};
        }
      }
    }
    EXPECT_EQ(departed, follower.departures) << follower.name;
    EXPECT_GT(equal, 60) << follower.name;
  }
}

TEST(Golden, ProductsOfRationalArithmetic) {
  int outputs = 0;
  const Json file = load("products.json");
  for (const Json& c : file["cases"]) {
    const int64_t m = c["m"];
    const int64_t n = c["n"];
    const int64_t k = c["k"];
    const auto operand = [&](const char* which, int64_t rows) {
      return import_mxfp4(from_hex(c[which]["codes"]), from_hex(c[which]["scales"]), rows, k).value();
    };
    const GemmReference product = gemm(operand("a", m), operand("b", n)).value();
    for (int64_t r = 0; r < m; ++r) {
      for (int64_t col = 0; col < n; ++col) {
        const double exact =
            std::bit_cast<double>(c["exact"][static_cast<size_t>(r * n + col)]["f64"].get<uint64_t>());
        // Rounding through double is safe unless the double lies on a tie of f32.
        const double step = std::ldexp(1.0, std::max(std::ilogb(exact), -126) - 24);
        ASSERT_NE(std::fmod(std::fabs(exact) / step, 2.0), 1.0) << "a tie: the case says nothing";
        EXPECT_EQ(product.f32()(r, col), static_cast<float>(exact)) << c["name"] << " " << r << "," << col;
        EXPECT_EQ(product.facts(r, col).f16, round_to_f16(exact));
        ++outputs;
      }
    }
  }
  EXPECT_EQ(outputs, 5 * 12);
}

TEST(Golden, DisagreementsAreOnRecord) {
  const Json file = load("disagreements.json");
  const Json& found = file["found"];
  std::set<std::string> rules;
  for (const Json& d : found) rules.insert(d["rule"].get<std::string>());
  EXPECT_TRUE(rules.contains("floor"));
  EXPECT_TRUE(rules.contains("rceil"));
}

}  // namespace
}  // namespace mxproof::reference
