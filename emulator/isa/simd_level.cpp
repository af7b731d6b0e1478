#include "emulator/isa/simd_level.hpp"

#include <hwy/highway.h>
#include <hwy/targets.h>

namespace mxproof::emulator {

std::vector<std::string> simd_levels() {
  std::vector<std::string> names;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets())
    names.emplace_back(hwy::TargetName(target));
  return names;
}

void use_simd_level(const std::string& level) {
  hwy::SetSupportedTargetsForTest(0);
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (level == hwy::TargetName(target)) hwy::SetSupportedTargetsForTest(target);
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace mxproof::emulator
