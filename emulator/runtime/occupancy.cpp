#include "emulator/runtime/occupancy.hpp"

#include <algorithm>

namespace mxproof::emulator {

int groups_per_compute_unit(const Kernel& kernel, uint32_t threads, uint64_t dynamic_lds) {
  if (threads == 0 || threads > std::min(kMaxGroupLanes, kernel.max_workgroup_size)) return 0;
  const uint32_t waves_per_simd =
      std::min(kMaxWavesPerSimd, kRegistersPerLane / kernel.descriptor.allocated_vgprs());
  const uint32_t group_waves = (threads + kWaveLanes - 1) / kWaveLanes;
  uint64_t groups = waves_per_simd * kSimds / group_waves;
  const uint64_t lds = kernel.descriptor.lds_bytes + dynamic_lds;
  if (lds > 0) groups = std::min<uint64_t>(groups, kLdsBytes / lds);
  return static_cast<int>(groups);
}

uint32_t best_group_lanes(const Kernel& kernel, uint64_t dynamic_lds, uint32_t limit) {
  uint32_t most = std::min(kMaxGroupLanes, kernel.max_workgroup_size);
  if (limit != 0) most = std::min(most, limit);
  uint32_t best = 0;
  uint64_t best_resident = 0;
  for (uint32_t lanes = kWaveLanes; lanes <= most; lanes += kWaveLanes) {
    const uint64_t resident =
        lanes * static_cast<uint64_t>(groups_per_compute_unit(kernel, lanes, dynamic_lds));
    if (resident >= best_resident && resident > 0) {
      best = lanes;
      best_resident = resident;
    }
  }
  return best;
}

}  // namespace mxproof::emulator
