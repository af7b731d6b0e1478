// The size of a work-group's piece of C, as a type.
#pragma once

#include "optimized/gemm/gemm.hpp"
#include "optimized/matrix_core/matrix_core.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::gemm {

template <int kTileM_, int kTileN_, int kWaves_, int kSlices_ = 1>
struct Tile {
  static constexpr int kTileM = kTileM_;
  static constexpr int kTileN = kTileN_;
  static constexpr int kWaves = kWaves_;
  static constexpr int kSlices = kSlices_;
  static constexpr int kSliceThreads = kWaves * platform::kLanes;
  static constexpr int kThreads = kSlices * kSliceThreads;
  static constexpr int kRowTiles = kTileM / matrix_core::kRows;
  static constexpr int kColumnTiles = kTileN / matrix_core::kColumns / kWaves;  ///< of one wave
  static constexpr TileConfig kConfig{kTileM, kTileN, kWaves, kSlices};
  static_assert(kTileM % matrix_core::kRows == 0 && kTileN % (matrix_core::kColumns * kWaves) == 0);
};

}  // namespace mxproof::gemm
