#include "optimized/device/dynamic_lds.hpp"

#include <fmt/format.h>

#include <mutex>
#include <set>
#include <utility>

#include "optimized/device/check.hpp"

namespace mxproof {

Status allow_dynamic_lds(const void* kernel, int bytes) {
  constexpr int kGivenUnasked = 48 * 1024;
  if (bytes <= kGivenUnasked) return {};
  int device = 0;
  MXPROOF_RETURN_IF_ERROR(hip_status(hipGetDevice(&device), "hipGetDevice"));
  static std::mutex mutex;
  static std::set<std::pair<int, const void*>> allowed;
  const std::lock_guard lock(mutex);
  if (allowed.contains({device, kernel})) return {};
  MXPROOF_RETURN_IF_ERROR(
      hip_status(hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, bytes),
                 fmt::format("hipFuncSetAttribute for {} bytes of dynamic LDS", bytes)));
  allowed.emplace(device, kernel);
  return {};
}

}  // namespace mxproof
