#include "reference/simd/targets.hpp"

#include <hwy/highway.h>
#include <hwy/targets.h>

namespace mxproof::reference::simd {
namespace {

void choose(int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

std::vector<Target> supported_targets() {
  std::vector<Target> targets;
  for (const int64_t id : hwy::SupportedAndGeneratedTargets()) targets.push_back({id, hwy::TargetName(id)});
  return targets;
}

ScopedTarget::ScopedTarget(const Target& target) {
  choose(target.id);
}
ScopedTarget::~ScopedTarget() {
  choose(0);
}

}  // namespace mxproof::reference::simd
