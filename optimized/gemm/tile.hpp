// The size of a work-group's piece of C, as a type.
#pragma once

#include "optimized/gemm/gemm.hpp"
#include "optimized/matrix_core/matrix_core.hpp"
#include "optimized/platform/device.hpp"

namespace mxproof::gemm {

template <int kTileM_, int kTileN_, int kWaves_>
struct Tile {
  static constexpr int kTileM = kTileM_;
  static constexpr int kTileN = kTileN_;
  static constexpr int kWaves = kWaves_;
  static constexpr int kThreads = kWaves * platform::kLanes;
  static constexpr int kRowTiles = kTileM / matrix_core::kRows;
  static constexpr int kColumnTiles = kTileN / matrix_core::kColumns / kWaves;  ///< of one wave
  static constexpr TileConfig kConfig{kTileM, kTileN, kWaves};
  static_assert(kTileM % matrix_core::kRows == 0 && kTileN % (matrix_core::kColumns * kWaves) == 0);
};

}  // namespace mxproof::gemm
