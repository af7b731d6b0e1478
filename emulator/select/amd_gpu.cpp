#include "emulator/select/amd_gpu.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

namespace mxproof::emulator {
namespace {

// gfx_target_version is 10000 * major + 100 * minor + stepping: gfx950 and gfx942.
constexpr long kVersions[] = {90500, 90402};

long target_version(const std::filesystem::path& properties) {
  std::ifstream file(properties);
  for (std::string key, value; file >> key >> value;) {
    if (key == "gfx_target_version") return std::strtol(value.c_str(), nullptr, 10);
  }
  return 0;
}

}  // namespace

Status find_amd_gpu(const KfdPaths& paths) {
  const int device = ::open(paths.device.c_str(), O_RDWR | O_CLOEXEC);
  if (device < 0) {
    return Status::refused(
        fmt::format("no usable AMD GPU: {}: {}", paths.device.string(), std::strerror(errno)));
  }
  ::close(device);
  std::error_code error;
  for (const auto& node : std::filesystem::directory_iterator(paths.topology, error)) {
    if (std::ranges::find(kVersions, target_version(node.path() / "properties")) != std::end(kVersions))
      return {};
  }
  return Status::refused(
      fmt::format("no usable AMD GPU: no gfx950 or gfx942 in {}", paths.topology.string()));
}

}  // namespace mxproof::emulator
