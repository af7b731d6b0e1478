#include <gtest/gtest.h>

#include <set>

#include "common/policy/acceptance.hpp"
#include "common/policy/quant_policy.hpp"

namespace mxproof {
namespace {

TEST(QuantPolicy, PresetsHaveNamesAndSources) {
  std::set<std::string_view> names;
  for (const QuantPolicy& p : quant_presets()) {
    EXPECT_TRUE(names.insert(p.name).second) << p.name;
    EXPECT_FALSE(p.source.empty()) << p.name;
    EXPECT_EQ(quant_preset(p.name).value(), p);
  }
  for (const char* name :
       {"even", "aiter-triton", "aiter-hip", "ocp", "torchao-floor", "nvidia", "llama-cpp"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_EQ(quant_presets().front(), (QuantPolicy{.source = quant_presets().front().source}));
}

TEST(QuantPolicy, UnknownNameListsTheKnownOnes) {
  const auto result = quant_preset("mx");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), StatusCode::bad_input);
  EXPECT_NE(result.status().message().find("aiter-triton"), std::string::npos);
}

TEST(QuantPolicy, DescriptionNamesEveryField) {
  const std::string text = describe(quant_preset("llama-cpp").value());
  EXPECT_EQ(text,
            "llama-cpp: scale=floor tie=half-toward-smaller zero-block=0 amax-seed=0 nan=ignored inf=exact "
            "overflow=exact subnormals=kept zero-sign=positive input=as-given");
}

TEST(Acceptance, NamesComeBack) {
  for (const Acceptance& a :
       {Acceptance::bit_equal(), Acceptance::exact_zone(), Acceptance::contest(), Acceptance::ulp(3)}) {
    EXPECT_EQ(parse_acceptance(a.name()).value(), a);
  }
  EXPECT_EQ(parse_acceptance("ulp:2").value(), Acceptance::ulp(2));
  EXPECT_EQ(parse_acceptance("ulp2").value(), Acceptance::ulp(2));
  EXPECT_EQ(Acceptance{}, Acceptance::exact_zone());
  for (const char* bad : {"", "ulp", "ulp -1", "ulp 1x", "exact", "ulp  2"}) {
    EXPECT_EQ(parse_acceptance(bad).status().code(), StatusCode::bad_input) << bad;
  }
}

}  // namespace
}  // namespace mxproof
