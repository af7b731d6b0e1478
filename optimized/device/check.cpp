#include "optimized/device/check.hpp"

#include <fmt/format.h>

namespace mxproof {

Status hip_status(hipError_t error, std::string_view what) {
  if (error == hipSuccess) return {};
  return Status::device(fmt::format("{}: {} ({}): {}", what, hipGetErrorName(error), static_cast<int>(error),
                                    hipGetErrorString(error)));
}

}  // namespace mxproof
