#include "optimized/device/info.hpp"

#include <fmt/format.h>

#include <sstream>

#include "optimized/device/check.hpp"

namespace mxproof {
namespace {

#if defined(MXPROOF_PLATFORM_NVIDIA)
std::string arch_of(const hipDeviceProp_t& properties) {
  return fmt::format("sm_{}{}", properties.major, properties.minor);
}
#else
/// "gfx950:sramecc+:xnack-" without its features.
std::string arch_of(const hipDeviceProp_t& properties) {
  const std::string full = properties.gcnArchName;
  return full.substr(0, full.find(':'));
}
#endif

}  // namespace

Status DeviceInfo::check_supported() const {
#if defined(MXPROOF_PLATFORM_NVIDIA)
  const char* kernels = "sm_80 and up";
  const bool supported = arch.starts_with("sm_") && std::stoi(arch.substr(3)) >= 80;
#else
  const char* kernels = MXPROOF_ARCHITECTURES;
  std::istringstream built_for(kernels);
  bool supported = false;
  for (std::string chip; built_for >> chip;) supported = supported || arch == chip.substr(0, chip.find(':'));
#endif
  if (supported) return {};
  return Status::refused(
      fmt::format("the kernels of this build run on {}, not on {} ({})", kernels, arch, name));
}

Expected<DeviceInfo> device_info() {
  int device = 0;
  MXPROOF_RETURN_IF_ERROR(hip_status(hipGetDevice(&device), "hipGetDevice"));
  hipDeviceProp_t properties{};
  MXPROOF_RETURN_IF_ERROR(hip_status(hipGetDeviceProperties(&properties, device), "hipGetDeviceProperties"));
  int driver = 0;
  int runtime = 0;
  MXPROOF_RETURN_IF_ERROR(hip_status(hipDriverGetVersion(&driver), "hipDriverGetVersion"));
  MXPROOF_RETURN_IF_ERROR(hip_status(hipRuntimeGetVersion(&runtime), "hipRuntimeGetVersion"));
  DeviceInfo info;
  info.name = properties.name;
  info.arch = arch_of(properties);
  info.compute_units = properties.multiProcessorCount;
  info.wave_size = properties.warpSize;
  info.memory_bytes = static_cast<int64_t>(properties.totalGlobalMem);
  info.runtime = fmt::format("driver {}, runtime {}", driver, runtime);
  return info;
}

}  // namespace mxproof
