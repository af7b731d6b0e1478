// Two causes that act in different places.
#pragma once

#include "tools/explain/engine.hpp"

namespace mxproof::explain {

/// Where one cause does not explain everything, two may that act in different places and show as different
/// kinds of wrong: a tail that nobody wrote beside numbers of a wrong scale. All kinds must be explained,
/// each by itself; what is explained of them is noted otherwise. `out` is the answer so far.
void explain_by_kind(const Evidence& evidence, const EngineOptions& options, Explanation& out);

}  // namespace mxproof::explain
