// Is there an AMD GPU in this machine that the kernels are built for? Asked of the kernel driver, without a
// HIP call.
#pragma once

#include <filesystem>
#include <string>

#include "common/status.hpp"

namespace mxproof::emulator {

/// Where the amdkfd driver shows itself; tests point these elsewhere.
struct KfdPaths {
  std::filesystem::path device = "/dev/kfd";
  std::filesystem::path topology = "/sys/class/kfd/kfd/topology/nodes";
};

/// Ok when the driver's device opens for reading and writing and a node of its topology is a gfx950 or a
/// gfx942. The
/// error (refused) says which of the two fails.
Status find_amd_gpu(const KfdPaths& paths = {});

}  // namespace mxproof::emulator
