// How many work-groups fit on one compute unit of a gfx950.
#pragma once

#include <cstdint>

#include "emulator/loader/kernel.hpp"

namespace mxproof::emulator {

/// Limits of one compute unit. Source: AMD's CDNA 4 documents and LLVM's AMDGPU backend for gfx950.
inline constexpr uint32_t kLdsBytes = 160 << 10;  ///< LDS, also the most that one work-group may use.
inline constexpr uint32_t kSimds = 4;
inline constexpr uint32_t kMaxWavesPerSimd = 8;
inline constexpr uint32_t kRegistersPerLane = 512;  ///< VGPRs and AGPRs of one SIMD's lane.
inline constexpr uint32_t kWaveLanes = 64;
inline constexpr uint32_t kMaxGroupLanes = 1024;

/// Work-groups of `threads` lanes with `dynamic_lds` bytes that reside at once; 0 when not even one fits.
int groups_per_compute_unit(const Kernel& kernel, uint32_t threads, uint64_t dynamic_lds);

/// The number of lanes, a multiple of 64 and at most `limit` (0: no limit), that keeps the most lanes
/// resident; the larger one of equals.
uint32_t best_group_lanes(const Kernel& kernel, uint64_t dynamic_lds, uint32_t limit);

}  // namespace mxproof::emulator
