// Matchers for GoogleTest: a red test that says why. This header needs gmock; nothing else here does.
//
//   EXPECT_THAT(output, IsProductOf(a, b));                        A and B quantised
//   EXPECT_THAT(output, IsProductOf(a_bf16, policy, b));           A as the quantiser gets it
//   EXPECT_THAT(codes_and_scales, IsQuantised(values, policy));
#pragma once

#include <gmock/gmock.h>

#include "tools/explain/engine.hpp"
#include "tools/explain/evidence.hpp"
#include "tools/explain/report.hpp"

namespace mxproof::explain {

/// Explains the evidence to the listener; true when nothing is wrong.
inline bool explain_to(const Expected<Evidence>& evidence, testing::MatchResultListener& listener) {
  if (!evidence) {
    listener << evidence.status().message();
    return false;
  }
  const Expected<Explanation> explanation = explain(*evidence);
  if (!explanation) {
    listener << explanation.status().message();
    return false;
  }
  if (explanation->answer == Answer::right) return true;
  listener << "\n" << to_text(*explanation);
  return false;
}

MATCHER_P2(IsProductOf, a, b, "is the exact product of A and B, rounded to bf16") {
  return explain_to(output_evidence(a, b, arg), *result_listener);
}

MATCHER_P3(IsProductOf, a, policy, b, "is the exact product of quantised A and B, rounded to bf16") {
  return explain_to(output_evidence(a, policy, b, arg), *result_listener);
}

MATCHER_P2(IsQuantised, values, policy, "are the codes and scales of the values under the policy") {
  return explain_to(quantised_evidence(values, policy, arg), *result_listener);
}

}  // namespace mxproof::explain
