// An explanation as text for people and as JSON for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tools/explain/evidence.hpp"
#include "tools/explain/explanation.hpp"

namespace mxproof::explain {

/// Several lines, the headline first: causes that predict the same, runner-up, what was seen, first wrong
/// cells.
std::string to_text(const Explanation& explanation);

/// The patterns alone, every line after `indent`; empty when something explains the result.
std::string drawn_patterns(const Explanation& explanation, const std::string& indent);

nlohmann::json to_json(const Explanation& explanation);

/// For callers that have just found a mismatch (verify, tests): the text, or why there is none. Never fails.
std::string summarise(const Expected<Evidence>& evidence);

}  // namespace mxproof::explain
